/** An account whose provider does not answer, and for which more waits than the service has under way: what others notice of it. */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/delivery/channel.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { sealContent } from '../../src/domain/sending/content.ts'
import { createDispatch } from '../../src/domain/sending/dispatch.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { insertMessages, type NewMessage } from '../../src/store/sending/message.ts'
import { testConfig } from '../support/config.ts'
import { createRoutes, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const [slow, quick] = [wa({ id: 'slow' }), wa({ id: 'quick' })]
/** More than all lanes together may have under way. */
const many = 4000
const soon = { interval: 20, timeout: 20_000 }

let beside: Database
let queue: Queue
beforeAll(async () => {
  beside = await connect(routes.server.database!.settings)
  queue = await openQueue(beside, [{ name: 'deliver-whatsapp' }], { log: routes.server.runtime.log, supervise: false })
  routes.server.app.worker.start()
})
afterAll(async () => {
  await routes.server.app.worker.stop()
  await queue.close()
  await beside.close()
})

type Kind = NewMessage['kind']

interface Waiting {
  kind?: Kind
  route?: string[]
  /** Since they were made. */
  seconds?: number
}

/** Messages of an account that wait for the worker. @returns their ids */
async function put(
  accountId: string,
  count: number,
  { kind = 'verification', route = ['slow'], seconds = 0 }: Waiting,
) {
  const { runtime, commit, database } = routes.server
  const secrets = createSecrets([...testConfig(database!.settings).secrets!])
  const at = new Date(runtime.now().getTime() - seconds * 1000)
  const expiresAt = kind === 'verification' ? new Date(at.getTime() + 600_000) : null
  const content =
    kind === 'verification' ? { kind, code: '123456' } : { kind, template: 't', variables: {}, text: 'x', channels: {} }
  const made = Array.from({ length: count }, (): NewMessage => {
    const id = `req_${runtime.newId()}`
    const about = { accountId, id, mode: 'live', kind, phone: newPhone(), route, status: 'queued' } as const
    // What is made from no template may be the text of a code.
    const from = kind === 'notification' ? { template: 't' } : {}
    return {
      ...about,
      ...from,
      keyId: 'key_1',
      content: sealContent(secrets, { accountId, id }, content),
      at,
      expiresAt,
    }
  })
  const dispatch = createDispatch({ queue, kindOf: () => 'whatsapp' })
  const isLast = route.length === 1
  await commit.transaction(async (tx) => {
    insertMessages(tx, made)
    await dispatch(
      tx,
      made.map((message) => ({ ...message, isUrgent: kind === 'verification', leg: 1, connection: route[0]!, isLast })),
    )
  })
  return made.map(({ id }) => id)
}

async function untouchedCodes(): Promise<number> {
  const [row] = await routes.server.query<{ count: number }>(
    sql`select count(*)::int as count from pgboss.job where state < 'active' and priority > 0`,
  )
  return row?.count as number
}

/** Messages of an account that no worker has looked at: what is put back comes later than it was made. */
async function untouched(accountId: string): Promise<number> {
  const [row] = await routes.server.query<{ count: number }>(sql`
    select coalesce(sum(jsonb_array_length(data -> 'messages')), 0)::int as count from pgboss.job
    where state < 'active' and started_on is null and start_after <= created_on and data -> 'messages' -> 0 ->> 'accountId' = ${accountId}`)
  return row?.count as number
}

const isAsked = (id: string) => routes.asked.some((message) => message.id === id)

/** No connection with the id `slow` answers before the test is over. */
let hanging = Promise.withResolvers<Outcome>()
const hang = () => {
  hanging = Promise.withResolvers()
  routes.answers = { slow: () => hanging.promise }
}
afterEach(async () => {
  await routes.server.query(sql`delete from pgboss.job where state < 'active'`)
  hanging.resolve({ kind: 'sent' })
  const active = () => routes.server.query(sql`select id from pgboss.job where state = 'active'`)
  await expect.poll(active, soon).toEqual([])
})

describe('a code of another account', () => {
  it.each([
    ['codes of one account', 1, 'verification'],
    ['notifications of one account', 1, 'notification'],
    ['codes of four accounts', 4, 'verification'],
  ] as const)('is handed over while most %s are not looked at yet, and none came to an end', async (...given) => {
    const [, accounts, kind] = given
    const { accountId: other, live } = await routes.accountWith(quick)
    const crowd: string[] = []
    for (let index = 0; index < accounts; index++) crowd.push((await routes.accountWith(slow)).accountId)
    hang()
    for (const accountId of crowd) await put(accountId, many / accounts, { kind })
    const [id] = await put(other, 1, { route: ['quick'] })
    await expect.poll(() => isAsked(id!), soon).toBe(true)
    // What was claimed in vain is being handed back.
    const left = async () => (await Promise.all(crowd.map(untouched))).reduce((sum, count) => sum + count)
    await expect.poll(left, soon).toBeGreaterThan(many / 8)
    await expect.poll(() => live.status(id!), soon).toBe('sent')
  })
})

describe('of one account', () => {
  it('a code is handed over as soon as its connection has a place, before all waiting notifications', async () => {
    const { accountId } = await routes.accountWith(slow)
    hang()
    await put(accountId, many, { kind: 'notification' })
    await expect.poll(() => routes.asked.length, soon).toBe(64)
    const [id] = await put(accountId, 1, {})
    // On its way to the line for a place.
    await expect.poll(() => untouchedCodes(), soon).toBe(0)
    const next = () => {
      hanging.resolve({ kind: 'sent' })
      hanging = Promise.withResolvers()
      return isAsked(id!)
    }
    await expect.poll(next, { ...soon, interval: 500 }).toBe(true)
    expect(routes.asked.slice(0, 4 * 64).map((message) => message.id)).toContain(id)
  })

  it('codes go on to another connection at their time, though those that cannot take up what there is', async () => {
    const { accountId } = await routes.accountWith(slow, quick)
    hang()
    await put(accountId, many, {})
    await expect.poll(() => routes.asked.length, soon).toBe(64)
    const ids = await put(accountId, 200, { route: ['slow', 'quick'], seconds: 9 })
    await expect.poll(() => ids.every(isAsked), soon).toBe(true)
    expect(new Set(routes.asked.filter(({ id }) => ids.includes(id)).map(({ connection }) => connection))).toEqual(
      new Set(['quick']),
    )
    expect(await untouched(accountId)).toBeGreaterThan(many / 4)
  })

  it('what waits behind a connection that has no place is neither written nor claimed over and over', async () => {
    const { accountId } = await routes.accountWith(slow)
    hang()
    await put(accountId, many, {})
    await expect.poll(() => routes.asked.length, soon).toBe(64)
    const { accountId: other } = await routes.accountWith(quick)
    routes.answers = { slow: () => hanging.promise }
    for (let times = 0; times < 4; times++) {
      const [id] = await put(other, 1, { route: ['quick'] })
      await expect.poll(() => isAsked(id!), soon).toBe(true)
    }
    expect(await untouched(accountId)).toBeGreaterThan(many / 4)
    const counted = sql`select max(retry_count)::int as count from pgboss.job where name = 'deliver-whatsapp'`
    expect(await routes.server.query(counted)).toEqual([{ count: 0 }])
  })
})
