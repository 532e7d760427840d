/** What accounts share on the way to their providers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SQL, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { startProvider } from '../../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { telegramEntry } from '../../support/simulation.ts'
import { type Beside, createBeside, row } from './beside.ts'

let server: TestServer
let beside: Beside
/** Closed first at the end: the worker waits for their answers. */
const providers: { close: () => Promise<unknown> }[] = []
beforeEach(async () => {
  server = await startServer({
    config: { keyRatePerSecond: 10, keyBurst: 10_000 },
    // As long as the claim of a job lets it.
    overrides: { answerMs: 19_000 },
  })
})
afterEach(async () => {
  for (const { close } of providers.splice(0)) await close()
  await beside.close()
})

/** @returns a caller of a new account, whose codes go to that Telegram */
async function callerBy(telegram: { url: string }) {
  const account = 'behind a Telegram of its own'
  const { id } = await server.app.accounts.create(account)
  await server.app.connections.apply(id, [telegramEntry(telegram)])
  return server.as(await server.key({ account, mode: 'live' }))
}

/** A Telegram that takes two seconds for an answer. */
async function startSlowTelegram() {
  const counts = { underWay: 0, mostUnderWay: 0 }
  const held = createServer((request, response) => {
    request.resume()
    // What was taken is asked about later, in connections of its own.
    if (request.url === '/checkVerificationStatus') return void response.writeHead(404).end()
    counts.underWay += 1
    counts.mostUnderWay = Math.max(counts.mostUnderWay, counts.underWay)
    const answer = () => response.end('{"ok":true,"result":{"request_id":"1"}}')
    const timer = setTimeout(answer, 2000)
    response.once('close', () => {
      clearTimeout(timer)
      counts.underWay -= 1
    })
  }).listen(0, '127.0.0.1')
  await once(held, 'listening')
  const close = async () => {
    held.closeAllConnections()
    held.close()
  }
  return { counts, url: `http://127.0.0.1:${(held.address() as AddressInfo).port}`, close }
}

describe('behind a provider that is slow', () => {
  const [shareMax, claimMax] = [2048 / 3, 32]
  let slow: Awaited<ReturnType<typeof startSlowTelegram>>
  beforeEach(async () => {
    slow = await startSlowTelegram()
    providers.push(slow)
    const caller = await callerBy(slow)
    // Few at once, so that they have many jobs.
    const sendSome = async () => {
      for (let sent = 0; sent < 10; sent++) await caller.send(newPhone())
    }
    const sendMore = () => Promise.all(Array.from({ length: 10 }, sendSome))
    // More than may be under way, and as many jobs more as two claims take, before a worker begins with them.
    while ((await waitingMessages()) < 2 * shareMax) await sendMore()
    const jobs = await waitingJobs()
    while ((await waitingJobs()) < jobs + 2 * claimMax) await sendMore()
    beside = await createBeside(server)
  })

  const count = async (what: SQL): Promise<number> => {
    const [row] = await server.query<{ count: number }>(sql`
      select coalesce(${what}, 0)::int as count from pgboss.job where name = 'deliver-telegram'`)
    return row!.count
  }
  const messages = sql`sum(jsonb_array_length(data -> 'messages'))`
  const underWay = () => count(sql`${messages} filter (where state = 'active')`)
  const waitingMessages = () => count(sql`${messages} filter (where state < 'active')`)
  const waitingJobs = () => count(sql`count(*) filter (where state < 'active')`)

  row(
    'messages under way, of one kind of connections',
    'another account sends beside one that has all it may have under way',
    async () => {
      const send = await beside.newQuiet()
      await expect.poll(underWay).toBeGreaterThan(shareMax / 2)
      await send()
      // Though there is room for three times as many, the others wait.
      expect(await waitingJobs()).toBeGreaterThan(0)
    },
  )

  row(
    'jobs that wait, of one kind',
    'another account sends beside one with more jobs that wait than a claim takes',
    async () => {
      const send = await beside.newQuiet()
      expect(await waitingJobs()).toBeGreaterThan(claimMax)
      await send()
    },
  )

  row('places of a connection', 'another account sends beside one whose connection has no place free', async () => {
    const send = await beside.newQuiet()
    await expect.poll(() => slow.counts.underWay).toBe(64)
    await send()
    expect(slow.counts.mostUnderWay).toBe(64)
  })
})

row(
  'questions to providers about messages that were sent, and about right codes',
  'another account sends beside one whose provider answers no question',
  async () => {
    beside = await createBeside(server)
    const codes = new Map<string, string>()
    let requests = 0
    const provider = await startProvider(({ path, body }) => {
      if (path === '/checkVerificationStatus') return 'hang'
      const { phone_number, code, request_id = `${++requests}` } = JSON.parse(body)
      if (code) codes.set(phone_number, code)
      return { status: 200, body: JSON.stringify({ ok: true, result: { request_id } }) }
    })
    providers.push(provider)
    const caller = await callerBy(provider)
    const questions = () => provider.asked.filter(({ path }) => path === '/checkVerificationStatus').length
    const verify = async () => {
      const phone = newPhone()
      const id = await caller.send(phone)
      await expect.poll(() => codes.get(phone)).toBeDefined()
      await expect.poll(() => caller.status(id)).toBe('sent')
      expect(await caller.check(id, codes.get(phone)!)).toMatchObject({ verified: true })
    }
    await Promise.all(Array.from({ length: 20 }, verify))
    await expect.poll(questions).toBeGreaterThanOrEqual(8)
    await Promise.all(Array.from({ length: 40 }, () => caller.send(newPhone())))
    await expect.poll(() => codes.size).toBe(60)
    await server.advance(10)
    // As many as its connection has for questions.
    await expect.poll(questions).toBeGreaterThanOrEqual(16)
    await (await beside.newQuiet())()
  },
)
