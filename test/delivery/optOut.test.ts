/** Opt-outs: what becomes of notifications to a phone whose owner has told a provider STOP. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Outcome } from '../../src/delivery/channel.ts'
import { createActCommit } from '../../src/domain/access/act.ts'
import { commandLine } from '../../src/domain/access/actor.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { createExports } from '../../src/domain/sending/messageExport.ts'
import { maskPhone } from '../../src/domain/sending/phone.ts'
import { createManagedOptOuts } from '../../src/domain/sending/phones/managedOptOuts.ts'
import type { Client } from '../support/client.ts'
import { createRoutes, tg } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'
import { silence } from '../support/silence.ts'

const routes = createRoutes()
const { accountWith, connections, notes, report } = routes

const stop: Outcome = { kind: 'failed', code: 'opted_out', reason: '21610 (STOP)' }
const busy: Outcome = { kind: 'retry', reason: 'too fast', afterSeconds: 60 }

const notify = (live: Client, phone: string, headers = {}) =>
  live.post('/v1/notifications/send', { phone, template: 'hello', variables: {} }, headers)

async function accountOfTwo() {
  const account = await accountWith(tg(), tg({ id: 'tg-2' }))
  await routes.server.app.templates.apply(account.accountId, [{ slug: 'hello', text: 'Hello' }])
  return account
}

/** An account, and a phone that its first connection has refused. */
async function optedOut() {
  const account = await accountOfTwo()
  const phone = newPhone()
  routes.answers = { tg: () => stop }
  const id = (await notify(account.live, phone)).data.request_id as string
  await routes.server.work()
  routes.answers = {}
  return { ...account, phone, id }
}

it('a notification refused for an opt-out ends there: no other connection sends it', async () => {
  const { live, id } = await optedOut()
  expect(connections()).toEqual(['tg'])
  expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({ status: 'failed', error: { code: 'opted_out' } })
  expect(await notes(id)).toEqual(['tg: 21610 (STOP)'])
})

it('the next notification to that phone is refused, and no provider is asked; others get theirs', async () => {
  const { live, phone } = await optedOut()
  expect(await notify(live, phone)).toMatchObject({ status: 403, data: { code: 'opted_out' } })
  expect(await notify(live, newPhone())).toMatchObject({ status: 200 })
  await routes.server.work()
  expect(connections()).toEqual(['tg', 'tg'])
})

it('a refusal for an opt-out is kept under its Idempotency-Key', async () => {
  const { live, phone } = await optedOut()
  const headers = { 'Idempotency-Key': 'order-1042' }
  const first = await notify(live, phone, headers)
  expect(first.status).toBe(403)
  expect(await notify(live, phone, headers)).toMatchObject({ status: 403, data: { code: 'opted_out' } })
})

it('a report of an opt-out ends a notification like an answer does', async () => {
  const { accountId, live } = await accountOfTwo()
  const phone = newPhone()
  const id = (await notify(live, phone)).data.request_id as string
  await routes.server.work()
  await report(accountId, 'tg', id, { status: 'failed', errorCode: 'opted_out', reason: '21610' })
  await routes.server.work()
  expect(connections()).toEqual(['tg'])
  expect(await live.status(id)).toBe('failed')
  expect(await notify(live, phone)).toMatchObject({ status: 403, data: { code: 'opted_out' } })
})

it('a refusal of marketing alone ends marketing by every channel, and nothing else', async () => {
  const { accountId, live } = await accountOfTwo()
  const categories = ['utility', 'marketing'] as const
  const entries = categories.map((category) => ({ slug: category, category, text: 'Hello' }))
  await routes.server.app.templates.apply(accountId, entries)
  const send = (to: string, template: string) =>
    live.post<{ request_id: string }>('/v1/notifications/send', { phone: to, template, variables: {} })
  const phones = [newPhone(), newPhone()]
  const noMarketing = { code: 'opted_out', reason: '131050', isMarketingAlone: true } as const
  routes.answers = {
    tg: (message) => (message.phone === phones[0] ? { kind: 'failed', ...noMarketing } : { kind: 'sent' }),
  }
  const ids: string[] = []
  for (const phone of phones) ids.push((await send(phone, 'marketing')).data.request_id)
  await routes.server.work()
  // Of the other phone, a report says it.
  const { code: errorCode, ...told } = noMarketing
  await report(accountId, 'tg', ids[1]!, { status: 'failed', errorCode, ...told })
  await routes.server.work()
  expect(connections()).toEqual(['tg', 'tg'])
  for (const phone of phones) {
    expect(await send(phone, 'marketing')).toMatchObject({ status: 403, data: { code: 'opted_out' } })
    expect(await send(phone, 'utility')).toMatchObject({ status: 200 })
  }
  await routes.server.work()
})

it.each([0, 1])('of two refusals to one phone, told together, that of everything counts: %i', async (lesser) => {
  const { accountId, live } = await accountOfTwo()
  const phone = newPhone()
  const ids: string[] = []
  for (let sent = 0; sent < 2; sent++) ids.push((await notify(live, phone)).data.request_id as string)
  await routes.server.work()
  const told = ids.map((id, place) => ({
    ...{ message: { accountId, id }, at: routes.server.runtime.now(), status: 'failed', errorCode: 'opted_out' },
    ...(place === lesser && { isMarketingAlone: true }),
  }))
  const report = { headers: { signature: 'good' }, body: Buffer.from(JSON.stringify(told)) }
  expect(await routes.server.app.receipts.accept({ accountId, connection: 'tg' }, report)).toBe('accepted')
  const [row] = await routes.server.query(sql`select category from opt_out where account_id = ${accountId}`)
  expect(row).toEqual({ category: 'all' })
})

it('a notification that waits while its recipient opts out ends as failed, and no provider is asked', async () => {
  const { live } = await accountOfTwo()
  const phone = newPhone()
  routes.answers = { tg: () => busy }
  const waiting = (await notify(live, phone)).data.request_id as string
  await routes.server.work()
  routes.answers = { tg: () => stop }
  await notify(live, phone)
  await routes.server.work()
  routes.answers = {}
  await routes.server.advance(120)
  await routes.server.work()
  expect(connections()).toEqual(['tg', 'tg'])
  expect((await live.get(`/v1/messages/${waiting}`)).data).toMatchObject({
    status: 'failed',
    error: { code: 'opted_out' },
  })
})

it('codes go on to a phone that has opted out, and by the next connection where the first refuses', async () => {
  const { live, phone } = await optedOut()
  routes.answers = { tg: () => stop }
  const id = await live.send(phone)
  await routes.server.work()
  expect(connections()).toEqual(['tg', 'tg', 'tg-2'])
  expect(await live.status(id)).toBe('sent')
})

it('a code refused for an opt-out stops later notifications to that phone', async () => {
  const { live } = await accountOfTwo()
  const phone = newPhone()
  routes.answers = { tg: () => stop }
  await live.send(phone)
  await routes.server.work()
  expect(await notify(live, phone)).toMatchObject({ status: 403, data: { code: 'opted_out' } })
})

it('a phone whose opt-out is removed gets notifications again; the audit has its number masked', async () => {
  const { accountId, live, phone } = await optedOut()
  const reason = 'The provider was wrong'
  const remove = () => routes.server.app.optOuts.remove(accountId, { phone, reason })
  expect([await remove(), await remove()]).toEqual([true, false])
  expect(await notify(live, phone)).toMatchObject({ status: 200 })
  const acts = await routes.server.query<{ subject: string; detail: unknown }>(
    sql`select subject, detail from audit where account_id = ${accountId} and act = 'opt-out.removed'`,
  )
  expect(acts).toEqual([{ subject: maskPhone(phone), detail: { reason } }])
  const withPhone = routes.server.app.optOuts.remove(accountId, { phone, reason: `${phone.slice(1)} called` })
  await expect(withPhone).rejects.toThrow('The reason has seven digits or more')
  await expect(routes.server.app.optOuts.remove(accountId, { phone: '415 555' })).rejects.toThrow(
    'Cannot read this as a phone number: it does not begin with +',
  )
})

it('an opt-out is not said to be none by who has another secret than the service', async () => {
  const { accountId, phone } = await optedOut()
  const { commit: shared, runtime } = routes.server
  const commit = createActCommit(shared, { runtime })
  const { remove } = createManagedOptOuts({
    ...{ commit, runtime, events: silence, exports: createExports() },
    secrets: createSecrets(['another secret that is long enough here']),
  })
  await expect(remove(commandLine, accountId, { phone })).rejects.toThrow('set WATCHWORD_SECRET to the same value')
})

it('an opt-out holds for both numbers of a phone, also where its message was kept under the other', async () => {
  const { live } = await accountOfTwo()
  const [plain, withNine] = ['+541136599001', '+5491136599001']
  routes.answers = { tg: () => stop }
  const id = (await notify(live, plain)).data.request_id as string
  // As an earlier version wrote it.
  await routes.server.query(sql`update message set phone = ${plain} where id = ${id}`)
  await routes.server.work()
  for (const phone of [plain, withNine]) {
    expect(await notify(live, phone)).toMatchObject({ status: 403, data: { code: 'opted_out' } })
  }
})

it('an opt-out is of one account: others still send to that phone', async () => {
  const { phone } = await optedOut()
  const other = await accountOfTwo()
  expect(await notify(other.live, phone)).toMatchObject({ status: 200 })
})

it('an opt-out outlives the forgetting of its phone, and nothing of it names the phone', async () => {
  const { accountId, live, phone } = await optedOut()
  await routes.server.app.forget(phone)
  expect(await notify(live, phone)).toMatchObject({ status: 403, data: { code: 'opted_out' } })
  const rows = await routes.server.query<{ row: string }>(
    sql`select to_jsonb(o)::text as row from opt_out o where account_id = ${accountId}`,
  )
  expect(rows).toHaveLength(1)
  expect(JSON.parse(rows[0]!.row)).toMatchObject({ category: 'all', source: 'provider', mode: 'live' })
  expect(rows[0]!.row).not.toContain(phone.slice(2))
})
