/** What follows from a channel's answer: what is written down of the message, and when it is asked for again. */
import type { Transition } from '../domain/sending/message.ts'
import type { Delivery } from '../store/sending/delivery.ts'
import type { Channel, Outcome } from './channel.ts'

export interface Settlement {
  delivery: Delivery
  step?: Transition
  /** Ask the same connection again after so many seconds. */
  againAfterSeconds?: number
  /** Go on to the next connection, unless the message is delivered after so many seconds. */
  failoverAfterSeconds?: number
  /** Ask the provider what became of it, after each of these, until it knows. */
  follow?: { providerMessageId: string; afterSeconds: readonly number[] }
}

/** How often a notification may leave without an answer that says so. */
export const unsureMax = 2
/**
 * Seconds before the last connection of a code is asked again, after each time that the code may have left: it may leave once
 * more than there are waits. A provider that takes codes, and answers what cannot be read, sends each of them to the phone.
 */
const unsureCodeWaits = [1, 30]

/** Asks of one message to a connection before it is given up. With the waits below, about an hour. */
const attemptsMax = 20
const waitSecondsMax = 300
/**
 * Attempts after which a provider that names short times is believed no more, little by little: all attempts would be over
 * before its fault is.
 */
const believedMax = 3
/** Seconds at a time that a code waits for a connection that does not take it, while another one can be asked. */
const patienceSeconds = 10
/** Asks of a last connection that end in an error of this service: it may have been of a moment. */
const faultsMax = 3
/** For the timeline, and for what an event did not bring. */
export const ourFault = 'an error of this service'
/** Seconds for which a report is waited for, before a notification is sent again of which nobody knows whether it left. */
const unsureWaitSeconds = 60

interface Setting {
  at: Date
  failoverSeconds: number | undefined
  channel: Pick<Channel, 'isUnreported' | 'dedupes'>
  /** Whether another connection can be asked now, and is better than a late one. */
  mayGoOn: () => boolean
}

export function settleOutcome(delivery: Delivery, outcome: Outcome, setting: Setting): Settlement {
  const { failoverSeconds, channel } = setting
  const settlement = settled(delivery, outcome, setting)
  // Where no report can end that time, it begins when the provider took it.
  const begins = channel.isUnreported ? outcome.kind === 'sent' : delivery.attempts === 0
  if (!begins || settlement.step?.ends || delivery.kind !== 'verification' || delivery.isLast) return settlement
  return failoverSeconds === undefined ? settlement : { ...settlement, failoverAfterSeconds: failoverSeconds }
}

function settled(delivery: Delivery, outcome: Outcome, setting: Setting): Settlement {
  const { at } = setting
  switch (outcome.kind) {
    case 'sent':
      return takenBy(delivery, outcome, at)
    case 'retry':
      return planRetry(delivery, outcome, setting)
    case 'fault':
      return faulted(delivery, outcome, at)
    case 'unknown':
      return delivery.kind === 'verification'
        ? unknownCode(delivery, outcome, setting)
        : unknownNotification(delivery, outcome, at)
    case 'failed': {
      const { code: errorCode, isMarketingAlone = false } = outcome
      return { delivery, step: { ...failing(delivery, outcome, at), errorCode, isMarketingAlone, isSure: true } }
    }
    case 'down':
      return { delivery, step: { ...failing(delivery, outcome, at), ...operatorFault, isSure: true } }
  }
}

/** Nothing can be asked of this connection: the next one, or none. */
export function skipped(delivery: Delivery, reason: string, at: Date): Settlement {
  const { accountId, id, connection, isLast, attempts, unsure } = delivery
  const unasked = attempts === 0 && unsure === 0
  const step = { accountId, id, at, connection, ends: true, unasked, note: `${connection} skipped: ${reason}` }
  return { delivery, step: isLast ? { ...step, ...operatorFault, status: 'failed' } : step }
}

/** Milliseconds for which it can wait before a turn that comes after so many seconds more would be late; less than 0 when it is. */
export function patienceLeftMs({ createdAt }: Delivery, afterSeconds: number, at: Date): number {
  return createdAt.getTime() - at.getTime() + (patienceSeconds - afterSeconds) * 1000
}

/** A verification does, and a text of another system: its recipient waits, so it goes before the others. */
export function holdsCode({ isFromTemplate }: Pick<Delivery, 'isFromTemplate'>): boolean {
  return !isFromTemplate
}

/** Nothing was asked, and no attempt counted. */
export function later(delivery: Delivery, againAfterSeconds: number): Settlement {
  return { delivery, againAfterSeconds }
}

/** A newer code may have replaced it: then it ends, unless a connection took it meanwhile. */
export function superseded(delivery: Delivery, at: Date): Settlement {
  const { accountId, id, connection } = delivery
  return { delivery, step: { accountId, id, at, connection, ends: true } }
}

/** Its recipient opted out after it was sent: no connection is asked. */
export function stopped(delivery: Delivery, at: Date): Settlement {
  const { accountId, id } = delivery
  const note = 'the recipient has opted out'
  return { delivery, step: { accountId, id, status: 'failed', at, note, errorCode: 'opted_out' } }
}

export function expired(delivery: Delivery): Settlement {
  const { accountId, id, expiresAt } = delivery
  return { delivery, step: { accountId, id, status: 'expired', at: expiresAt as Date } }
}

/** It may have left as often as it may, and nobody knows whether it did. */
export function givenUp(delivery: Delivery, at: Date): Settlement {
  const { accountId, id, connection } = delivery
  const note = `${connection}: whether it left is not known`
  return { delivery, step: { accountId, id, status: 'failed', at, note, ...operatorFault } }
}

/** What a recipient's own fault says more clearly. */
export const operatorFault = { errorCode: 'channel_unavailable', isLesserError: true } as const

type Unsent = Exclude<Outcome, { kind: 'sent' }>

function tried({ accountId, id, connection }: Delivery, { reason, providerCode }: Unsent, at: Date) {
  const step = { accountId, id, at, connection, note: `${connection}: ${reason}`, attempted: true }
  return providerCode === undefined || !/^[\x21-\x7e]{1,100}$/.test(providerCode) ? step : { ...step, providerCode }
}

function failing(delivery: Delivery, outcome: Unsent, at: Date) {
  return { ...tried(delivery, outcome, at), status: 'failed' as const, ends: true }
}

/**
 * What is written down of a message that a connection took, whoever tells it first: its answer or its report. A provider's id
 * of another form is left out.
 */
export function takenStep(connection: string, providerMessageId: string | undefined) {
  const step = { status: 'sent', taken: true, note: `taken by ${connection}` } as const
  return providerMessageId === undefined || !/^[\x21-\x7e]{1,255}$/.test(providerMessageId)
    ? step
    : { ...step, providerMessageId }
}

function takenBy(delivery: Delivery, outcome: Outcome & { kind: 'sent' }, at: Date): Settlement {
  const { accountId, id, connection } = delivery
  const { askAfterSeconds: afterSeconds } = outcome
  const step: Transition = {
    accountId,
    id,
    at,
    connection,
    attempted: true,
    ...takenStep(connection, outcome.providerMessageId),
    ...(outcome.segments !== undefined && { segments: outcome.segments }),
    ...(outcome.price && { price: outcome.price }),
  }
  const { providerMessageId } = step
  if (providerMessageId === undefined || !afterSeconds) return { delivery, step }
  return { delivery, step, follow: { providerMessageId, afterSeconds } }
}

function planRetry(
  delivery: Delivery,
  outcome: Outcome & { kind: 'retry' },
  { at, mayGoOn }: Pick<Setting, 'at' | 'mayGoOn'>,
): Settlement {
  const attempt = delivery.attempts + 1
  if (attempt >= attemptsMax) {
    return { delivery, step: { ...failing(delivery, outcome, at), ...operatorFault, isSure: true } }
  }
  const step = { ...tried(delivery, { ...outcome, reason: `attempt ${attempt}: ${outcome.reason}` }, at), isSure: true }
  const { afterSeconds = waitSeconds(delivery.id, attempt) } = outcome
  const againAfterSeconds = Math.max(afterSeconds, waitSeconds(delivery.id, attempt - believedMax))
  if (againAfterSeconds > patienceSeconds && mayGoOn()) return { delivery, step: { ...step, ends: true } }
  return again(delivery, step, againAfterSeconds)
}

/**
 * The next connection has it at once. A notification that may have left goes the way of those: it is not to come twice.
 */
function faulted(delivery: Delivery, outcome: Outcome & { kind: 'fault' }, at: Date): Settlement {
  const { isUnsent } = outcome
  const attempt = delivery.attempts + 1
  if (!isUnsent && delivery.kind === 'notification') return unknownNotification(delivery, outcome, at)
  const stepOf = (reason: string) => ({ ...tried(delivery, { ...outcome, reason }, at), isSure: isUnsent })
  const step = stepOf(outcome.reason)
  if (!delivery.isLast) return { delivery, step: { ...step, ends: true } }
  if (attempt >= faultsMax) return { delivery, step: { ...step, status: 'failed', ends: true, ...operatorFault } }
  const counted = { ...stepOf(`attempt ${attempt}: ${outcome.reason}`), mayHaveLeft: !isUnsent }
  return again(delivery, counted, waitSeconds(delivery.id, attempt))
}

/**
 * The same digits again, by the next connection or by this one: a code that comes twice does no harm. It has not failed after
 * the last time: it may be on the phone, and is good until it runs out.
 */
function unknownCode(
  delivery: Delivery,
  outcome: Outcome & { kind: 'unknown' },
  { at, channel }: Pick<Setting, 'at' | 'channel'>,
): Settlement {
  const attempt = delivery.attempts + 1
  if (!delivery.isLast) return { delivery, step: { ...tried(delivery, outcome, at), ends: true } }
  if (attempt >= attemptsMax) return { delivery, step: { ...failing(delivery, outcome, at), ...operatorFault } }
  const step = tried(delivery, { ...outcome, reason: `attempt ${attempt}: ${outcome.reason}` }, at)
  if (channel.dedupes) return again(delivery, step, waitSeconds(delivery.id, attempt))
  const wait = unsureCodeWaits[delivery.unsure]
  const counted = { ...step, mayHaveLeft: true }
  return wait === undefined ? { delivery, step: counted } : again(delivery, counted, wait * spread(delivery.id))
}

/**
 * Once more, when a report has had its time to come: that is at least once, and at most twice. After the second time the
 * report is waited for as well, before the message is given up.
 */
function unknownNotification(delivery: Delivery, outcome: Unsent, at: Date): Settlement {
  return { delivery, step: tried(delivery, outcome, at), againAfterSeconds: unsureWaitSeconds }
}

/**
 * Without time for another attempt the message just runs out here; the next connection may still have it. The sweep ends codes:
 * anything else is looked at again when its time is over, and ends then.
 */
function again(delivery: Delivery, step: Transition, againAfterSeconds: number): Settlement {
  const { expiresAt, isLast, kind } = delivery
  const leftSeconds = expiresAt ? (expiresAt.getTime() - step.at.getTime()) / 1000 : Number.POSITIVE_INFINITY
  if (againAfterSeconds < leftSeconds) return { delivery, step, againAfterSeconds }
  if (!isLast) return { delivery, step: { ...step, ends: true } }
  return kind === 'verification' ? { delivery, step } : { delivery, step, againAfterSeconds: Math.max(0, leftSeconds) }
}

/** Doubles with each attempt, up to five minutes. */
function waitSeconds(id: string, attempt: number): number {
  return Math.min(waitSecondsMax, 2 ** (attempt - 1) * spread(id))
}

/** From 1 to less than 2, by the random part of the id: repeats of many messages do not come at one time. */
function spread(id: string): number {
  return 1 + (id.charCodeAt(id.length - 1) % 8) / 8
}
