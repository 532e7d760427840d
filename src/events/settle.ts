/** What follows of an attempt: it is kept, the event is over or tried again, and the endpoint is judged by it. */
import type { Endpoints } from '../domain/webhooks/endpoint.ts'
import type { Events } from '../domain/webhooks/event.ts'
import type { Log } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { DisabledEndpoint } from '../store/webhooks/endpointRun.ts'
import { type ClaimedEvent, type EventAttempt, settleAttempts } from '../store/webhooks/event.ts'
import { paceOf } from './places.ts'
import type { PublishResult } from './publish.ts'
import { secondsToNextAttempt } from './schedule.ts'

/** Settles attempts together with others of the moment. */
export type Settle = (delivery: ClaimedEvent, attempt: PublishResult) => Promise<void>

export interface SettleParts {
  commit: Commit
  endpoints: Pick<Endpoints, 'recordOutcomes'>
  events: Pick<Events, 'tellDisabled'>
  log: Log
  /** Told of every attempt; for metrics. */
  onAttempt: (attempt: { outcome: AttemptResult }) => void
  onDisabled: (endpoint: Pick<DisabledEndpoint, 'reason'>) => void
}

/** What came of an attempt: `given_up` is a failure after which the event is not tried any more. */
export type AttemptResult = 'delivered' | 'failed' | 'given_up' | 'gone'

interface Draft {
  delivery: ClaimedEvent
  attempt: PublishResult
}

export function createSettle({ commit, endpoints, events, log, onAttempt, onDisabled }: SettleParts): Settle {
  const submit = commit.share<Draft, undefined>({
    membersMax: 256,
    work: async (tx, drafts) => {
      settleAttempts(tx, drafts.map(toRow))
      const disabled = await endpoints.recordOutcomes(
        tx,
        drafts.filter(({ attempt }) => !attempt.isOurs).map(toOutcome),
      )
      events.tellDisabled(tx, disabled)
      tx.afterCommit(() => {
        for (const draft of drafts) tell(draft)
        for (const endpoint of disabled) tellDisabled(endpoint)
      })
      return drafts.map(() => undefined)
    },
  })
  return (delivery, attempt) => submit({ delivery, attempt })

  function tell({ delivery, attempt }: Draft): void {
    const { result, status, error, durationMs } = attempt
    const outcome =
      result === 'taken' ? 'delivered' : result === 'failed' && !findNext({ delivery, attempt }) ? 'given_up' : result
    onAttempt({ outcome })
    // Where it went is not said: a URL may hold a secret.
    const { eventId, endpointId, accountId: account } = delivery
    log.info({ event_id: eventId, endpoint: endpointId, account, outcome, status, error, ms: durationMs }, 'event')
  }

  function tellDisabled({ accountId: account, id: endpoint, reason }: DisabledEndpoint): void {
    onDisabled({ reason })
    log.error({ account, endpoint, reason }, 'an endpoint is disabled')
  }
}

function toRow(draft: Draft): EventAttempt {
  const { accountId, eventId, endpointId, leasedUntil } = draft.delivery
  const { at, status, error, durationMs, answer, result } = draft.attempt
  const dueAt = result === 'taken' ? null : findNext(draft)
  const state = result === 'taken' ? 'delivered' : dueAt ? 'due' : 'failed'
  return { accountId, eventId, endpointId, leasedUntil, at, status, error, durationMs, answer, state, dueAt }
}

/** When it is tried again; null: not any more. What an endpoint has refused that is gone, waits until somebody enables it. */
function findNext({ delivery: { eventId, attempts: before }, attempt }: Draft): Date | null {
  const { at, durationMs, result, isBusy, retryAfterSeconds } = attempt
  const attempts = result === 'gone' ? 1 : before + 1
  const seconds = secondsToNextAttempt({ eventId, attempts, isBusy, retryAfterSeconds })
  return seconds === undefined ? null : new Date(at.getTime() + durationMs + Math.round(seconds * 1000))
}

function toOutcome({ delivery: { accountId, endpointId: id }, attempt }: Draft) {
  const { at, result } = attempt
  return { accountId, id, at, result, pace: paceOf(attempt) }
}
