import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, Outcome, Outgoing } from '../../src/delivery/channel.ts'
import { isUnavailable } from '../../src/store/engine/failure.ts'
import { claimAgain } from '../support/claims.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

/** A provider that answers what the test tells it to. */
let answers: (message: Outgoing) => Outcome | Promise<Outcome>
let asked: { id: string; attempt: number; at: Date; text: string }[] = []
const provider: Channel = {
  send: async (message) => {
    const { content } = message
    const text = content.kind === 'verification' ? content.code : content.text
    asked.push({ id: message.id, attempt: message.attempt, at: server.runtime.now(), text })
    return answers(message)
  },
  verify: () => false,
  parse: () => [],
}

let server: TestServer
beforeAll(async () => {
  server = await startServer({ overrides: { channels: { sandbox: provider } } })
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  answers = () => ({ kind: 'sent' })
})

/** Lets the worker run every second. */
async function workFor(seconds: number): Promise<void> {
  for (let second = 0; second <= seconds; second++) {
    await server.work()
    await server.advance(1)
  }
}

/** Has the provider asked once. @returns seconds until it is asked again, by the queue's own clock, which goes on by itself */
async function waitAfterAsking(id: string): Promise<number> {
  const before = asked.length
  await server.app.worker.runOnce()
  expect(asked).toHaveLength(before + 1)
  const jobs = await server.query<{ seconds: number }>(sql`
    select extract(epoch from start_after - created_on)::float as seconds from pgboss.job
    where state < 'active' and data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
  expect(jobs).toHaveLength(1)
  return jobs[0]!.seconds
}

const notify = async () => {
  const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } }
  return (await server.test.post('/v1/notifications/send', body)).data.request_id as string
}

describe('a message that the channel cannot take yet', () => {
  it('is tried again, after longer and longer waits', async () => {
    answers = ({ attempt }) => (attempt < 5 ? { kind: 'retry', reason: 'busy' } : { kind: 'sent' })
    const id = await notify()
    for (const shortest of [1, 2, 4, 8]) {
      const wait = await waitAfterAsking(id)
      expect(wait).toBeGreaterThanOrEqual(shortest)
      expect(wait).toBeLessThanOrEqual(2 * shortest)
      await server.advance(wait)
    }
    await server.work()
    expect(asked).toHaveLength(5)
    expect(await server.test.status(id)).toBe('sent')
  })

  it("is tried again after the provider's own short waits, and then after longer and longer ones", async () => {
    answers = ({ attempt }) => (attempt < 8 ? { kind: 'retry', reason: 'busy', afterSeconds: 1 } : { kind: 'sent' })
    const id = await notify()
    for (const shortest of [1, 1, 1, 1, 2, 4, 8]) {
      const wait = await waitAfterAsking(id)
      expect(wait).toBeGreaterThanOrEqual(shortest)
      expect(wait).toBeLessThanOrEqual(asked.length <= 3 ? 1 : 2 * shortest)
      await server.advance(wait)
    }
    await server.work()
    expect(await server.test.status(id)).toBe('sent')
  })

  it('is tried again when the provider says so', async () => {
    answers = ({ attempt }) => (attempt === 1 ? { kind: 'retry', reason: 'busy', afterSeconds: 7 } : { kind: 'sent' })
    expect(await waitAfterAsking(await notify())).toBe(7)
    await server.advance(7)
    await server.work()
    expect(asked).toHaveLength(2)
  })

  it('keeps its code: every attempt carries the same digits', async () => {
    answers = ({ attempt }) => (attempt < 4 ? { kind: 'retry', reason: 'busy' } : { kind: 'sent' })
    await server.live.send(newPhone())
    await workFor(20)
    expect(asked).toHaveLength(4)
    expect(new Set(asked.map(({ text }) => text)).size).toBe(1)
  })

  it('is never tried after its code has run out', async () => {
    answers = () => ({ kind: 'retry', reason: 'busy' })
    const id = await server.live.send(newPhone())
    const expiry = server.runtime.now().getTime() + 600_000
    for (let minute = 0; minute < 15; minute++) {
      await server.work()
      await server.advance(60)
    }
    expect(asked.length).toBeGreaterThan(3)
    expect(Math.max(...asked.map(({ at }) => at.getTime()))).toBeLessThan(expiry)
    expect(await server.live.status(id)).toBe('expired')
    const [row] = await server.query(sql`select content from message where id = ${id}`)
    expect(row).toEqual({ content: null })
  })

  it('is given up in the end', async () => {
    // However short a time the provider names: it has about an hour to come to itself.
    answers = ({ attempt }) => ({ kind: 'retry', reason: 'busy', afterSeconds: attempt % 2 })
    const id = await notify()
    for (let tries = 0; tries < 25; tries++) {
      await server.work()
      await server.advance(300)
    }
    expect(asked).toHaveLength(20)
    expect((await server.test.get(`/v1/messages/${id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'channel_unavailable' },
    })
  })
})

it('a code that ran out while it waited is not handed over', async () => {
  const id = await server.live.send(newPhone())
  await server.advance(600)
  await server.work()
  expect(asked).toEqual([])
  expect(await server.live.status(id)).toBe('expired')
})

it('a message that the channel refuses fails with its reason', async () => {
  answers = () => ({ kind: 'failed', code: 'rejected_by_channel', reason: 'refused' })
  const id = await notify()
  await server.work()
  expect((await server.test.get(`/v1/messages/${id}`)).data).toMatchObject({
    status: 'failed',
    error: { code: 'rejected_by_channel' },
  })
})

it('a line of the log says of each answer that was no yes, why', async () => {
  answers = ({ attempt }) =>
    attempt === 1
      ? { kind: 'retry', reason: 'busy' }
      : { kind: 'failed', code: 'rejected_by_channel', reason: '17 (no)' }
  const id = await notify()
  await workFor(4)
  const lines = server.runtime.lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
  expect(lines.filter(({ msg }) => msg === 'delivery')).toMatchObject([
    { outcome: 'retry', reason: 'busy' },
    { outcome: 'failed', reason: '17 (no)' },
  ])
})

it('a bug in a channel loses no message, and shows nothing of it in the log', async () => {
  answers = ({ attempt, content, phone }) => {
    if (attempt === 1) throw new SyntaxError(`cannot read ${JSON.stringify(content)} for ${phone}`)
    return { kind: 'sent' }
  }
  const phone = newPhone()
  const id = await server.live.send(phone)
  await workFor(5)
  expect(asked).toHaveLength(2)
  expect(await server.live.status(id)).toBe('sent')
  const log = server.runtime.lines.join('')
  expect(log).toContain('an error of this service')
  expect(log).not.toContain(phone)
  expect(log).not.toContain(asked[0]?.text)
})

describe('a job of several messages', () => {
  /** Sends so many, and puts them into one job, as those of a moment are. @returns their ids */
  const notifyMany = async (count: number) => {
    const ids = await Promise.all(Array.from({ length: count }, notify))
    await server.query(sql`with apart as (
        delete from pgboss.job where name = 'deliver-sandbox' and state = 'created' returning data
      )
      insert into pgboss.job (name, data, policy)
      select 'deliver-sandbox', jsonb_build_object('messages', jsonb_agg(message)), 'standard'
      from apart, jsonb_array_elements(data -> 'messages') as part (message)`)
    return ids
  }

  it('is claimed again when one of them could not be settled, and the others are done', async () => {
    const ids = await notifyMany(5)
    const [lost] = ids
    answers = ({ id, attempt }) =>
      // No database takes such a text: settling it fails.
      id === lost && asked.length <= 5 && attempt === 1 ? { kind: 'retry', reason: '\0' } : { kind: 'sent' }
    await expect(server.work()).rejects.toMatchObject({ cause: { code: '22021' } })
    expect(await Promise.all(ids.map(server.test.status))).toEqual(['queued', 'sent', 'sent', 'sent', 'sent'])
    await claimAgain(server, lost!)
    await server.work()
    expect(asked.map(({ id }) => id).slice(5)).toEqual([lost])
    expect(await server.test.status(lost as string)).toBe('sent')
    expect(await openJobs()).toBe(0)
  })

  it('has each of them settled as its answer comes', async () => {
    const ids = await notifyMany(5)
    const [slow, ...quick] = ids as [string, ...string[]]
    const held = Promise.withResolvers<void>()
    answers = async ({ id }) => {
      if (id === slow) await held.promise
      return { kind: 'sent' }
    }
    const work = server.work()
    await expect.poll(() => Promise.all(quick.map(server.test.status))).toEqual(quick.map(() => 'sent'))
    expect(await server.test.status(slow)).toBe('queued')
    held.resolve()
    await work
    expect(await server.test.status(slow)).toBe('sent')
    expect(await openJobs()).toBe(0)
  })
})

describe('a worker that is held up after it claimed a job', () => {
  it('asks nobody when its time for the job is over: another worker does by now', async () => {
    const id = await notify()
    const { hold, stuckAt } = server.database!
    const release = await hold('message')
    const work = expect(server.work()).rejects.toMatchObject({ cause: { message: 'the claim of the job runs out' } })
    await expect.poll(() => stuckAt('join message m'), { interval: 10 }).not.toEqual([])
    server.runtime.advance(31)
    await release()
    await work
    expect(asked).toEqual([])
    await claimAgain(server, id)
    await server.work()
    expect(asked.map(({ attempt }) => attempt)).toEqual([1])
    expect(await server.test.status(id)).toBe('sent')
  })
})

it("the service's own want of a database is no attempt of the channel", async () => {
  const sandbox = await startServer({ beside: server })
  const { hold, stuckAt, terminate } = server.database!
  const id = await notify()
  const release = await hold('sandbox_message')
  const work = expect(sandbox.work()).rejects.toSatisfy(isUnavailable)
  await expect.poll(() => stuckAt('insert into sandbox_message'), { interval: 10 }).toHaveLength(1)
  await terminate(await stuckAt('insert into sandbox_message'))
  await release()
  await work
  const attempts = async () =>
    (
      await server.query(sql`select status, delivery_attempts as attempts, jsonb_array_length(timeline) as steps
      from message where id = ${id}`)
    )[0]
  expect(await attempts()).toEqual({ status: 'queued', attempts: 0, steps: 1 })
  await claimAgain(server, id)
  await sandbox.work()
  expect(await attempts()).toMatchObject({ status: 'delivered', attempts: 1 })
  await sandbox.close()
})

it('a message whose workers died again and again fails rather than stays', async () => {
  const id = await notify()
  const [row] = await server.query<{ account_id: string }>(sql`select account_id from message where id = ${id}`)
  const messages = [{ accountId: row?.account_id, id }]
  await server.query(sql`delete from pgboss.job where name = 'deliver-sandbox'
    and data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
  await server.query(sql`insert into pgboss.job (name, data, policy)
    values ('abandoned', ${JSON.stringify({ messages })}::text::jsonb, 'standard')`)
  await server.work()
  expect((await server.test.get(`/v1/messages/${id}`)).data).toMatchObject({ error: { code: 'not_delivered' } })
})

async function openJobs(): Promise<number> {
  const [row] = await server.query<{ count: number }>(
    sql`select count(*)::int as count from pgboss.job where state < 'completed' and name = 'deliver-sandbox'`,
  )
  return row?.count as number
}
