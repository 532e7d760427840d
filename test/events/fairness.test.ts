/** What endpoints that hang can do to others, on a real PostgreSQL, with listeners that really do not answer. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { placesMax } from '../../src/events/places.ts'
import { giveEvents } from '../support/endpoint.ts'
import { listenTo } from '../support/listening.ts'
import { type Provider, startProvider } from '../support/provider.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** What hangs, hangs for longer than this file runs: whoever waited for it would never be told. */
const options = { overrides: { answerMs: 900_000 } }
/** Of an account and mode. */
const endpointsMax = 20

let server: TestServer
let hanging: Provider
const closers: (() => Promise<void>)[] = []
beforeEach(async () => {
  ;[server, hanging] = await Promise.all([startServer(options), startProvider('hang')])
})
afterEach(async () => {
  // Listeners first: what hangs would be waited for.
  for (const close of [hanging.close, ...closers.splice(0), server.close]) await close()
})

/** So many endpoints of an account that was never asked, and hangs. Events wait for each. */
async function giveHanging(accountId: string, count: number): Promise<void> {
  const add = (_: unknown, index: number) =>
    server.app.endpoints.add({ accountId, mode: 'test', types: null, url: `${hanging.url}/${accountId}/${index}` })
  const added = await Promise.all(Array.from({ length: count }, add))
  await giveEvents(
    server.database!.sql,
    added.map(({ endpoint }) => endpoint),
    3,
  )
}

async function newAccount(): Promise<string> {
  return (await server.app.accounts.create(`account ${crypto.randomUUID()}`)).id
}

interface Good {
  accountId: string
  id: string
  received: unknown[]
}

/** It answers at once. Nobody has asked it yet. */
async function newGood(accountId: string): Promise<Good> {
  const { id, received, close } = await listenTo(server, { accountId })
  closers.push(close)
  return { accountId, id, received }
}

/** So many events are due for it. */
async function tell(good: Good, count: number, by = server): Promise<void> {
  await giveEvents(server.database!.sql, [{ ...good, mode: 'test' }], count)
  by.app.eventLoop.wake()
}

/** It has answered. */
async function knownGood(): Promise<Good> {
  const good = await newGood('acct_default')
  await tell(good, 1)
  expect(await server.app.eventLoop.runOnce()).toBe(1)
  expect(good.received).toHaveLength(1)
  return good
}

const askedMany = () => expect.poll(() => hanging.asked.length).toBeGreaterThan(0)

it('a good endpoint is told at once beside hundreds of new ones that hang, also of its own account', async () => {
  const good = await knownGood()
  await giveHanging('acct_default', endpointsMax - 1)
  for (let account = 0; account < 8; account++) await giveHanging(await newAccount(), endpointsMax)
  server.app.eventLoop.start()
  for (let second = 1; second <= 10; second++) {
    await expect.poll(() => hanging.asked.length).toBeGreaterThanOrEqual(second * placesMax.fresh)
    await tell(good, 10)
    await expect.poll(() => good.received.length).toBe(1 + second * 10)
    server.runtime.advance(1.1)
  }
  // Each has one request, until it has answered.
  expect(new Set(hanging.asked.map(({ path }) => path)).size).toBe(hanging.asked.length)
}, 90_000)

it('a process that has just started knows which endpoints answer soon', async () => {
  const good = await knownGood()
  for (let account = 0; account < 6; account++) await giveHanging(await newAccount(), endpointsMax)
  const next = await startServer({ ...options, beside: server })
  closers.push(next.close)
  next.app.eventLoop.start()
  await askedMany()
  await tell(good, 50, next)
  await expect.poll(() => good.received.length).toBe(51)
}, 90_000)

it('new endpoints that answer are told by turns of their accounts, beside one with many that hang', async () => {
  await giveHanging(await newAccount(), endpointsMax)
  const list = [await newGood(await newAccount()), await newGood(await newAccount()), await newGood(await newAccount())]
  server.app.eventLoop.start()
  for (const [turn, good] of list.entries()) {
    await expect.poll(() => hanging.asked.length).toBe(((turn + 1) * placesMax.fresh) / 2)
    await tell(good, 3)
    await expect.poll(() => good.received.length).toBe(3)
    server.runtime.advance(1.1)
  }
}, 90_000)

it('endpoints that answered soon and hang now delay no other account', async () => {
  const good = await knownGood()
  for (const accountId of [await newAccount(), await newAccount()]) {
    const list = await Promise.all(Array.from({ length: endpointsMax }, () => newGood(accountId)))
    await server.database!.sql`update endpoint set pace = 'quick', url = ${hanging.url} where account_id = ${accountId}`
    for (const one of list) await tell(one, 5)
  }
  server.app.eventLoop.start()
  await expect.poll(() => hanging.asked.length).toBeGreaterThanOrEqual(66)
  await tell(good, 50)
  await expect.poll(() => good.received.length).toBe(51)
  expect(hanging.asked.length).toBeLessThan(placesMax.quick)
}, 90_000)
