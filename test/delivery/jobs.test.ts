/** Jobs that come again, or together: a message is with one of them, and goes once. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createMove } from '../../src/domain/message.ts'
import type { Client } from '../support/client.ts'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'
import { silence } from '../support/silence.ts'

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

/** Does what the queue does with the jobs of a message whose worker died before it could complete them. */
async function claimAgain(id: string): Promise<void> {
  await routes.server.query(sql`update pgboss.job set state = 'retry', completed_on = null, start_after = now()
    where data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
}

it('what a connection took is not given to it again, though another one stands behind it', async () => {
  const { notify, live } = await notifier(wa(), tg())
  const id = await notify()
  await routes.server.work()
  await claimAgain(id)
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

it('goes once by the next connection, though the job of the one before is claimed together with its own', async () => {
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
  await routes.server.query(sql`insert into pgboss.job (name, data, policy)
    select name, data, policy from pgboss.job where data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
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

it('of a message that is erased while the end of its hand-over is being written, nothing is kept', async () => {
  const { accountId, live } = await accountWith(wa())
  const phone = newPhone()
  const id = await live.send(phone)
  const { app, commit, database, runtime } = routes.server
  const move = createMove({ dispatch: async () => {}, events: silence })
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

it('what this process cannot open has not left, tells nothing of the provider, and goes when it can be opened', async () => {
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
