/** Sends within the budgets of an account: what goes over one is refused until its day is over. */
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
import { budgetDayOf, dayMs, toldParts, usedPercent } from './budgetUse.ts'

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
 * @returns for the others Problem `budget_spent`
 */
export type WithinBudgets = <Draft extends BudgetedDraft, Outcome>(
  tx: Tx,
  drafts: Draft[],
  work: (some: Draft[]) => Promise<Outcome[]>,
) => Promise<(Outcome | Problem<'budget_spent'>)[]>

export function createWithinBudgets({ events }: { events: Pick<Events, 'tellBudgets'> }): WithinBudgets {
  return async (tx, drafts, work) => {
    if (drafts.every((draft) => budgetsOf(draft).length === 0)) return work(drafts)
    const { refused, reached } = await takePlaces(tx, drafts)
    countOnBudgets(tx, drafts.filter((one) => !refused.has(one)).flatMap(keysOf))
    noteTold(tx, reached)
    events.tellBudgets(tx, reached)
    return workOnOthers(drafts, refused, work)
  }
}

/** Those that a message is within. */
function budgetsOf({ inForce, country }: BudgetedDraft): Budget[] {
  return inForce.budgets.filter((one) => isWithin(one, country))
}

interface Places {
  /** Those without a place. */
  refused: Map<BudgetedDraft, Problem<'budget_spent'>>
  /** What the account is to be told of its budgets, and was not told on that day. */
  reached: (BudgetKey & ReachedBudget)[]
}

/** Takes hold of the budgets of a group, and gives what is left of them to its drafts in their order. */
async function takePlaces(tx: Tx, drafts: readonly BudgetedDraft[]): Promise<Places> {
  const uses = await usesOf(tx, drafts)
  const refused: Places['refused'] = new Map()
  const reached = new Map<BudgetUse, Places['reached'][number]>()
  for (const draft of drafts) {
    const mine = budgetsOf(draft).map((budget) => ({ budget, use: uses.get(nameOf(keyOf(draft, budget)))! }))
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
    for (const budget of budgetsOf(draft)) {
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
  return budgetsOf(draft).map((budget) => ({ ...keyOf(draft, budget), id: draft.id }))
}

function keyOf({ accountId, mode, at }: BudgetedDraft, { id }: Budget): BudgetKey {
  return { accountId, mode, day: budgetDayOf(at), budget: id }
}

function nameOf({ accountId, mode, day, budget }: BudgetKey): string {
  return `${accountId} ${mode} ${day.getTime()} ${budget}`
}
