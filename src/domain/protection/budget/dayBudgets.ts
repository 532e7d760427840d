/** Sends within the budgets of an account: what goes over one is refused until its day is over. */
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../kit/problem.ts'
import type { Reader, Tx } from '../../../store/engine/session.ts'
import type { Step } from '../../../store/engine/step.ts'
import {
  type AskedBudget,
  type BudgetKey,
  type BudgetUse,
  countOnBudgets,
  findBudgetUses,
  holdBudgets,
  noteTold,
} from '../../../store/protection/budget.ts'
import {
  type BudgetedDraft as AnyBudgetedDraft,
  type PreviewedDraft as AnyPreviewedDraft,
  isRefused,
  type SendBudgets,
} from '../../sending/protection.ts'
import type { Events, ReachedBudget } from '../../webhooks/event.ts'
import type { RulesInForce } from '../known.ts'
import { type Budget, isWithin } from './budget.ts'
import { budgetDayOf, dayMs, findBudgets, toldParts, usedPercent } from './budgetUse.ts'

/** What the process of a send knew of the budgets when it came. */
type InForce = { inForce: Pick<RulesInForce, 'budgets'> }
type BudgetedDraft = AnyBudgetedDraft & InForce
/** One that is made or only looked at. */
type AnyDraft = AnyPreviewedDraft & InForce

export interface BudgetParts {
  events: Pick<Events, 'tellBudgets'>
}

export function createBudgets(parts: BudgetParts): SendBudgets {
  return { isWithinAny, findSpent, steps: () => createBudgetSteps(parts) }
}

function isWithinAny({ inForce, country }: BudgetedDraft): boolean {
  return inForce.budgets.some((one) => isWithin(one, country))
}

async function findSpent(reader: Reader, list: readonly AnyDraft[]): Promise<(Problem<'budget_spent'> | undefined)[]> {
  const uses = await useAll(list, (asked) => findBudgetUses(reader, asked))
  return list.map((draft) => findProblem(uses, draft))
}

function createBudgetSteps({ events }: BudgetParts): ReturnType<SendBudgets['steps']> {
  let drafts: readonly BudgetedDraft[] = []
  let held: HeldBudgets
  let mayChange = false

  const hold: Step<BudgetedDraft, Problem<'budget_spent'>> = {
    isNeeded: (group) => group.open().some((one) => isWithinAny(one) && !isRefused(one)),
    run: async (tx, group) => {
      drafts = group.open().filter((one) => !isRefused(one))
      held = await useAll(drafts, (asked) => holdBudgets(tx, asked))
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
function budgetsOf({ inForce, country }: AnyDraft): Budget[] {
  return inForce.budgets.filter((one) => isWithin(one, country))
}

/** The budgets of a group by their names, as they were before it. */
type HeldBudgets<Use = Readonly<BudgetUse>> = ReadonlyMap<string, Use>

/** Gives what is left of the budgets of a group to its drafts in their order. @returns those without a place */
function findRefused(
  held: HeldBudgets,
  drafts: readonly BudgetedDraft[],
): ReadonlyMap<BudgetedDraft, Problem<'budget_spent'>> {
  const uses = copyOf(held)
  const refused = new Map<BudgetedDraft, Problem<'budget_spent'>>()
  for (const draft of drafts) {
    const problem = findProblem(uses, draft)
    if (problem) refused.set(draft, problem)
    else for (const { use } of usesOf(uses, draft)) use.messages++
  }
  return refused
}

function findProblem(uses: HeldBudgets, draft: AnyDraft): Problem<'budget_spent'> | undefined {
  const spent = usesOf(uses, draft).filter(({ budget, use }) => usedPercent(budget, use) >= 100)
  return spent.length > 0 ? spentProblem(spent, draft.at) : undefined
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

function usesOf<Use>(uses: HeldBudgets<Use>, draft: AnyDraft): { budget: Budget; use: Use }[] {
  return budgetsOf(draft).map((budget) => ({ budget, use: uses.get(nameOf(keyOf(draft, budget)))! }))
}

/** Finds each budget of a group once. */
async function useAll(
  drafts: readonly AnyDraft[],
  find: (asked: readonly AskedBudget[]) => Promise<BudgetUse[]>,
): Promise<HeldBudgets> {
  const asked = new Map<string, AskedBudget>()
  for (const draft of drafts) {
    for (const budget of budgetsOf(draft)) {
      const { countries, money } = budget
      const key = keyOf(draft, budget)
      asked.set(nameOf(key), { ...key, countries, money })
    }
  }
  if (asked.size === 0) return new Map()
  const held = await find([...asked.values()])
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

function keyOf({ accountId, mode, at }: AnyDraft, { id }: Budget): BudgetKey {
  return { accountId, mode, day: budgetDayOf(at), budget: id }
}

function nameOf({ accountId, mode, day, budget }: BudgetKey): string {
  return `${accountId} ${mode} ${day.getTime()} ${budget}`
}
