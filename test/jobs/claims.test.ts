/** Jobs whose worker cannot do them for want of a database, and jobs whose workers die. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { queues } from '../../src/app/queues.ts'
import type { Channel } from '../../src/delivery/channel.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { isUnavailable } from '../../src/store/engine/failure.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { passClaims } from '../support/claims.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let asked: string[] = []
const provider: Channel = {
  send: async ({ id }) => {
    asked.push(id)
    return { kind: 'sent' }
  },
  verify: () => false,
  parse: () => [],
}
const overrides = { channels: { sandbox: provider } }

let server: TestServer
/** It waits for no read for long. */
let hasty: TestServer
/** Whoever waits for an answer of it, is told at once to come again. */
let impatient: TestServer
let database: Database
let queue: Queue
beforeAll(async () => {
  server = await startServer({ overrides })
  hasty = await startServer({ beside: server, overrides: { ...overrides, groups: { waitMs: 50, readMs: 50 } } })
  impatient = await startServer({ beside: server, overrides: { ...overrides, groups: { workMs: 1 } } })
  database = await connect(server.database!.settings)
  queue = await openQueue(database, queues, { log: server.runtime.log, supervise: false })
})
afterAll(async () => {
  await queue.close()
  await database.close()
  await impatient.close()
  await hasty.close()
  await server.close()
})
beforeEach(() => {
  asked = []
})

const notify = async () => {
  const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } }
  return (await server.test.post('/v1/notifications/send', body)).data.request_id as string
}
const soon = { interval: 10 }
/** More often than a job may be lost with its worker. */
const manyTimes = 6

it('a message that was offered to none waits for the database, however often its job was claimed', async () => {
  const id = await notify()
  const release = await server.database!.hold('message')
  for (let times = 0; times < manyTimes; times++) {
    await expect(hasty.work()).rejects.toSatisfy(isUnavailable)
    await passClaims(database)
  }
  await release()
  await server.work()
  expect(asked).toEqual([id])
  expect(await server.test.status(id)).toBe('sent')
})

it('a message whose workers die again and again fails, also when those die that fail it', async () => {
  const id = await notify()
  for (const name of ['deliver-sandbox', 'abandoned']) {
    for (let times = 0; (await queue.claim(name, 9)).length > 0 && times < manyTimes; times++)
      await passClaims(database)
  }
  expect(await server.test.status(id)).toBe('queued')
  await passClaims(database)
  await server.work()
  expect(asked).toEqual([])
  expect((await server.test.get(`/v1/messages/${id}`)).data).toMatchObject({ error: { code: 'not_delivered' } })
})

it('a code reaches the phone a few times at most, however long its hand-over cannot be written down', async () => {
  const { hold, stuckAt, terminate } = server.database!
  const id = await server.test.send(newPhone())
  const release = await hold('message', 'share')
  for (let times = 0; times < manyTimes; times++) {
    let isOver = false
    const work = server.work().finally(() => {
      isOver = true
    })
    const ended = expect(work).rejects.toThrow()
    while (!isOver) await terminate(await stuckAt('with locked as'))
    await ended
    await passClaims(database)
  }
  await release()
  expect(asked).toEqual([id, id, id, id])
  await server.query(sql`delete from pgboss.job where name = 'abandoned'`)
})

describe('a notification that may leave', () => {
  const unsureOf = async (id: string) => {
    const [row] = await server.query<{ unsure: number }>(sql`select unsure from message where id = ${id}`)
    return row?.unsure
  }

  it('is asked for when it is counted, however long that takes', async () => {
    const { hold, stuckAt } = server.database!
    const id = await notify()
    const release = await hold('message', 'share')
    const work = impatient.work()
    await expect.poll(() => stuckAt('set unsure'), soon).toHaveLength(1)
    await release()
    await work
    expect(asked).toEqual([id])
    expect(await server.test.status(id)).toBe('sent')
  })

  it('is not counted when it was too late to ask for it then', async () => {
    const { hold, stuckAt } = server.database!
    const id = await notify()
    for (let times = 0; times < 3; times++) {
      const release = await hold('message', 'share')
      const work = expect(server.work()).rejects.toMatchObject({ cause: { message: 'the claim of the job runs out' } })
      await expect.poll(() => stuckAt('set unsure'), soon).toHaveLength(1)
      server.runtime.advance(20)
      await release()
      await work
      expect(await unsureOf(id)).toBe(0)
      await passClaims(database)
    }
    expect(asked).toEqual([])
    await server.work()
    expect(asked).toEqual([id])
  })
})

describe('a worker that has a job for too long to ask for its messages', () => {
  const tooLate = { cause: { message: 'the claim of the job runs out' } }

  it('because its claim was answered late, leaves it to the next one', async () => {
    const { hold, stuckAt } = server.database!
    const id = await server.test.send(newPhone())
    const release = await hold('pgboss.job')
    const work = expect(server.work()).rejects.toMatchObject(tooLate)
    await expect.poll(() => stuckAt("name = 'deliver-sandbox'"), soon).toHaveLength(1)
    server.runtime.advance(20)
    await release()
    await work
    expect(asked).toEqual([])
    await server.work()
    expect(asked).toEqual([id])
  })
})

it('a worker goes on with its jobs as soon as the database can be read again', async () => {
  const id = await notify()
  const release = await server.database!.hold('message')
  hasty.app.worker.start()
  await expect.poll(() => server.runtime.lines.join(''), soon).toContain('the worker cannot do its jobs')
  await release()
  // A claim lasts for longer.
  await expect.poll(() => server.test.status(id), { ...soon, timeout: 20_000 }).toBe('sent')
  await hasty.app.worker.stop()
})
