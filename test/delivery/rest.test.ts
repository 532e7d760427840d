/** What makes a connection rest, and what does not: what an outcome tells of its provider. */
import { describe, expect, it } from 'vitest'
import type { Outcome, Receipt } from '../../src/delivery/channel.ts'
import { createRoutes, down, tg, unknown, wa } from '../support/routes.ts'

const routes = createRoutes()
const { accountWith, connections, notes, report, sentBy } = routes

const tooMany: Outcome = { kind: 'retry', reason: '131056 (too many messages to this person)', isOfRecipient: true }

describe('a connection that refuses one recipient for a while', () => {
  it('is asked for others, however often it does so', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => tooMany }
    for (let n = 0; n < 11; n++) await sentBy(live)
    routes.asked.length = 0
    routes.answers = {}
    expect(await notes(await sentBy(live))).toEqual(['taken by wa-eu'])
  })

  it('is at work again, whatever it did before', async () => {
    const { live } = await accountWith(wa(), tg())
    for (const answer of [unknown, tooMany, unknown]) {
      routes.answers = { 'wa-eu': () => answer }
      for (let n = 0; n < (answer === tooMany ? 1 : 8); n++) await sentBy(live)
    }
    routes.asked.length = 0
    await sentBy(live)
    expect(connections()[0]).toBe('wa-eu')
  })
})

describe('a message that is refused before its provider was asked', () => {
  const unasked: Outcome = {
    kind: 'failed',
    code: 'rejected_by_channel',
    reason: 'a variable is empty',
    isUnasked: true,
  }

  it('ends no rest: the next one tries whether the provider is at work', async () => {
    const { accountId, live } = await accountWith(wa())
    const isUpAgain = () =>
      routes.server.runtime.lines.some((line) => line.includes(accountId) && line.includes('a connection is up again'))
    routes.answers = { 'wa-eu': () => down }
    await sentBy(live)
    await routes.server.advance(60)
    routes.answers = { 'wa-eu': () => unasked }
    await sentBy(live)
    expect(isUpAgain()).toBe(false)
    routes.answers = {}
    expect(await notes(await sentBy(live))).toEqual(['taken by wa-eu'])
    expect(isUpAgain()).toBe(true)
  })

  it('does not count as one more that the provider leaves without an answer, nor as an answer of it', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => unknown }
    for (let n = 0; n < 5; n++) await sentBy(live)
    routes.answers = { 'wa-eu': () => unasked }
    for (let n = 0; n < 5; n++) await sentBy(live)
    routes.answers = { 'wa-eu': () => unknown }
    for (let n = 0; n < 5; n++) await sentBy(live)
    routes.asked.length = 0
    await sentBy(live)
    expect(connections()).toEqual(['tg'])
  })
})

describe('a fault of the operator that a report tells of', () => {
  const unpaid = { status: 'failed', errorCode: 'channel_unavailable', reason: '131042 (payment missing)' } as const
  /** Has it reported of a message that is taken. @returns what becomes of the next one, and what the log says */
  const afterReport = async (more: Partial<Receipt>) => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await sentBy(live)
    await report(accountId, 'wa-eu', id, { ...unpaid, ...more })
    const log = routes.server.runtime.lines.filter((line) => line.includes(accountId)).join('')
    return { next: await notes(await sentBy(live)), log, id }
  }
  const ago = (seconds: number) => new Date(routes.server.runtime.now().getTime() - seconds * 1000)

  it('lets its connection rest, and stands in the log', async () => {
    const { next, log, id } = await afterReport({ down: 'connection', at: ago(50) })
    expect(next).toEqual(['wa-eu skipped: 131042 (payment missing)', 'taken by tg'])
    expect(log).toMatch(new RegExp(`${id}.*131042 \\(payment missing\\).*a connection needs its operator`))
    expect(log).toContain('a connection is paused')
  })

  it.each([
    ['is about one template alone', 'template', 50],
    ['is more than a minute old', 'connection', 61],
  ] as const)('stands in the log alone when it %s', async (_title, down, seconds) => {
    const { next, log } = await afterReport({ down, at: ago(seconds) })
    expect(next).toEqual(['taken by wa-eu'])
    expect(log).toContain('a connection needs its operator')
    expect(log).not.toContain('a connection is paused')
  })

  it('stands in the log without the name that a provider gives to a message that is not ours', async () => {
    const { accountId } = await accountWith(wa())
    await report(accountId, 'wa-eu', '+14155550100', { ...unpaid, down: 'connection' })
    const log = routes.server.runtime.lines.filter((line) => line.includes(accountId)).join('')
    expect(log).toContain('a connection needs its operator')
    expect(log).not.toContain('4155550100')
  })

  it('stands in the log once for a report that tells it of a thousand messages', async () => {
    const { accountId } = await accountWith(wa())
    const { app, runtime } = routes.server
    const of = (n: number) => ({ message: { accountId, id: `req_${String(n).padStart(26, '0')}` }, at: runtime.now() })
    const body = Buffer.from(
      JSON.stringify(Array.from({ length: 1000 }, (_one, n) => ({ ...unpaid, ...of(n), down: 'connection' }))),
    )
    await app.receipts.accept({ accountId, connection: 'wa-eu' }, { headers: { signature: 'good' }, body })
    const told = runtime.lines.filter((line) => line.includes(accountId) && line.includes('needs its operator'))
    expect(told).toHaveLength(1)
  })

  it('is none where the recipient is at fault', async () => {
    const { next, log } = await afterReport({ errorCode: 'not_on_channel', reason: '131026 (not on WhatsApp)' })
    expect(next).toEqual(['taken by wa-eu'])
    expect(log).not.toContain('a connection needs its operator')
  })
})
