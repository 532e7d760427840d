/** Counts what happens to messages and verifications once it is committed, whoever listens. */
import type { Decided, Events, ReachedBudget } from '../domain/webhooks/event.ts'
import type { KeptFinding } from '../store/schema/schema.ts'
import type { Moved } from '../store/sending/change.ts'

export interface CountParts {
  /** For metrics. */
  onMoved: (moved: Moved) => void
  onDecided: (decided: Decided) => void
  /** What a rule found of a send. */
  onFound: (finding: KeptFinding) => void
  onBudget: (reached: ReachedBudget) => void
}

export function countedEvents(events: Events, { onMoved, onDecided, onFound, onBudget }: CountParts): Events {
  const noteFound: Events['noteFound'] = (findings) => findings.forEach((one) => void onFound(one))
  return {
    ...events,
    noteFound,
    tellRefused: (tx, list) => {
      events.tellRefused(tx, list)
      if (list.length > 0) tx.afterCommit(() => list.forEach(({ findings }) => void noteFound(findings)))
    },
    tellBudgets: (tx, list) => {
      events.tellBudgets(tx, list)
      if (list.length > 0) tx.afterCommit(() => list.forEach((one) => void onBudget(one)))
    },
    tellMoves: (tx, moved) => {
      events.tellMoves(tx, moved)
      if (moved.length > 0) tx.afterCommit(() => moved.forEach((one) => void onMoved(one)))
    },
    tellDecided: (tx, list) => {
      events.tellDecided(tx, list)
      if (list.length > 0) tx.afterCommit(() => list.forEach((one) => void onDecided(one)))
    },
  }
}
