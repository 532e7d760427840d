/** How much of each budget of an account is used today. */
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Reader } from '../../../store/engine/session.ts'
import { type BudgetUse, findBudgetUses } from '../../../store/protection/budget.ts'
import { findProtections } from '../../../store/protection/list.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import { type Budget, budgetList } from './budget.ts'

export interface UsedBudget extends Pick<BudgetUse, 'messages' | 'spent'> {
  budget: Budget
  /** By messages or by money, whichever is more: at 100, sends are refused. */
  percent: number
}

export const dayMs = 86_400_000
/** Percent of a budget that an account is told of, the highest first. */
export const toldParts = [100, 80] as const

/** In the order of the file. @throws Forbidden */
export type FindUsedBudgets = (actor: Actor, of: { accountId: string; mode: Mode }) => Promise<UsedBudget[]>

export function createFindUsedBudgets({
  commit: { reader },
  runtime,
}: {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
}): FindUsedBudgets {
  return async (actor, of) => {
    requireRole(actor, 'viewer', of.accountId)
    return findUsedBudgets(reader, of, runtime.now())
  }
}

export async function findUsedBudgets(
  reader: Reader,
  of: { accountId: string; mode: Mode },
  now: Date,
): Promise<UsedBudget[]> {
  const [budgets = []] = await findBudgets(reader, [of.accountId])
  if (budgets.length === 0) return []
  const day = budgetDayOf(now)
  const asked = budgets.map(({ id, countries, money }) => ({ ...of, day, budget: id, countries, money }))
  const uses = await findBudgetUses(reader, asked)
  return budgets.map((budget, place) => {
    const use = uses[place]!
    return { budget, messages: use.messages, spent: use.spent, percent: usedPercent(budget, use) }
  })
}

/** Those in force, of each account. */
export async function findBudgets(reader: Reader, accountIds: readonly string[]): Promise<Budget[][]> {
  const found = await findProtections(reader, accountIds)
  // Those that another version has written, and this one cannot read, hold for no send here.
  return found.map((own) => budgetList.safeParse(own?.budgets ?? []).data ?? [])
}

/** The part that is used, by messages or by money: at 100, there is no place left. */
export function usedPercent({ messages }: Budget, use: Pick<BudgetUse, 'messages' | 'spentPercent'>): number {
  const ofMessages = messages === undefined ? 0 : Math.floor((100 * use.messages) / messages)
  return Math.max(ofMessages, use.spentPercent)
}

/** The beginning of its day, in UTC. */
export function budgetDayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs)
}
