/** What makes a connection rest, and what does not: what an outcome tells of its provider. */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/delivery/channel.ts'
import { createRoutes, down, tg, unknown, wa } from '../support/routes.ts'

const routes = createRoutes()
const { accountWith, connections, notes, sentBy } = routes

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
  const unasked: Outcome = { kind: 'failed', code: 'rejected_by_channel', reason: 'a variable is empty', isUnasked: true }

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
