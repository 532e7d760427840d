/** Endpoints and what they were told, as several pages show them. A URL and an answer are other people's text. */

import type { Endpoint } from '../../../store/webhooks/endpoint.ts'
import type { DeliveryAttempt, DeliveryCursor, DeliveryState } from '../../../store/webhooks/eventDelivery.ts'
import { type Html, html, type Part } from '../../html.ts'
import { count } from './amount.ts'
import { type Tone, toned } from './status.ts'

/** Its host and path: the rest may hold a secret. */
export function toAddress({ url }: Pick<Endpoint, 'url'>): string {
  const { origin, pathname, host, protocol } = new URL(url)
  const begin = protocol === 'https:' ? host : origin
  return pathname === '/' ? begin : begin + pathname
}

const lengthMax = 64

/** The same in a sentence or a title: no longer than one can take in. */
export function nameUrl(endpoint: Pick<Endpoint, 'url'>): string {
  const address = toAddress(endpoint)
  return address.length > lengthMax ? `${address.slice(0, lengthMax - 1)}…` : address
}

/** A type of event, which breaks at its full stop where there is little room. */
export function renderType(type: string): Html {
  const parts = type.split('.').map((part, index): Part => (index === 0 ? part : html`.<wbr>${part}`))
  return html`<span class="whole-words">${parts}</span>`
}

export function endpointState({
  disabledAt,
  disabledReason,
  failingSince,
}: Pick<Endpoint, 'disabledAt' | 'disabledReason' | 'failingSince'>): Html {
  if (disabledAt) return toned(disabledReason === 'manual' ? 'queued' : 'failed', 'disabled')
  return failingSince ? toned('expired', 'failing') : toned('delivered', 'enabled')
}

const tones: Record<DeliveryState, Tone> = { due: 'sent', held: 'queued', delivered: 'delivered', failed: 'failed' }

export function deliveryState(state: DeliveryState): Html {
  return toned(tones[state], state)
}

/** What came of an attempt, in a word or two: `500`, or why there was no answer. */
export function describeAttempt({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): string {
  if (status === null) return error ?? 'no answer'
  return error === null ? `${status}` : `${status}: ${error}`
}

export function isTaken({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** `40 ms`, `1.2 s`. */
export function durationOf(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Of events that are counted no further than the limit. */
export function countedTo(value: number, max: number): string {
  return value < max ? count(value) : `${count(max)}+`
}

/** A place among deliveries, as an address or a form carries it. */
export function cursorTextOf({ at, eventId }: DeliveryCursor): string {
  return `${at.getTime()}_${eventId}`
}

/** @returns undefined for what is none */
export function cursorIn(text: string | null): DeliveryCursor | undefined {
  const [, ms, eventId] = /^(\d{1,14})_(\w{1,64})$/.exec(text ?? '') ?? []
  return ms !== undefined && eventId !== undefined ? { at: new Date(Number(ms)), eventId } : undefined
}
