/** Events: what an account's endpoints are told of what happened, written in the transaction in which it does. */
import type { EventOf, EventType } from '../contract/event.ts'
import type { Runtime } from '../runtime.ts'
import type { Moved } from '../store/change.ts'
import type { DisabledEndpoint } from '../store/endpointRun.ts'
import { insertEvents, type NewEvent } from '../store/event.ts'
import type { MessageStatus, Mode } from '../store/schema.ts'
import type { Tx } from '../store/session.ts'
import { deliveryErrors } from './status.ts'

export interface Audience {
  accountId: string
  mode: Mode
}

/** What a process knows of who listens, at most five seconds behind the database. */
export interface Listeners {
  /** Whether some endpoint may want that type; true where nothing is known of the account. Asks nobody. */
  mayWant: (audience: Audience, type: EventType) => boolean
  /** @throws when the database is out of reach */
  isAny: (audience: Audience) => Promise<boolean>
}

/** A verification that was decided by a check. */
export interface Decided extends Audience {
  id: string
  /** Of its message. */
  status: MessageStatus
  at: Date
  verified: boolean
}

/** Each goes with the commit, and costs nothing where nobody listens. */
export interface Events {
  /** Whether endpoints are to be told how a verification ends that begins now. @throws when the database is out of reach */
  isAwaited: (audience: Audience) => Promise<boolean>
  tellMoves: (tx: Tx, moved: readonly Moved[]) => void
  tellDecided: (tx: Tx, list: readonly Decided[]) => void
  /** To the other endpoints of each account. */
  tellDisabled: (tx: Tx, list: readonly DisabledEndpoint[]) => void
}

export interface EventParts {
  listeners: Listeners
  runtime: Pick<Runtime, 'now' | 'newId'>
  /** Called when events are there to be sent. */
  onTold: () => void
  /** What is wrong with the body of an event; not in production. */
  check?: ((body: string) => string[]) | undefined
}

/** What happened, as its event tells it. */
type Told = { [Type in EventType]: { type: Type; data: EventOf<Type>['data'] } }[EventType]

interface Happened extends Audience {
  at: Date
  told: Told
  /** The endpoint that it is about, which is not told of itself. */
  except?: string
}

export function createEvents({ listeners, runtime, onTold, check }: EventParts): Events {
  const tell = (tx: Tx, list: readonly Happened[]): void => {
    const wanted = list.filter((one) => listeners.mayWant(one, one.told.type))
    if (wanted.length === 0) return
    insertEvents(tx, wanted.map(eventOf))
    tx.afterCommit(onTold)
  }

  /** Its body is made here, once. */
  function eventOf({ accountId, mode, at, told: { type, data }, except }: Happened): NewEvent {
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
    const faults = check?.(body) ?? []
    if (faults.length > 0) throw new Error(`the event ${type} is not as documented: ${faults.join(', ')}`)
    const messageId = 'request_id' in data ? data.request_id : undefined
    return { accountId, id: `evt_${runtime.newId()}`, mode, type, body, at: runtime.now(), messageId, except }
  }

  return {
    isAwaited: listeners.isAny,
    tellMoves: (tx, moved) => tell(tx, moved.flatMap(ofMove)),
    tellDecided: (tx, list) => tell(tx, list.map(ofDecided)),
    tellDisabled: (tx, list) => tell(tx, list.map(ofDisabled)),
  }
}

function ofMove(moved: Moved): Happened[] {
  const { accountId, mode, at, id, kind, to: status, connection, isFirstTaken, isAwaitedEnd } = moved
  const told: Told[] = []
  const about = { request_id: id, kind, status, mode }
  if (connection !== null) {
    const data = { ...about, channel: connection }
    if (isFirstTaken) told.push({ type: 'message.sent', data })
    if (moved.from !== status && status === 'delivered') told.push({ type: 'message.delivered', data })
    if (moved.from !== status && status === 'read') told.push({ type: 'message.read', data })
  }
  if (moved.from !== status && status === 'failed') told.push({ type: 'message.failed', data: failureOf(moved) })
  if (isAwaitedEnd) told.push(endOf(moved))
  return told.map((one) => ({ accountId, mode, at, told: one }))
}

function failureOf({ id, kind, to: status, mode, connection, errorCode }: Moved): EventOf<'message.failed'>['data'] {
  const code = errorCode ?? 'not_delivered'
  const error = { code, message: deliveryErrors[code] }
  return { request_id: id, kind, status, mode, ...(connection !== null && { channel: connection }), error }
}

/** Only verifications have an end that is awaited. One whose message failed before, as replaced, runs out. */
function endOf({ id, from, to: status, mode }: Moved): Told {
  const data = { request_id: id, kind: 'verification', status, mode } as const
  if (status !== 'failed' || from === status) return { type: 'verification.expired', data }
  return { type: 'verification.failed', data: { ...data, reason: 'not_delivered' } }
}

function ofDecided({ accountId, mode, at, id, status, verified }: Decided): Happened {
  const data = { request_id: id, kind: 'verification', status, mode } as const
  if (verified) return { accountId, mode, at, told: { type: 'verification.verified', data } }
  const told = { type: 'verification.failed', data: { ...data, reason: 'attempts_exhausted' } } as const
  return { accountId, mode, at, told }
}

function ofDisabled({ accountId, id, mode, reason, at }: DisabledEndpoint): Happened {
  const told = { type: 'endpoint.disabled', data: { endpoint_id: id, reason, mode } } as const
  return { accountId, mode, at, told, except: id }
}
