/** Events: what an account's endpoints are told of what happened, written in the transaction in which it does. */
import type { EventOf, EventType } from '../../contract/event.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { OptOutCategory, OptOutSource } from '../../store/schema/requestSchema.ts'
import type { KeptFinding, MessageStatus, Mode } from '../../store/schema/schema.ts'
import type { TemplateFault } from '../../store/schema/templateSchema.ts'
import type { Moved } from '../../store/sending/change.ts'
import type { DisabledEndpoint } from '../../store/webhooks/endpointRun.ts'
import { insertEvents, type NewEvent } from '../../store/webhooks/event.ts'
import { deliveryErrors } from './deliveryError.ts'
import { toldTemplate } from './madeFrom.ts'
import { createTellable } from './tellable.ts'

export interface Audience {
  accountId: string
  mode: Mode
}

/** What a process knows of who listens, at most five seconds behind the database. */
export interface FindEndpoints {
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

/** A send that rules refused. */
export interface Refused extends Audience {
  at: Date
  act: 'block' | 'challenge'
  findings: readonly KeptFinding[]
}

/** A part of a budget that is used for the first time on a day. */
export interface ReachedBudget extends Audience {
  at: Date
  /** The id of the budget. */
  budget: string
  /** 80, or 100 where it is spent. */
  percent: number
}

/** A phone that opted out, or in again. */
export interface OptOutWord extends Audience {
  at: Date
  /** What stands for the phone. */
  recipient: string
  category: OptOutCategory
  source: OptOutSource
  is: 'out' | 'in'
}

/** A template that the provider of a connection would not send any more. */
export interface UnusableTemplate extends Audience {
  at: Date
  /** The id of the connection. */
  connection: string
  fault: TemplateFault
}

/** Each goes with the commit, and costs nothing without listeners. */
export interface Events {
  /** Whether endpoints are to be told how a verification ends that begins now. @throws when the database is out of reach */
  isAwaited: (audience: Audience) => Promise<boolean>
  tellMoves: (tx: Tx, moved: readonly Moved[]) => void
  tellDecided: (tx: Tx, list: readonly Decided[]) => void
  /** Of very many, some. */
  tellRefused: (tx: Tx, list: readonly Refused[]) => void
  /** What rules found of a send, once that is committed: for metrics, and no event. */
  noteFound: (findings: readonly KeptFinding[]) => void
  tellBudgets: (tx: Tx, list: readonly ReachedBudget[]) => void
  tellOptOuts: (tx: Tx, list: readonly OptOutWord[]) => void
  tellTemplates: (tx: Tx, list: readonly UnusableTemplate[]) => void
  /** To the other endpoints of each account. */
  tellDisabled: (tx: Tx, list: readonly DisabledEndpoint[]) => void
}

export interface EventParts {
  listeners: FindEndpoints
  runtime: Pick<Runtime, 'now' | 'newId' | 'elapsedMs'>
  /** Called when events are there to be sent. */
  onTold: () => void
  /** What stands for a phone in the events of its messages; left out where none of them are told. */
  recipientOf?: ((message: Audience & { phone: string }) => string) | undefined
  /** What is wrong with the body of an event; not in production. */
  check?: ((body: string) => string[]) | undefined
}

/** What happened, as its event tells it. */
type Told = { [Type in EventType]: { type: Type; data: EventOf<Type>['data'] } }[EventType]

/** The events that may come of something: of each type what it tells then, or nothing when it does not come of it. */
type EventsOf<Happening> = { [Type in EventType]?: (happening: Happening) => EventOf<Type>['data'] | false }

interface Happened extends Audience {
  at: Date
  told: Told
  /** Of its message. */
  phone: string | undefined
  /** The endpoint that it is about, which is not told of itself. */
  except: string | undefined
}

export function createEvents({ listeners, runtime, onTold, recipientOf, check }: EventParts): Events {
  const tell = (tx: Tx, list: readonly Happened[]): void => {
    const wanted = list.filter((one) => listeners.mayWant(one, one.told.type))
    if (wanted.length === 0) return
    insertEvents(tx, wanted.map(toEvent))
    tx.afterCommit(onTold)
  }

  /** Its body is made here, once. */
  function toEvent({ accountId, mode, at, told: { type, data }, phone, except }: Happened): NewEvent {
    // A hash: only for those who listen. The events of verifications have none.
    const hasRecipient = recipientOf && phone !== undefined && type.startsWith('message.')
    const recipient = hasRecipient && { recipient: recipientOf({ accountId, mode, phone }) }
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { ...data, ...recipient } })
    const faults = check?.(body) ?? []
    if (faults.length > 0) throw new Error(`the event ${type} is not as documented: ${faults.join(', ')}`)
    const messageId = 'request_id' in data ? data.request_id : undefined
    return { accountId, id: `evt_${runtime.newId()}`, mode, type, body, at: runtime.now(), messageId, except }
  }

  const mayTell = createTellable(runtime)
  return {
    isAwaited: listeners.isAny,
    tellMoves: (tx, moved) => tell(tx, happenedBy(ofMove, moved, { phoneOf: ({ phone }) => phone })),
    tellDecided: (tx, list) => tell(tx, happenedBy(ofDecided, list)),
    tellRefused: (tx, list) => tell(tx, happenedBy(ofRefused, list.filter(mayTell))),
    noteFound: () => {},
    tellBudgets: (tx, list) => tell(tx, happenedBy(ofBudget, list)),
    tellOptOuts: (tx, list) => tell(tx, happenedBy(ofOptOut, list)),
    tellTemplates: (tx, list) => tell(tx, happenedBy(ofTemplate, list)),
    tellDisabled: (tx, list) => tell(tx, happenedBy(ofDisabled, list, { exceptOf: ({ id }) => id })),
  }
}

const ofMove = {
  'message.sent': (moved) => moved.isFirstTaken && carried(moved),
  'message.delivered': (moved) => hasBecome(moved, 'delivered') && carried(moved),
  'message.read': (moved) => hasBecome(moved, 'read') && carried(moved),
  'message.failed': (moved) => hasBecome(moved, 'failed') && toFailure(moved),
  'verification.failed': (moved) =>
    moved.isAwaitedEnd && hasBecome(moved, 'failed') && { ...verificationOf(moved.to, moved), reason: 'not_delivered' },
  // Also one whose message failed before, as replaced.
  'verification.expired': (moved) =>
    moved.isAwaitedEnd && !hasBecome(moved, 'failed') && verificationOf(moved.to, moved),
} satisfies EventsOf<Moved>

const ofDecided = {
  'verification.verified': (decided) => decided.verified && verificationOf(decided.status, decided),
  'verification.failed': (decided) =>
    !decided.verified && { ...verificationOf(decided.status, decided), reason: 'attempts_exhausted' },
} satisfies EventsOf<Decided>

const ofRefused = {
  'verification.blocked': ({ act: action, mode, findings }) => {
    const rules = findings.filter(({ did }) => did === action).map(({ rule }) => rule)
    return { kind: 'verification', mode, action, rules }
  },
} satisfies EventsOf<Refused>

const ofBudget = {
  'budget.reached': ({ mode, budget, percent }) => ({ mode, budget, percent }),
} satisfies EventsOf<ReachedBudget>

const ofOptOut = {
  'phone.opted_out': ({ is, recipient, category, source, mode }) =>
    is === 'out' && { recipient, category, source, mode },
  'phone.opted_in': ({ is, recipient, category, source, mode }) => is === 'in' && { recipient, category, source, mode },
} satisfies EventsOf<OptOutWord>

const ofTemplate = {
  'template.unusable': ({ connection: channel, mode, fault: { slug, locale, name, language, reason } }) => ({
    ...{ template: { slug, locale }, channel, provider_template: { name, language }, reason, mode },
  }),
} satisfies EventsOf<UnusableTemplate>

const ofDisabled = {
  'endpoint.disabled': ({ id, reason, mode }) => ({ endpoint_id: id, reason, mode }),
} satisfies EventsOf<DisabledEndpoint>

// An event of the contract that comes of nothing does not compile.
;({ ...ofMove, ...ofDecided, ...ofRefused, ...ofBudget, ...ofOptOut, ...ofTemplate, ...ofDisabled }) satisfies Record<
  EventType,
  unknown
>

interface About<One> {
  /** Of the message that it is about. */
  phoneOf?: (one: One) => string
  /** The endpoint that is not told: the one that it is about. */
  exceptOf?: (one: One) => string
}

function happenedBy<One extends Audience & { at: Date }>(
  events: EventsOf<One>,
  list: readonly One[],
  { phoneOf, exceptOf }: About<One> = {},
): Happened[] {
  return list.flatMap((one) =>
    Object.entries(events).flatMap(([type, dataOf]) => {
      const data = dataOf(one)
      if (!data) return []
      const { accountId, mode, at } = one
      const told = { type, data } as Told
      return [{ accountId, mode, at, told, phone: phoneOf?.(one), except: exceptOf?.(one) }]
    }),
  )
}

function hasBecome({ from, to }: Moved, status: MessageStatus): boolean {
  return to === status && from !== status
}

/** Of what a connection carried: what no connection had, is not told. */
function carried(moved: Moved): EventOf<'message.sent'>['data'] | false {
  const { id, kind, to: status, mode, connection } = moved
  return connection !== null && { request_id: id, kind, status, mode, channel: connection, ...namesIn(moved) }
}

/** What it was made from, and the caller's own name for it. */
function namesIn({ template: slug, templateVersion: version, templateLocale: locale, reference }: Moved) {
  return {
    ...(slug !== null && { template: toldTemplate({ slug, version, locale }) }),
    ...(reference !== null && { reference }),
  }
}

function toFailure(moved: Moved): EventOf<'message.failed'>['data'] {
  const { id, kind, to: status, mode, connection, errorCode } = moved
  const code = errorCode ?? 'not_delivered'
  const error = { code, message: deliveryErrors[code] }
  const channel = connection !== null && { channel: connection }
  return { request_id: id, kind, status, mode, ...channel, error, ...namesIn(moved) }
}

/** @param status of its message */
function verificationOf(status: MessageStatus, { id, mode }: { id: string; mode: Mode }) {
  return { request_id: id, kind: 'verification', status, mode } as const
}
