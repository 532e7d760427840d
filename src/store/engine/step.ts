/** The work of a group as a list of steps, in one transaction: read from top to bottom, it is the order of locks and of reasons. */
import type { Tx } from './session.ts'

/** The drafts of one transaction, with what is decided of each. */
export interface Group<Draft, Outcome> {
  /** All of them, in the order in which they came. */
  readonly drafts: readonly Draft[]
  /** Those that are not decided yet, in the same order. */
  open(): readonly Draft[]
  decide(draft: Draft, outcome: Outcome): void
  /** Undefined while it is open. */
  outcomeOf(draft: Draft): unknown
}

/** One thing that a group does. A step calls no other step, and may know no more of a draft than it needs. */
export interface Step<Draft, Outcome> {
  /** Whether it has something to do, as the group stands. Asked before it runs, and before each step that may end the transaction. */
  isNeeded(group: Group<Draft, Outcome>): boolean
  run(tx: Tx, group: Group<Draft, Outcome>): Promise<void> | void
}

/**
 * Runs the steps that are needed. Where no later one is, a step may end the transaction by `runLast`; for all others, `runLast` is a
 * statement like any other.
 *
 * @param steps made for this group: what one step finds out, a later one may use
 * @returns what was decided of each draft, in their order
 */
export async function runSteps<Draft, Outcome>(
  tx: Tx,
  drafts: readonly Draft[],
  steps: readonly Step<Draft, Outcome>[],
): Promise<Outcome[]> {
  const group = createGroup<Draft, Outcome>(drafts)
  const unfinished: Tx = { ...tx, runLast: tx.run }
  for (const [place, step] of steps.entries()) {
    if (!step.isNeeded(group)) continue
    const isLast = !steps.some((later, at) => at > place && later.isNeeded(group))
    await step.run(isLast ? tx : unfinished, group)
  }
  if (group.open().length > 0) throw new Error('a step is missing: not all drafts of a group were decided')
  return drafts.map((draft) => group.outcomeOf(draft) as Outcome)
}

/** For steps that are about whatever is not decided yet. */
export function isAnyOpen(group: Pick<Group<unknown, unknown>, 'open'>): boolean {
  return group.open().length > 0
}

function createGroup<Draft, Outcome>(drafts: readonly Draft[]): Group<Draft, Outcome> {
  const outcomes = new Map<Draft, Outcome>()
  return {
    drafts,
    open: () => (outcomes.size === 0 ? drafts : drafts.filter((draft) => !outcomes.has(draft))),
    decide: (draft, outcome) => void outcomes.set(draft, outcome),
    outcomeOf: (draft) => outcomes.get(draft),
  }
}
