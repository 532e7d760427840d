/** Notifications for later: when one may go, and how one is cancelled before that. */
import { Problem } from '../../../kit/problem.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import type { MessageStatus, Mode } from '../../../store/schema/schema.ts'
import { findMessages, type MessageKey } from '../../../store/sending/message.ts'
import { insertScheduled, takeScheduled } from '../../../store/sending/scheduled.ts'
import { endCancelled } from '../cancellation.ts'
import type { Idempotency, Keyed } from '../idempotency.ts'
import type { Move } from '../message.ts'
import { stateAt } from '../status.ts'
import { type NewNotification, type SentNotification, sentOf } from './sentNotification.ts'

/** What is sent a moment late means now: clocks differ, and requests take their time. */
const lateMaxMs = 60_000
const aheadMaxDays = 30
const dayMs = 86_400_000

/**
 * When a notification is to go, as its request has it; undefined for now.
 *
 * @param keptDays days for which messages are kept: one that is erased before its time never goes
 */
export function readSendAt(
  text: string | undefined,
  now: Date,
  keptDays: number,
): Date | undefined | Problem<'invalid_request'> {
  if (text === undefined) return undefined
  const sendAt = new Date(text)
  const aheadMs = sendAt.getTime() - now.getTime()
  const daysMax = Math.min(aheadMaxDays, keptDays - 1)
  if (Number.isNaN(aheadMs)) return faultOf('wrong_format', 'must be a date and time, like 2026-11-28T08:00:00Z')
  if (aheadMs < -lateMaxMs) return faultOf('too_small', 'must not be more than a minute in the past')
  if (aheadMs > daysMax * dayMs) return faultOf('too_large', `must be at most ${daysMax} days ahead`)
  return aheadMs > 0 ? sendAt : undefined
}

function faultOf(code: 'wrong_format' | 'too_small' | 'too_large', message: string): Problem<'invalid_request'> {
  return new Problem('invalid_request', { details: [{ field: '/send_at', code, message }] })
}

/** Makes messages that wait for their time: no limit counts them yet. */
export function insertForLater<Draft>(messages: ReadonlyMap<Draft, NewNotification>): Step<Draft, SentNotification> {
  return {
    isNeeded: isAnyOpen,
    run: (tx, group) => {
      insertScheduled(tx, [...messages.values()])
      for (const [draft, message] of messages) group.decide(draft, sentOf(message))
    },
  }
}

export interface CancelledNotification {
  id: string
  /** False when its time had come, or it was cancelled before. */
  cancelled: boolean
  status: MessageStatus
}

type Cancelling = MessageKey & Keyed & { mode: Mode; at: Date }
export type CancelOutcome = CancelledNotification | Problem<'message_not_found'>

/** The worker takes what is due by the same row: one of them has it. */
export function createCancelScheduled({ idempotency, move }: { idempotency: Idempotency; move: Move }) {
  return idempotency.share<Cancelling, CancelOutcome>({
    conflictOf: ({ accountId, mode, id }) => `${accountId} ${mode} ${id}`,
    ownerOf: ({ accountId }) => accountId,
    steps: () => {
      const { claimKeys, keepAnswers } = idempotency.steps()
      return [claimKeys, cancelScheduled(move), keepAnswers]
    },
  })
}

function cancelScheduled(move: Move): Step<Cancelling, CancelOutcome> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const drafts = group.open()
      const taken = await endCancelled(tx, move, drafts, await takeScheduled(tx, drafts))
      const found = await findMessages(tx, drafts)
      for (const [place, draft] of drafts.entries()) {
        const message = found[place]
        group.decide(
          draft,
          message?.kind === 'notification'
            ? { id: draft.id, cancelled: taken.has(draft), status: stateAt(message, draft.at).status }
            : new Problem('message_not_found'),
        )
      }
    },
  }
}
