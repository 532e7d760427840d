import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follows } from '../../../src/domain/sending/status.ts'
import { deliveryErrors } from '../../../src/domain/webhooks/deliveryError.ts'
import type { MessageStatus } from '../../../src/store/schema/schema.ts'

/** What a message is in the end, when reports come one after the other. */
function outcome(start: MessageStatus, reports: MessageStatus[]): MessageStatus {
  return reports.reduce((status, report) => (follows[report].includes(status) ? report : status), start)
}

const reported: MessageStatus[] = ['sent', 'failed', 'delivered', 'read']
const start = fc.constantFrom<MessageStatus>('queued', 'sent')

/** Some reports, some of them twice or more, in two orders. */
const twoOrders = fc
  .array(fc.constantFrom(...reported), { maxLength: 8 })
  .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))

describe('the status of a message', () => {
  it('does not depend on the order in which a provider reports, nor on how often', () => {
    fc.assert(
      fc.property(start, twoOrders, (start, [reports, others]) => {
        expect(outcome(start, others)).toBe(outcome(start, reports))
        expect(outcome(start, [...new Set(others)])).toBe(outcome(start, reports))
      }),
      { numRuns: 500 },
    )
  })

  it('is the furthest that was reported', () => {
    const order: MessageStatus[] = ['queued', ...reported]
    fc.assert(
      fc.property(start, twoOrders, (start, [reports]) => {
        const furthest = Math.max(...[start, ...reports].map((status) => order.indexOf(status)))
        expect(outcome(start, reports)).toBe(order[furthest])
      }),
      { numRuns: 500 },
    )
  })

  it('that was failed or expired gives way to the report that the message arrived, and to no other', () => {
    for (const ended of ['failed', 'expired'] as const) {
      expect(outcome(ended, ['sent', 'failed', 'expired', 'queued'])).toBe(ended)
      expect(outcome(ended, ['delivered'])).toBe('delivered')
      expect(outcome(ended, ['read'])).toBe('read')
    }
  })

  it('of a message that arrived is not taken back', () => {
    expect(outcome('delivered', ['queued', 'sent', 'failed', 'expired'])).toBe('delivered')
    expect(outcome('read', ['queued', 'sent', 'failed', 'expired', 'delivered'])).toBe('read')
  })

  it('never returns to one that it had', () => {
    const all = Object.keys(follows) as MessageStatus[]
    const reachable = (from: MessageStatus, seen = new Set<MessageStatus>()): Set<MessageStatus> => {
      for (const next of all.filter((status) => follows[status].includes(from) && !seen.has(status))) {
        reachable(next, seen.add(next))
      }
      return seen
    }
    expect(all.filter((status) => reachable(status).has(status))).toEqual([])
  })
})

describe('a message that failed', () => {
  it('says why in a sentence of its own for each reason', () => {
    const sentences = Object.values(deliveryErrors)
    expect(new Set(sentences).size).toBe(sentences.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })
})
