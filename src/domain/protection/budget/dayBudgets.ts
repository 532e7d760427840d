/** Sends within the budgets of an account: what goes over one is refused until its day is over. */
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../kit/problem.ts'
import type { Tx } from '../../../store/engine/session.ts'
import type { Step } from '../../../store/engine/step.ts'
import {
  type AskedBudget,
  type BudgetKey,
  type BudgetUse,
  countOnBudgets,
  holdBudgets,
  noteTold,
} from '../../../store/protection/budget.ts'
import { type BudgetedDraft as AnyBudgetedDraft, isRefused, type SendBudgets } from '../../sending/protection.ts'
import type { Events, ReachedBudget } from '../../webhooks/event.ts'
import type { RulesInForce } from '../known.ts'
import { type Budget, isWithin } from './budget.ts'
import { budgetDayOf, dayMs, findBudgets, toldParts, usedPercent } from './budgetUse.ts'

/** As sends know it, with what its process knew of the budgets when it came. */
type BudgetedDraft = AnyBudgetedDraft & { inForce: Pick<RulesInForce, 'budgets'> }

export interface BudgetParts {
  events: Pick<Events, 'tellBudgets'>
}

export function createBudgets(parts: BudgetParts): SendBudgets {
  return { isWithinAny, steps: () => createBudgetSteps(parts) }
}

function isWithinAny({ inForce, country }: BudgetedDraft): boolean {
  return inForce.budgets.some((one) => isWithin(one, country))
}

function createBudgetSteps({ events }: BudgetParts): ReturnType<SendBudgets['steps']> {
  let drafts: readonly BudgetedDraft[] = []
  let held: HeldBudgets
  let mayChange = false

  const hold: Step<BudgetedDraft, Problem<'budget_spent'>> = {
    isNeeded: (group) => group.open().some((one) => isWithinAny(one) && !isRefused(one)),
    run: async (tx, group) => {
      drafts = group.open().filter((one) => !isRefused(one))
      held = await holdAll(tx, drafts)
      const spent = findRefused(held, drafts)
      for (const [draft, problem] of spent) group.decide(draft, problem)
      const hasRoom = (one: BudgetedDraft) => !spent.has(one)
      // Only those that are made count.
      countOnBudgets(tx, drafts.filter(hasRoom).flatMap(keysOf))
      mayChange = findChanged(held, drafts, hasRoom).length > 0
    },
  }

  const tell: Step<BudgetedDraft, never> = {
    isNeeded: () => mayChange,
    run: async (tx, group) => {
      // A limit of its phone may have forbidden one, which then reaches nothing.
      const isMade = (one: BudgetedDraft) => !(group.outcomeOf(one) instanceof Problem)
      const known = await findInForce(tx, findChanged(held, drafts, isMade))
      noteTold(tx, known)
      events.tellBudgets(
        tx,
        known.filter(({ isReached }) => isReached),
      )
    },
  }

  return { holdBudgets: hold, tellBudgets: tell }
}

/** Those that a message is within. */
function budgetsOf({ inForce, country }: BudgetedDraft): Budget[] {
  return inForce.budgets.filter((one) => isWithin(one, country))
}

/** The budgets of a group by their names, as they were before it. */
type HeldBudgets = ReadonlyMap<string, Readonly<BudgetUse>>

/** Gives what is left of the budgets of a group to its drafts in their order. @returns those without a place */
function findRefused(
  held: HeldBudgets,
  drafts: readonly BudgetedDraft[],
): ReadonlyMap<BudgetedDraft, Problem<'budget_spent'>> {
  const uses = copyOf(held)
  const refused = new Map<BudgetedDraft, Problem<'budget_spent'>>()
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

function findChanged(
  held: HeldBudgets,
  drafts: readonly BudgetedDraft[],
  isMade: (draft: BudgetedDraft) => boolean,
): ChangedBudget[] {
  const uses = copyOf(held)
  const [before, changed] = [new Map<BudgetUse, number>(), new Map<BudgetUse, ChangedBudget>()]
  for (const draft of drafts) {
    for (const { budget, use } of usesOf(uses, draft)) {
      const told = before.get(use) ?? Math.min(use.told, usedPart(budget, use))
      before.set(use, told)
      if (isMade(draft)) use.messages++
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
async function findInForce(tx: Tx, list: readonly ChangedBudget[]): Promise<ChangedBudget[]> {
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
