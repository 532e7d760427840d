/** What became of a message, as people may see it: nothing of what is in it, and of its phone no more than is theirs to know. */
import { type EventType, eventTypes } from '../../contract/event.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type {
  DeliveryErrorCode,
  KeptFinding,
  MessageStatus,
  Mode,
  Price,
  TimelineStep,
} from '../../store/schema/schema.ts'
import { findHistory, findTold, type ToldEvent } from '../../store/sending/history.ts'
import { type Actor, may, seenAccount } from '../access/actor.ts'
import { shownUrl } from '../webhooks/endpointUrl.ts'
import { shownPhone } from './phone.ts'
import { stateAt } from './status.ts'

export interface History {
  id: string
  accountId: string
  /** The account's name. */
  account: string
  mode: Mode
  kind: 'verification' | 'notification'
  /** Masked for who may see no more of it. */
  phone: string
  /** ISO 3166-1 alpha-2; null for a number of no country, and where it was not kept. */
  country: string | null
  template: string | null
  /** Of that template; null where it was not kept. */
  templateVersion: number | null
  /** The language of that template that was chosen; null where it was not kept. */
  templateLocale: string | null
  /** The caller's own name for a notification; null for none. */
  reference: string | null
  /** The API key that it was sent with; null where that was not kept, and where none was used. */
  keyId: string | null
  /** The id of the inlet that it came through; null for none. */
  inlet: string | null
  /** The message that it sends again; null for none. */
  resendOf: string | null
  /** What it was made from is kept, so it can be sent again. */
  canBeResent: boolean
  /** The message that it was sent again as, as long as that is known; null for none. */
  resentAs: string | null
  /** Of that key. */
  keyName: string | null
  status: MessageStatus
  statusAt: Date
  /** Of a message that has failed. */
  errorCode: DeliveryErrorCode | null
  createdAt: Date
  expiresAt: Date | null
  /** When a notification was to go; null for at once. */
  sendAt: Date | null
  verifiedAt: Date | null
  /** The connections of its route, in their order. */
  legs: Leg[]
  /** What the rules found when it was sent; null for nothing. */
  findings: readonly KeptFinding[] | null
  /** Oldest first. */
  timeline: readonly TimelineStep[]
  /** What endpoints were told of it, oldest first. */
  events: ToldEvent[]
}

export interface Leg {
  connection: string
  /** `current` is the one that is asked now, or was asked last. */
  state: 'past' | 'current' | 'ahead'
  /** How often it was asked; known of the current one. */
  attempts: number | undefined
  /** Its provider's own id; undefined when that has not taken it, and for viewers. */
  providerMessageId: string | undefined
  /** What its provider charges for the message; undefined where that says nothing of it. */
  price: Price | undefined
}

export interface HistoryParts {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
}

/** @throws Refusal when the actor sees no such message */
export type FindHistory = (actor: Actor, messageId: string) => Promise<History>

export function createHistory(parts: HistoryParts): FindHistory {
  return (actor, messageId) => loadHistory(parts, actor, messageId)
}

async function loadHistory({ commit: { reader }, runtime }: HistoryParts, actor: Actor, id: string): Promise<History> {
  const found = await findHistory(reader, seenAccount(actor), id)
  if (!found) throw new Refusal(`There is no message ${id}.`)
  const { phone, route, leg: current, deliveryAttempts, taken, timeline, prices, isKept, ...rest } = found
  const legs = route.map((connection, index): Leg => {
    const state = index + 1 < current ? 'past' : index + 1 > current ? 'ahead' : 'current'
    return {
      connection,
      state,
      attempts: state === 'current' ? deliveryAttempts : undefined,
      // WhatsApp's holds the number: who may not see that is not given this.
      providerMessageId: may(actor, 'developer')
        ? taken.find((hand) => hand.connection === connection)?.providerMessageId
        : undefined,
      price: prices?.[connection],
    }
  })
  const { at: statusAt, status, errorCode } = stateAt({ ...found, verified: found.verifiedAt !== null }, runtime.now())
  return {
    ...rest,
    ...{ status, statusAt, errorCode, legs },
    inlet: timeline[0]?.inlet ?? null,
    resendOf: timeline[0]?.resendOf ?? null,
    canBeResent: isKept && status === 'failed',
    phone: shownPhone(phone, actor),
    // As the sweep will write it.
    timeline: status === rest.status ? timeline : [...timeline, { status, at: statusAt.toISOString() }],
    events: (await findTold(reader, found)).toSorted(inOrder).map((event) => shownEvent(event, actor)),
  }
}

function shownEvent({ endpoints, ...event }: ToldEvent, actor: Actor): ToldEvent {
  return { ...event, endpoints: endpoints.map((one) => ({ ...one, url: shownUrl(one.url, actor) })) }
}

/** Those of one moment, as they can have happened: what becomes of a verification follows from its message. */
function inOrder(one: ToldEvent, other: ToldEvent): number {
  return Number(one.at) - Number(other.at) || findPlace(one) - findPlace(other)
}

function findPlace({ type }: ToldEvent): number {
  const place = eventTypes.indexOf(type as EventType)
  return type.startsWith('message.') ? place : place + eventTypes.length
}
