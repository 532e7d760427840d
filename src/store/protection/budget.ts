/** Budgets: what they have let pass on a day. Whoever sends within one holds its row until that is committed. */
import { accountId, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode, Price } from '../schema/schema.ts'
import type { MessageKey } from '../sending/message.ts'
import { madeMessages } from './made.ts'

export interface BudgetKey {
  accountId: string
  mode: Mode
  /** The beginning of the day, in UTC. */
  day: Date
  /** The id of the budget. */
  budget: string
}

export interface AskedBudget extends BudgetKey {
  /** What it is for; undefined for all. */
  countries: readonly string[] | undefined
  /** Its money of a day. */
  money: Price | undefined
}

export interface BudgetUse {
  /** Made on this day. */
  messages: number
  /** The highest part that the account was told of, in percent; 0 for none. */
  told: number
  /** What providers charge for them, as far as that is counted, in the currency of the budget. */
  spent: string
  /** The part of its money, in whole percent; 0 without one. */
  spentPercent: number
}

const budgetColumns: Columns<BudgetKey> = {
  ...accountId,
  mode: ['text', (one) => one.mode],
  day: ['timestamptz', (one) => one.day],
  budget: ['text', (one) => one.budget],
}

const asked = batch<AskedBudget>(
  'g',
  {
    ...budgetColumns,
    countries: ['text', (one) => one.countries?.join(' ')],
    amount: ['numeric', (one) => one.money?.amount],
    currency: ['text', (one) => one.money?.currency],
  },
  { isShort: true },
)

/** SQL for what is known of the money of `g`. The percent ends at 1000: more than that tells nothing. */
const spending = `cross join lateral (
    select trim_scale(coalesce(sum(s.amount), 0))::text as spent,
      least(coalesce(floor(100 * sum(s.amount) / g.amount), 0), 1000)::int as percent
    from spend s
    where s.account_id = g.account_id and s.mode = g.mode and s.grain = 'day' and s.at = g.day and s.currency = g.currency
      and (g.countries is null or s.country = any (string_to_array(g.countries, ' ')))
  ) p`
const hold = write<BudgetUse & { n: number }>(`
  with g as materialized (select * from ${asked.numbered}), held as (
    insert into budget_day as b (account_id, mode, day, budget, messages, told)
    select account_id, mode, day, budget, 0, 0 from g
    order by account_id collate "C", mode collate "C", day, budget collate "C"
    on conflict (account_id, mode, day, budget) do update set messages = b.messages
    returning account_id, mode, day, budget, messages, told
  )
  select g.n::int as n, h.messages, h.told::int as told, p.spent, p.percent as "spentPercent"
  from g join held h on h.account_id = g.account_id and h.mode = g.mode and h.day = g.day and h.budget = g.budget ${spending}`)

/** Takes hold of each, so that nobody else counts on it before this transaction is over. No two are the same. */
export async function holdBudgets(tx: Tx, list: readonly AskedBudget[]): Promise<BudgetUse[]> {
  return inPlaces(list, await tx.run(hold, asked.valuesOf(list))) as BudgetUse[]
}

const uses = read<BudgetUse & { n: number }>(`
  select g.n::int as n, coalesce(b.messages, 0) as messages, coalesce(b.told, 0)::int as told, p.spent, p.percent as "spentPercent"
  from ${asked.numbered}
  left join budget_day b on b.account_id = g.account_id and b.mode = g.mode and b.day = g.day and b.budget = g.budget ${spending}`)

/** The same without a hold. */
export async function findBudgetUses(reader: Reader, list: readonly AskedBudget[]): Promise<BudgetUse[]> {
  return inPlaces(list, await reader.run(uses, asked.valuesOf(list))) as BudgetUse[]
}

const counted = batch<BudgetKey & MessageKey>('g', { ...budgetColumns, id: keyColumns.id! }, { ids: 'id' })

const count = write(`
  update budget_day b set messages = b.messages + s.messages
  from (
    select g.account_id, g.mode, g.day, g.budget, count(*)::int as messages
    from ${counted.rows} ${madeMessages('g', counted, 'id')}
    group by g.account_id, g.mode, g.day, g.budget
  ) s
  where b.account_id = s.account_id and b.mode = s.mode and b.day = s.day and b.budget = s.budget`)

/** Counts those of the messages that this transaction makes, on budgets that it holds. Goes with the commit, behind them. */
export function countOnBudgets(tx: Tx, list: readonly (BudgetKey & MessageKey)[]): void {
  if (list.length > 0) tx.atCommit(count, counted.valuesOf(list))
}

export interface ToldBudget extends BudgetKey {
  percent: number
}

const told = batch<ToldBudget>('g', { ...budgetColumns, told: ['int', (one) => one.percent] }, { isShort: true })
const tell = write(`update budget_day b set told = g.told from ${told.rows} 
  where b.account_id = g.account_id and b.mode = g.mode and b.day = g.day and b.budget = g.budget`)

/** Notes what the account is told of budgets that this transaction holds. Goes with the commit. */
export function noteTold(tx: Tx, list: readonly ToldBudget[]): void {
  if (list.length > 0) tx.atCommit(tell, told.valuesOf(list))
}
