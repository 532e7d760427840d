/** The loop as it runs: what hangs, dies or stops costs nobody else anything, and nothing is lost by it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { claimEvents } from '../../src/store/webhooks/event.ts'
import { giveBacklog, later } from '../support/endpoint.ts'
import { type Listening, type ListenOptions, listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
const closers: (() => Promise<void>)[] = []
beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  // Receivers first: what hangs would be waited for.
  for (const close of closers.splice(0)) await close()
  await server.close()
})

async function listen(options?: ListenOptions): Promise<Listening> {
  const listening = await listenTo(server, { types: ['message.delivered'], ...options })
  closers.push(listening.close)
  return listening
}

/** That many messages are delivered, and nobody is told yet. */
async function happen(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => server.test.send(newPhone())))
  while ((await server.app.worker.runOnce()) > 0);
}

const ids = ({ received }: Listening) => received.map(({ headers }) => headers['webhook-id'])

it('endpoints that hang have their own places, and the others are told all the same', async () => {
  const hanging = await Promise.all(Array.from({ length: 12 }, () => listen({ behaviour: 'hang' })))
  const good = await listen()
  await happen(40)
  server.app.eventLoop.start()
  // A few of those that were never asked are asked at once, and others when these were silent for a second.
  const receivedLater = () => {
    server.runtime.advance(0.2)
    return good.received.length
  }
  await expect.poll(receivedLater).toBe(40)
  // What came after all of them hang, too.
  await happen(40)
  await expect.poll(() => good.received.length).toBe(80)
  const open = hanging.map(({ received }) => received.length)
  expect(Math.max(...open)).toBeLessThanOrEqual(5)
  expect(Math.min(...open)).toBeGreaterThan(0)
  expect(open.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(25)
}, 60_000)

it('an endpoint has five requests at a time at most, however much it is to be told', async () => {
  let count = 0
  const listening = await listen({
    behaviour: () => {
      count += 1
      return count > 1 ? 'hang' : { status: 204 }
    },
  })
  await happen(20)
  server.app.eventLoop.start()
  await expect.poll(() => count).toBe(6)
  const good = await listen()
  await happen(20)
  await expect.poll(() => good.received.length).toBe(20)
  expect(listening.received).toHaveLength(6)
}, 60_000)

it('an endpoint that is disabled with much due is told nothing of it, and all of it is held soon', async () => {
  const [listening, good] = [await listen(), await listen()]
  const key = { accountId: 'acct_default', id: listening.id }
  await giveBacklog(server.database!.sql, { ...key, mode: 'test' }, 1400)
  await server.app.endpoints.disable(key)
  expect(await server.app.endpoints.counts([key])).toEqual([{ due: 1000, held: 200, failed: 0 }])
  await happen(5)
  server.app.eventLoop.start()
  await expect.poll(() => server.app.endpoints.counts([key]), { timeout: 10_000 }).toMatchObject([{ due: 0 }])
  expect([listening.received.length, good.received.length]).toEqual([0, 5])
  expect(await server.app.endpoints.enable(key)).toEqual({ count: 1405, since: later(-1400) })
}, 60_000)

it('processes side by side bring each event once', async () => {
  const listening = await listen()
  const other = await startServer({ beside: server })
  closers.push(other.close)
  await happen(100)
  for (const { app } of [server, other]) app.eventLoop.start()
  await expect.poll(() => listening.received.length).toBe(100)
  expect(new Set(ids(listening)).size).toBe(100)
}, 60_000)

it('what a process had claimed that died is brought by another, half a minute later', async () => {
  const listening = await listen()
  await happen(3)
  const now = server.runtime.now()
  const wanted = [{ accountId: 'acct_default', endpointId: listening.id, count: 2 }]
  const leasedUntil = new Date(now.getTime() + 30_000)
  const claimed = await server.commit.transaction((tx) =>
    claimEvents(tx, wanted, { now, leasedUntil, first: 'oldest' }),
  )
  expect(claimed).toHaveLength(2)
  await server.work()
  expect(listening.received).toHaveLength(1)
  await server.advance(30)
  await server.work()
  expect(new Set(ids(listening)).size).toBe(3)
})

it('an event is tried without anybody having to look, as soon as it has happened', async () => {
  const listening = await listen()
  server.app.eventLoop.start()
  server.app.worker.start()
  closers.push(server.app.worker.stop)
  await server.test.send(newPhone())
  await expect.poll(() => listening.received.length).toBe(1)
}, 60_000)

it('what could not be settled, because the database was away, is brought again', async () => {
  const listening = await listen()
  await happen(1)
  const release = await server.database!.hold('event_attempt')
  const sent = server.app.eventLoop.runOnce()
  await expect.poll(() => listening.received.length).toBe(1)
  await expect.poll(() => server.database!.stuckAt('event_attempt')).not.toEqual([])
  await server.database!.terminate(await server.database!.stuckAt('event_attempt'))
  await sent
  await release()
  await server.advance(30)
  await server.work()
  expect(ids(listening)).toHaveLength(2)
  expect(new Set(ids(listening)).size).toBe(1)
}, 60_000)
