/** Jobs that come again, or together: a message is with one of them, and goes once. */
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createMove } from '../../src/domain/sending/message.ts'
import { claimAgain } from '../support/claims.ts'
import type { Client } from '../support/client.ts'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'
import { noOptOuts, silence } from '../support/silence.ts'

const routes = createRoutes()
const { accountWith, connections, report } = routes

/** An account with these connections and a template. @returns its id, and what sends a notification */
async function notifier(...list: Parameters<typeof accountWith>) {
  const { accountId, live } = await accountWith(...list)
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  return { accountId, live, notify: () => notifyBy(live) }
}

async function notifyBy(live: Client): Promise<string> {
  const body = { phone: newPhone(), template: 'hello', variables: {} }
  return (await live.post('/v1/notifications/send', body)).data.request_id as string
}

/** Puts what waits for WhatsApp into one job, as messages of a moment are. */
async function putIntoOneJob(): Promise<void> {
  await routes.server.query(sql`with apart as (
      delete from pgboss.job where name = 'deliver-whatsapp' and state = 'created' returning data
    )
    insert into pgboss.job (name, data, policy)
    select 'deliver-whatsapp', jsonb_build_object('messages', jsonb_agg(message)), 'standard'
    from apart, jsonb_array_elements(data -> 'messages') as part (message)`)
}

/** Gives a message to one worker more. */
async function copyJob(id: string): Promise<void> {
  await routes.server.query(sql`insert into pgboss.job (name, data, policy, priority, group_id)
    select name, data, policy, priority, group_id from pgboss.job where data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
}

describe('of a job with two messages, of which the outcome of one was not saved', () => {
  /** The provider has told the other one to wait. */
  const loseOne = async () => {
    const { accountId, notify, live } = await notifier(wa())
    const [told, lost] = [await notify(), await notify()]
    await putIntoOneJob()
    routes.answers = {
      'wa-eu': ({ id }) => {
        if (routes.asked.filter((message) => message.id === id).length > 1) return { kind: 'sent' }
        // No database takes such a text: settling it fails.
        return id === told ? { kind: 'retry', reason: 'busy', afterSeconds: 300 } : { kind: 'retry', reason: '\0' }
      },
    }
    await expect(routes.server.work()).rejects.toMatchObject({ cause: { code: '22021' } })
    return { accountId, live, told, lost }
  }
  const askedSince = () => routes.asked.slice(2).map(({ id, attempt }) => [id, attempt])

  it('only that one is asked for when the job comes again; the other one when its time has come', async () => {
    const { live, told, lost } = await loseOne()
    await claimAgain(routes.server, lost)
    await routes.server.work()
    expect(askedSince()).toEqual([[lost, 1]])
    await routes.server.advance(300)
    await routes.server.work()
    expect(askedSince()).toEqual([
      [lost, 1],
      [told, 2],
    ])
    expect(await live.status(told)).toBe('sent')
  })

  it('only that one fails when the job is given up', async () => {
    const { live, told, lost } = await loseOne()
    await routes.server.query(sql`insert into pgboss.job (name, data, policy) select 'abandoned', data, policy
      from pgboss.job where data -> 'messages' @> ${JSON.stringify([{ id: lost }])}::text::jsonb`)
    await routes.server.work()
    expect(await Promise.all([told, lost].map(live.status))).toEqual(['queued', 'failed'])
    await routes.server.advance(300)
    await routes.server.work()
    expect(await live.status(told)).toBe('sent')
  })
})

it('what two workers have asked for at once, and were told to wait, is asked for once more', async () => {
  const { live } = await accountWith(wa())
  routes.answers = {
    'wa-eu': ({ attempt }) => (attempt === 1 ? { kind: 'retry', reason: 'busy', afterSeconds: 5 } : { kind: 'sent' }),
  }
  const id = await live.send(newPhone())
  await copyJob(id)
  for (let second = 0; second < 10; second++) {
    await routes.server.work()
    await routes.server.advance(1)
  }
  expect(routes.asked.map(({ attempt }) => attempt)).toEqual([1, 1, 3])
  expect(await live.status(id)).toBe('sent')
})

it('a job of the version before, which does not say how often a message was asked for, brings it', async () => {
  const { live, notify } = await notifier(wa())
  routes.answers = {
    'wa-eu': ({ attempt }) => (attempt === 1 ? { kind: 'retry', reason: 'busy', afterSeconds: 5 } : { kind: 'sent' }),
  }
  const id = await notify()
  await routes.server.work()
  await routes.server.query(sql`update pgboss.job set data = data #- '{messages,0,attempts}' where state = 'created'`)
  await routes.server.advance(5)
  await routes.server.work()
  expect(routes.asked.map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(await live.status(id)).toBe('sent')
})

it('what a connection took is not given to it again, though another one stands behind it', async () => {
  const { notify, live } = await notifier(wa(), tg())
  const id = await notify()
  await routes.server.work()
  await claimAgain(routes.server, id)
  await routes.server.work()
  expect(connections()).toEqual(['wa-eu'])
  expect(await live.status(id)).toBe('sent')
})

it('what a connection took does not fail with the job that brought it', async () => {
  const { accountId, notify, live } = await notifier(wa(), tg())
  const id = await notify()
  await routes.server.work()
  await routes.server.query(sql`insert into pgboss.job (name, data, policy)
    values ('abandoned', ${JSON.stringify({ messages: [{ accountId, id, leg: 1 }] })}::text::jsonb, 'standard')`)
  await routes.server.work()
  expect(await live.status(id)).toBe('sent')
})

it('goes once by the next connection, though the job of the one before is claimed with its own', async () => {
  const { accountId, notify } = await notifier(wa(), wa({ id: 'wa-us' }))
  routes.answers = { 'wa-eu': () => ({ kind: 'retry', reason: 'busy', afterSeconds: 5 }) }
  const id = await notify()
  await routes.server.work()
  await report(accountId, 'wa-eu', id, { status: 'failed' })
  await routes.server.advance(5)
  await routes.server.work()
  expect(connections()).toEqual(['wa-eu', 'wa-us'])
})

it('a notification that two workers were given goes once: by the one that marks it first', async () => {
  const { notify, live } = await notifier(wa())
  const id = await notify()
  // The job of the message, and the one that a retry of it had left when their worker died.
  await copyJob(id)
  await routes.server.work()
  expect(connections()).toEqual(['wa-eu'])
  expect(await live.status(id)).toBe('sent')
})

it('of a message that was erased while a provider was asked, nothing is kept', async () => {
  const { accountId, live } = await accountWith(wa())
  const phone = newPhone()
  routes.answers = {
    'wa-eu': async () => {
      await routes.server.app.forget(phone)
      return { kind: 'sent', providerMessageId: 'wamid.9' }
    },
  }
  await live.send(phone)
  await routes.server.work()
  expect(connections()).toEqual(['wa-eu'])
  expect(await routes.server.query(sql`select * from leg where account_id = ${accountId}`)).toEqual([])
})

it('a message that was erased while its connection was looked up is not sent', async () => {
  const { live } = await accountWith(wa())
  const { app, database, runtime } = routes.server
  const phone = newPhone()
  await live.send(phone)
  // Its connections are looked up again.
  runtime.advance(5)
  const release = await database!.hold('connection')
  const work = routes.server.work()
  await expect.poll(() => database!.stuckAt('join connection c'), { interval: 10 }).toHaveLength(1)
  runtime.advance(1)
  await app.forget(phone)
  await release()
  await work
  expect(connections()).toEqual([])
})

it('of a message that is erased while the end of its hand-over is being written, nothing is kept', async () => {
  const { accountId, live } = await accountWith(wa())
  const phone = newPhone()
  const id = await live.send(phone)
  const { app, commit, database, runtime } = routes.server
  const move = createMove({ dispatch: async () => {}, events: silence, optOuts: noOptOuts })
  let erased: Promise<unknown> | undefined
  await commit.transaction(async (tx) => {
    const taken = { status: 'sent', taken: true, providerMessageId: 'wamid.10' } as const
    await move(tx, [{ accountId, id, connection: 'wa-eu', at: runtime.now(), ...taken }])
    erased = app.forget(phone)
    await expect.poll(() => database!.stuckAt('from message where phone'), { interval: 10 }).toHaveLength(1)
  })
  expect(await erased).toMatchObject({ messages: 1 })
  expect(await routes.server.query(sql`select * from leg where account_id = ${accountId}`)).toEqual([])
})

it('what this process cannot open tells nothing of the provider, and goes once it can be opened', async () => {
  const { notify, live } = await notifier(wa())
  const ids = await Promise.all(Array.from({ length: 11 }, notify))
  const put = (value: string) =>
    routes.server.query(sql`update message set content = decode(${value}, 'hex') || substring(content from 5)
      where id in ${ids}`)
  const [row] = await routes.server.query<{ key: string }>(
    sql`select encode(substring(content for 4), 'hex') as key from message where id = ${ids[0]}`,
  )
  await put('00000000')
  for (let tries = 0; tries < 3; tries++) {
    await routes.server.work()
    await routes.server.advance(10)
  }
  expect(connections()).toEqual([])
  expect(await live.status(ids[0] as string)).toBe('queued')
  await put(row?.key as string)
  await routes.server.work()
  expect(connections()).toHaveLength(11)
})
