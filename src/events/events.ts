/** Puts events together: what is told of what happens, and the loop that brings it to endpoints. */
import type { Endpoints } from '../domain/webhooks/endpoint.ts'
import { createEvents, type EventParts, type Events } from '../domain/webhooks/event.ts'
import { createAlarm } from '../kit/loop.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { AddressGuard } from '../outbound/address.ts'
import { createClient } from '../outbound/client.ts'
import type { Commit } from '../store/engine/commit.ts'
import { traceMessages } from '../store/sending/trace.ts'
import { type ClaimedEvent, findWaiting } from '../store/webhooks/event.ts'
import { createClaims } from './claim.ts'
import { type CountParts, countedEvents } from './count.ts'
import { createKnownEndpoints } from './listeners.ts'
import { createLoop, createWake, type Loop, type LoopParts } from './loop.ts'
import { createEndpointPlaces, paceOf, placesMax } from './places.ts'
import { createPublish } from './publish.ts'
import { createSettle, type SettleParts } from './settle.ts'

export interface EventServiceParts
  extends Pick<SettleParts, 'onAttempt' | 'onDisabled'>,
    Pick<EventParts, 'check' | 'recipientOf'>,
    CountParts {
  commit: Commit
  endpoints: Pick<Endpoints, 'openSecrets' | 'recordOutcomes'>
  /** Where events may go. */
  guard: AddressGuard
  runtime: Runtime
  /** Milliseconds that an endpoint has to answer; 15,000 when left out. */
  answerMs?: number | undefined
}

export interface EventService {
  events: Events
  loop: Loop
  /** How many are due for endpoints that are enabled; of each endpoint, and of endpoints, a thousand are counted. */
  countDue: () => Promise<number>
  /** Looks again who listens, and what is due: this process has changed the endpoints of the account. */
  forget: (accountId: string) => void
}

const standardAnswerMs = 15_000
/** Of these, for the connection. */
const connectMs = 10_000
/** Milliseconds for the body of an answer, whose status says all. */
const bodyMs = 1000
const answerBytesMax = 2048
/** Milliseconds that a process which is to stop waits for answers. */
const patienceMs = 8000
const countedMax = 1000

export function createEventService(parts: EventServiceParts): EventService {
  const { commit, runtime, recipientOf, check } = parts
  const listeners = createKnownEndpoints({ commit, runtime })
  const places = createEndpointPlaces({ max: placesMax, runtime })
  const claims = createClaims({ commit, places, runtime })
  const alarm = createAlarm()
  const events = countedEvents(
    createEvents({ listeners, runtime, recipientOf, check, onTold: createWake({ claims, alarm }) }),
    parts,
  )
  const loop = createSending(parts, { events, places, claims, alarm })
  return {
    events,
    loop,
    forget: (accountId) => {
      listeners.forget(accountId)
      loop.wake()
    },
    countDue: async () => {
      const dueMax = { ofQuick: countedMax, ofOthers: countedMax }
      const look = { after: undefined, now: runtime.now(), dueMax, endpointsMax: countedMax }
      const waiting = await findWaiting(commit.reader, look)
      return waiting.reduce((sum, { due, isDisabled }) => (isDisabled ? sum : sum + due), 0)
    },
  }
}

function createSending(
  parts: EventServiceParts,
  { events, ...found }: { events: Events } & Pick<LoopParts, 'claims' | 'alarm' | 'places'>,
): Loop {
  const { endpoints, guard, runtime, answerMs = standardAnswerMs } = parts
  const client = createClient({
    connectMs: Math.min(connectMs, answerMs / 2),
    totalMs: answerMs,
    connectionsMax: placesMax.quick + placesMax.slow + placesMax.unknown,
    answerBytesMax,
    bodyMs,
    guard,
    now: runtime.now,
  })
  const publish = createPublish({ client, secretsOf: endpoints.openSecrets, runtime })
  const settle = createSettle({ ...parts, events, log: runtime.log })
  const loop = createLoop({
    ...found,
    send: (delivery) =>
      inTraceOf(parts, delivery, async () => {
        const attempt = await publish(delivery)
        if (!attempt) return undefined
        await settle(delivery, attempt)
        return attempt.isOurs ? undefined : paceOf(attempt)
      }),
    log: runtime.log,
  })
  return {
    ...loop,
    stop: async () => {
      // What is called off is sent again by another process, when its claim runs out.
      const late = setTimeout(client.close, patienceMs)
      await loop.stop()
      clearTimeout(late)
      await client.close()
    },
  }
}

/** An event goes on in the trace of its message. */
async function inTraceOf<T>(
  { commit: { reader }, runtime: { tracing } }: Pick<EventServiceParts, 'commit' | 'runtime'>,
  { accountId, eventId, endpointId, body }: ClaimedEvent,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing.isOn) return work()
  const { type, data } = JSON.parse(body) as { type: string; data: { request_id?: string } }
  if (data.request_id === undefined) return work()
  const key = { accountId, id: data.request_id }
  const inTrace = await traceMessages({ reader, tracing }, [key])
  const attributes = { 'watchword.event': eventId, 'watchword.endpoint': endpointId, 'watchword.message': key.id }
  return inTrace(key, { name: `event ${type}`, kind: 'client', attributes }, work)
}
