/** Sends within the budgets of an account: what goes over one is refused until its day is over. */
import { isDeepStrictEqual } from 'node:util'
import { workOnOthers } from '../../../kit/others.ts'
import { Problem } from '../../../kit/problem.ts'
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
import type { Events, ReachedBudget } from '../../webhooks/event.ts'
import type { RulesInForce } from '../known.ts'
import { type Budget, isWithin } from './budget.ts'
import { budgetDayOf, dayMs, findBudgets, toldParts, usedPercent } from './budgetUse.ts'

/** A message that is about to be made. */
export interface BudgetedDraft {
  accountId: string
  mode: Mode
  id: string
  at: Date
  /** Undefined for a number of no country. */
  country?: string | undefined
  /** As its process knew them when it came. */
  inForce: Pick<RulesInForce, 'budgets'>
}

/**
 * Works on those of a group that the budgets have room for. Only those that are made count.
 *
 * @param work in the transaction that it is given
 * @returns for the others Problem `budget_spent`
 */
export type WithinBudgets = <Draft extends BudgetedDraft, Outcome>(
  tx: Tx,
  drafts: Draft[],
  work: (tx: Tx, some: Draft[]) => Promise<Outcome[]>,
) => Promise<(Outcome | Problem<'budget_spent'>)[]>

export function createWithinBudgets({ events }: { events: Pick<Events, 'tellBudgets'> }): WithinBudgets {
  return async (tx, drafts, work) => {
    if (drafts.every((draft) => budgetsOf(draft).length === 0)) return work(tx, drafts)
    const held = await holdAll(tx, drafts)
    const refused = refusedOf(held, drafts)
    countOnBudgets(tx, drafts.filter((one) => !refused.has(one)).flatMap(keysOf))
    const changedWith = (isMade: (place: number) => boolean) => changedOf(held, drafts, isMade)
    if (changedWith((place) => !refused.has(drafts[place]!)).length === 0)
      return workOnOthers(drafts, refused, (some) => work(tx, some))
    // A limit of its phone may still forbid one, which then reaches nothing: what is made is known before the commit here.
    const outcomes = await workOnOthers(drafts, refused, (some) => work({ ...tx, runLast: tx.run }, some))
    const changed = changedWith((place) => !(outcomes[place] instanceof Problem))
    const known = await inForceOf(tx, changed)
    noteTold(tx, known)
    const reached = known.filter(({ isReached }) => isReached)
    events.tellBudgets(tx, reached)
    return outcomes
  }
}

/**
 * What is within a budget shares transactions with nothing else: it may have to wait until another process lets go of the budget,
 * and one that stands still holds it until the database ends it.
 *
 * @param shareOf makes one that shares them
 */
export function apartWithinBudgets<Draft extends BudgetedDraft, Outcome>(
  shareOf: () => (draft: Draft) => Promise<Outcome>,
): (draft: Draft) => Promise<Outcome> {
  const [within, without] = [shareOf(), shareOf()]
  return (draft) => (budgetsOf(draft).length > 0 ? within : without)(draft)
}

/** Those that a message is within. */
function budgetsOf({ inForce, country }: BudgetedDraft): Budget[] {
  return inForce.budgets.filter((one) => isWithin(one, country))
}

/** The budgets of a group by their names, as they were before it. */
type HeldBudgets = ReadonlyMap<string, Readonly<BudgetUse>>

/** Gives what is left of the budgets of a group to its drafts in their order. @returns those without a place */
function refusedOf<Draft extends BudgetedDraft>(
  held: HeldBudgets,
  drafts: readonly Draft[],
): Map<Draft, Problem<'budget_spent'>> {
  const uses = copyOf(held)
  const refused = new Map<Draft, Problem<'budget_spent'>>()
  for (const draft of drafts) {
    const mine = usesOf(uses, draft)
    const spent = mine.filter(({ budget, use }) => usedPercent(budget, use) >= 100)
    if (spent.length > 0) refused.set(draft, spentProblem(spent, draft.at))
    else for (const { use } of mine) use.messages++
  }
  return refused
}

/** A budget of which another part is used than was told. */
interface ChangedBudget extends BudgetKey, ReachedBudget {
  /** As the process knows it. */
  known: Budget
  /** To be told. Otherwise less of it is used, because it was raised. */
  isReached: boolean
}

function changedOf(
  held: HeldBudgets,
  drafts: readonly BudgetedDraft[],
  isMade: (place: number) => boolean,
): ChangedBudget[] {
  const uses = copyOf(held)
  const [before, changed] = [new Map<BudgetUse, number>(), new Map<BudgetUse, ChangedBudget>()]
  for (const [place, draft] of drafts.entries()) {
    for (const { budget, use } of usesOf(uses, draft)) {
      const told = before.get(use) ?? Math.min(use.told, usedPart(budget, use))
      before.set(use, told)
      if (isMade(place)) use.messages++
      const percent = usedPart(budget, use)
      const isReached = percent > told
      if (isReached || percent < use.told)
        changed.set(use, { ...keyOf(draft, budget), at: draft.at, percent, known: budget, isReached })
      else changed.delete(use)
    }
  }
  return [...changed.values()]
}

function usedPart(budget: Budget, use: BudgetUse): number {
  return toldParts.find((part) => usedPercent(budget, use) >= part) ?? 0
}

/**
 * Those that are in the database as they are known here. While an account changes one, processes know it as it was, or as it is, for
 * some seconds: by turns, they would tell of it with every send.
 */
async function inForceOf(tx: Tx, list: readonly ChangedBudget[]): Promise<ChangedBudget[]> {
  if (list.length === 0) return []
  const accountIds = list.map(({ accountId }) => accountId)
  const inForce = await findBudgets(tx, accountIds)
  return list.filter(({ known }, place) => inForce[place]!.some((one) => isDeepStrictEqual(one, known)))
}

function copyOf(held: HeldBudgets): Map<string, BudgetUse> {
  return new Map([...held].map(([name, use]) => [name, { ...use }]))
}

function usesOf(uses: ReadonlyMap<string, BudgetUse>, draft: BudgetedDraft): { budget: Budget; use: BudgetUse }[] {
  return budgetsOf(draft).map((budget) => ({ budget, use: uses.get(nameOf(keyOf(draft, budget)))! }))
}

/** Takes hold of the budgets of a group. */
async function holdAll(tx: Tx, drafts: readonly BudgetedDraft[]): Promise<HeldBudgets> {
  const asked = new Map<string, AskedBudget>()
  for (const draft of drafts) {
    for (const budget of budgetsOf(draft)) {
      const { countries, money } = budget
      const key = keyOf(draft, budget)
      asked.set(nameOf(key), { ...key, countries, money })
    }
  }
  const held = await holdBudgets(tx, [...asked.values()])
  return new Map([...asked.keys()].map((name, place) => [name, held[place]!]))
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
  return budgetsOf(draft).map((budget) => ({ ...keyOf(draft, budget), id: draft.id }))
}

function keyOf({ accountId, mode, at }: BudgetedDraft, { id }: Budget): BudgetKey {
  return { accountId, mode, day: budgetDayOf(at), budget: id }
}

function nameOf({ accountId, mode, day, budget }: BudgetKey): string {
  return `${accountId} ${mode} ${day.getTime()} ${budget}`
}
