/** Sends within the budgets of an account: what goes over one is refused until its day is over. */
import { type ErrorCode, Problem } from '../../../kit/problem.ts'
import type { DraftKind } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import {
  type AskedBudget,
  type BudgetKey,
  type BudgetUse,
  countOnBudgets,
  holdBudgets,
  noteTold,
} from '../../../store/protection/budget.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import type { Idempotency, Keyed, KeyedOutcome, KeyRefusal } from '../../sending/idempotency.ts'
import type { Events, ReachedBudget } from '../../webhooks/event.ts'
import type { KnownRules } from '../known.ts'
import { type Budget, isWithin } from './budget.ts'
import { budgetDayOf, dayMs, toldParts, usedPercent } from './budgetUse.ts'

/** A message that is about to be made. */
export interface BudgetedDraft extends Keyed {
  accountId: string
  mode: Mode
  id: string
  at: Date
  /** Undefined for a number of no country. */
  country?: string | undefined
  /** Those that it is within, as its process knew them when it came; looked up by `share`. */
  budgets?: readonly Budget[]
}

export interface DayBudgets {
  /**
   * Like `idempotency.share`, for messages: those that a budget has no room for are not worked on, and of the others those count that
   * are made. Without a budget, it is the same.
   *
   * @returns also Problem `budget_spent`
   */
  share: <Draft extends BudgetedDraft, Done, Code extends ErrorCode = never>(
    kind: DraftKind<Draft, Done | Problem<Code>>,
  ) => (draft: Draft) => Promise<KeyedOutcome<Done, Code | 'budget_spent' | KeyRefusal>>
}

export interface DayBudgetParts {
  idempotency: Idempotency
  known: Pick<KnownRules, 'of'>
  events: Pick<Events, 'tellBudgets'>
}

export function createDayBudgets({ idempotency, known, events }: DayBudgetParts): DayBudgets {
  return {
    share: <Draft extends BudgetedDraft, Done, Code extends ErrorCode = never>(
      kind: DraftKind<Draft, Done | Problem<Code>>,
    ) => {
      const submit = idempotency.share<Draft, Done, Code | 'budget_spent'>({
        ...kind,
        work: async (tx, drafts) => {
          if (drafts.every(({ budgets }) => budgets === undefined)) return kind.work(tx, drafts)
          const { refused, reached } = await takePlaces(tx, drafts)
          const free = drafts.filter((draft) => !refused.has(draft))
          countOnBudgets(tx, free.flatMap(keysOf))
          noteTold(tx, reached)
          events.tellBudgets(tx, reached)
          const outcomes = free.length > 0 ? (await kind.work(tx, free)).values() : [].values()
          return drafts.map((draft) => refused.get(draft) ?? (outcomes.next().value as Done | Problem<Code>))
        },
      })
      return async (draft: Draft) => {
        const { budgets: all } = await known.of(draft)
        const budgets = all.filter((one) => isWithin(one, draft.country))
        return submit(budgets.length > 0 ? { ...draft, budgets } : draft)
      }
    },
  }
}

interface Places {
  /** Those without a place. */
  refused: Map<BudgetedDraft, Problem<'budget_spent'>>
  /** What is to be told of budgets, and was not on their day. */
  reached: (BudgetKey & ReachedBudget)[]
}

/** Takes hold of the budgets of a group, and gives what is left of them to its drafts in their order. */
async function takePlaces(tx: Tx, drafts: readonly BudgetedDraft[]): Promise<Places> {
  const uses = await usesOf(tx, drafts)
  const refused: Places['refused'] = new Map()
  const reached = new Map<BudgetUse, Places['reached'][number]>()
  for (const draft of drafts) {
    const mine = (draft.budgets ?? []).map((budget) => ({ budget, use: uses.get(nameOf(keyOf(draft, budget)))! }))
    const spent = mine.filter(({ budget, use }) => usedPercent(budget, use) >= 100)
    if (spent.length > 0) refused.set(draft, spentProblem(spent, draft.at))
    else for (const { use } of mine) use.messages++
    for (const { budget, use } of mine) {
      const percent = toldParts.find((part) => usedPercent(budget, use) >= part) ?? 0
      if (percent > use.told) reached.set(use, { ...keyOf(draft, budget), at: draft.at, percent })
    }
  }
  return { refused, reached: [...reached.values()] }
}

/** What each budget of a group has let pass on the day, by its name. */
async function usesOf(tx: Tx, drafts: readonly BudgetedDraft[]): Promise<Map<string, BudgetUse>> {
  const asked = new Map<string, AskedBudget>()
  for (const draft of drafts) {
    for (const budget of draft.budgets ?? []) {
      const { countries, money } = budget
      const key = keyOf(draft, budget)
      asked.set(nameOf(key), { ...key, countries, money })
    }
  }
  const held = await holdBudgets(tx, [...asked.values()])
  return new Map([...asked.keys()].map((name, place) => [name, { ...held[place]! }]))
}

function spentProblem(spent: readonly { budget: Budget }[], at: Date): Problem<'budget_spent'> {
  const until = new Date(budgetDayOf(at).getTime() + dayMs).toISOString()
  const details = spent.map(({ budget: { id } }) => ({
    field: `budget:${id}`,
    code: 'spent' as const,
    message: `the budget ${id} is spent until ${until}`,
  }))
  return new Problem('budget_spent', { details })
}

function keysOf(draft: BudgetedDraft): (BudgetKey & { id: string })[] {
  return (draft.budgets ?? []).map((budget) => ({ ...keyOf(draft, budget), id: draft.id }))
}

function keyOf({ accountId, mode, at }: BudgetedDraft, { id }: Budget): BudgetKey {
  return { accountId, mode, day: budgetDayOf(at), budget: id }
}

function nameOf({ accountId, mode, day, budget }: BudgetKey): string {
  return `${accountId} ${mode} ${day.getTime()} ${budget}`
}
