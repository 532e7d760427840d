/** Counts what happens to messages and verifications once it is committed, whoever listens. */
import type { Decided, Events } from '../domain/webhooks/event.ts'
import type { Moved } from '../store/sending/change.ts'

export interface CountParts {
  /** For metrics. */
  onMoved: (moved: Moved) => void
  onDecided: (decided: Decided) => void
}

export function countedEvents(events: Events, { onMoved, onDecided }: CountParts): Events {
  return {
    ...events,
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
