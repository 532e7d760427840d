/** What the timeline of a message says of each of its connections. */
import { expect, it } from 'vitest'
import { listAttempts, sumPrices } from '../../../src/domain/sending/attempt.ts'
import type { MessageState } from '../../../src/domain/sending/status.ts'
import type { MessageStatus, TimelineStep } from '../../../src/store/schema/schema.ts'

const at = (second: number) => `2026-11-28T10:00:${String(second).padStart(2, '0')}.000Z`
const sent: TimelineStep = { status: 'sent', at: at(0) }
const ended = (status: MessageStatus, second: number): MessageState => {
  return { status, at: new Date(at(second)), errorCode: null }
}

const attempts = (timeline: TimelineStep[], state = ended('sent', 0), leg = 2) =>
  listAttempts({ route: ['a', 'b', 'c'], leg, timeline: [sent, ...timeline], prices: null }, state).map(
    ({ connection, status, at: when, errorCode }) => [connection, status, when.getUTCSeconds(), errorCode],
  )

it('a connection that took it stays at that, when its time is over and the next one begins', () => {
  const timeline: TimelineStep[] = [
    { status: 'sent', at: at(1), connection: 'a', taken: true },
    { status: 'sent', at: at(31), connection: 'b', note: 'attempt 1' },
  ]
  expect(attempts(timeline)).toEqual([
    ['a', 'sent', 1, null],
    ['b', 'queued', 31, null],
  ])
})

it('one that was passed over, or not to be reached, has failed', () => {
  const timeline: TimelineStep[] = [{ status: 'sent', at: at(1), connection: 'a', unasked: true }]
  expect(attempts(timeline)).toEqual([['a', 'failed', 1, 'channel_unavailable']])
})

it('the one that is asked last shares the end of the message', () => {
  const timeline: TimelineStep[] = [{ status: 'sent', at: at(1), connection: 'a', note: 'attempt 1' }]
  expect(attempts(timeline, ended('expired', 40), 1)).toEqual([['a', 'expired', 40, null]])
  expect(attempts(timeline, { ...ended('failed', 9), errorCode: 'superseded' }, 1)).toEqual([
    ['a', 'failed', 9, 'superseded'],
  ])
})

it('an arrival counts more than a failure before or after it, and a late price is neither', () => {
  const price = { amount: '1', currency: 'EUR' }
  const timeline: TimelineStep[] = [
    { status: 'sent', at: at(1), connection: 'a', taken: true },
    { status: 'failed', at: at(2), connection: 'b', error: 'unreachable' },
    { status: 'delivered', at: at(3), connection: 'b', price },
    { status: 'failed', at: at(4), connection: 'b', error: 'not_delivered' },
    { status: 'delivered', at: at(5), connection: 'a', price },
  ]
  expect(attempts(timeline, ended('delivered', 3))).toEqual([
    ['a', 'sent', 1, null],
    ['b', 'delivered', 3, null],
  ])
})

it('nothing happens before the connection was asked, whatever its clock says', () => {
  const timeline: TimelineStep[] = [
    { status: 'sent', at: at(20), connection: 'a', taken: true },
    { status: 'delivered', at: at(2), connection: 'a' },
  ]
  expect(attempts(timeline, ended('delivered', 20), 1)).toEqual([['a', 'delivered', 20, null]])
})

it('the SMS of a text are those that were counted when its connection took it', () => {
  const timeline: TimelineStep[] = [
    { status: 'delivered', at: at(1), connection: 'a' },
    { status: 'delivered', at: at(2), connection: 'a', taken: true, segments: 3 },
    { status: 'delivered', at: at(3), connection: 'b', taken: true },
  ]
  const row = { route: ['a', 'b'], leg: 2, timeline: [sent, ...timeline], prices: null }
  expect(listAttempts(row, ended('delivered', 1)).map(({ segments }) => segments)).toEqual([3, null])
})

it('prices are added as the decimal numbers that they are, each currency by itself', () => {
  const euros = ['0.1', '0.2', '999999.00000000000000000001', '3'].map((amount) => ({ amount, currency: 'EUR' }))
  expect(sumPrices([{ amount: '5', currency: 'USD' }, ...euros])).toEqual([
    { amount: '1000002.30000000000000000001', currency: 'EUR' },
    { amount: '5', currency: 'USD' },
  ])
  expect(sumPrices([])).toEqual([])
  expect(sumPrices([{ amount: '0', currency: 'EUR' }])).toEqual([{ amount: '0', currency: 'EUR' }])
})
