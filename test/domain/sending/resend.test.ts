/** A notification that failed is sent again: by people in the dashboard, and by the operator for many at once. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { commandLine } from '../../../src/domain/access/actor.ts'
import { createResends } from '../../../src/domain/sending/notifications/resend.ts'
import type { Client } from '../../support/client.ts'
import { createRoutes, failed, wa } from '../../support/routes.ts'
import { newPhone } from '../../support/server.ts'
import { signIn } from '../../support/visitor.ts'

const routes = createRoutes({ dashboardPort: 0 })

const whatsapp = { name: 'order', language: 'en_US' }
const hello = (text: string) => [{ slug: 'hello', text, channels: { whatsapp } }]
const sendPath = '/v1/notifications/send'

async function accountWithTemplate() {
  const given = await routes.accountWith(wa())
  await routes.server.app.templates.apply(given.accountId, hello('Hello {{name}}'))
  return given
}

async function send(live: Client, more: object = {}): Promise<string> {
  const body = { phone: newPhone(), template: 'hello', variables: { name: 'Ada' }, ...more }
  return (await live.post<{ request_id: string }>(sendPath, body)).data.request_id
}

/** One that no connection took. */
async function sendInVain(live: Client, more: object = {}): Promise<string> {
  routes.answers = { 'wa-eu': () => failed('gone') }
  const id = await send(live, more)
  await routes.server.work()
  routes.answers = {}
  routes.asked = []
  return id
}

/** The first lets what is due go, the second carries it. */
async function workTwice(): Promise<void> {
  await routes.server.work()
  await routes.server.work()
}

const resend = (accountId: string, ...ids: string[]) => routes.server.app.resends.send(accountId, ids)
const told = async (live: Client, id: string) => (await live.get<Record<string, unknown>>(`/v1/messages/${id}`)).data
const textsAsked = () => routes.asked.map(({ content }) => (content as { text?: string }).text)

it('is sent again once from its page, as a new message that names the first', async () => {
  const { accountId, live } = await accountWithTemplate()
  const name = (await routes.server.app.accounts.list()).find(({ id }) => id === accountId)!.name
  const developer = await signIn(routes.server, 'developer', { account: name })
  const viewer = await signIn(routes.server, 'viewer', { account: name })
  const id = await sendInVain(live, { reference: 'order-1042' })
  expect((await developer.get(`/messages/${id}`)).text).toContain('Send again')
  expect((await viewer.get(`/messages/${id}`)).text).not.toContain('Send again')
  expect((await viewer.post(`/messages/${id}/resend`)).status).toBe(403)
  const { text } = await developer.submit(`/messages/${id}/resend`)
  expect(text).toContain('It is sent again as this message')
  await workTwice()
  expect(textsAsked()).toEqual(['Hello Ada'])
  const before = (await developer.get(`/messages/${id}`)).text
  const as = /Sent again.*?href="\/messages\/(req_\w+)"/s.exec(before)?.[1] as string
  expect(await told(live, as)).toMatchObject({ status: 'sent', resend_of: id, reference: 'order-1042' })
  expect(before).not.toContain('/resend')
  expect((await developer.submit(`/messages/${id}/resend`)).text).toContain(`It was sent again before, as ${as}.`)
  await workTwice()
  expect(routes.asked).toHaveLength(1)
  const acts = await routes.server.query(
    sql`select act, name, detail ->> 'message' as message from audit where subject = ${id}`,
  )
  expect(acts).toEqual([{ act: 'message.resent', name: 'a developer', message: as }])
})

it('is made from the template of today, and refused in words where that does not fit', async () => {
  const { accountId, live } = await accountWithTemplate()
  const [one, other, last] = [await sendInVain(live), await sendInVain(live), await sendInVain(live)]
  await routes.server.app.templates.apply(accountId, hello('Dear {{name}}'))
  expect(await resend(accountId, one!)).toMatchObject([{ id: one, as: expect.stringMatching(/^req_/) }])
  await workTwice()
  expect(textsAsked()).toEqual(['Dear Ada'])
  await routes.server.app.templates.apply(accountId, hello('Dear {{first_name}}'))
  expect(await resend(accountId, other!)).toEqual([
    { id: other, refused: 'Its variables do not match the template hello as it is now.' },
  ])
  // What was refused can be sent once the template is right again.
  await routes.server.app.templates.apply(accountId, hello('Dear {{name}}'))
  const outcomes = await resend(accountId, other!, last!)
  expect(outcomes).toMatchObject([{ as: expect.any(String) }, { as: expect.any(String) }])
  await workTwice()
})

it('is in the language that the first one was in', async () => {
  const { accountId, live } = await accountWithTemplate()
  const locales = { de: { text: 'Hallo {{name}}', channels: { whatsapp } } }
  await routes.server.app.templates.apply(accountId, [{ ...hello('Hello {{name}}')[0]!, defaultLocale: 'en', locales }])
  const [outcome] = await resend(accountId, await sendInVain(live, { locale: 'de-AT' }))
  await workTwice()
  expect(textsAsked()).toEqual(['Hallo Ada'])
  expect(await told(live, (outcome as { as: string }).as)).toMatchObject({ template: { slug: 'hello', locale: 'de' } })
})

it('goes to no phone that has opted out by then', async () => {
  const { accountId, live } = await accountWithTemplate()
  const phone = newPhone()
  const id = await sendInVain(live, { phone })
  await live.post('/v1/opt-outs/add', { phone })
  const [outcome] = await resend(accountId, id)
  await workTwice()
  expect(routes.asked).toEqual([])
  const as = (outcome as { as: string }).as
  expect(await told(live, as)).toMatchObject({ status: 'failed', error: { code: 'opted_out' } })
})

it('is sent again once however many ask for it at the same time', async () => {
  const { accountId, live } = await accountWithTemplate()
  const ids = [await sendInVain(live), await sendInVain(live)]
  const outcomes = (await Promise.all(Array.from({ length: 8 }, () => resend(accountId, ...ids)))).flat()
  for (const id of ids) expect(outcomes.filter((one) => one.id === id && 'as' in one)).toHaveLength(1)
  await workTwice()
  expect(routes.asked).toHaveLength(2)
})

it('keeps to the channels that its caller named, and is good for as long as the first', async () => {
  const { accountId, live } = await accountWithTemplate()
  const id = await sendInVain(live, { channels: ['whatsapp'], expires_in: 60 })
  const [outcome] = await resend(accountId, id)
  const { created_at: made, expires_at: expires } = await told(live, (outcome as { as: string }).as)
  expect(Date.parse(expires as string) - Date.parse(made as string)).toBe(60_000)
  const other = await sendInVain(live, { channels: ['whatsapp'] })
  await routes.server.query(sql`update connection set countries = '{DE}' where account_id = ${accountId}`)
  expect(await resend(accountId, other)).toEqual([
    { id: other, refused: 'No channel of this account can carry it now.' },
  ])
})

it('is refused in words where it is a code, of another account, or its variables are not kept', async () => {
  const { accountId, live } = await accountWithTemplate()
  const code = await live.send(newPhone())
  const taken = await send(live)
  await routes.server.work()
  const stranger = await accountWithTemplate()
  const failedId = await sendInVain(live)
  await routes.server.query(sql`update message set status = 'failed', error_code = 'not_delivered' where id = ${taken}`)
  expect(await resend(stranger.accountId, failedId)).toEqual([{ id: failedId, refused: 'There is no such message.' }])
  const reasons = (await resend(accountId, code, taken)).map((one) => 'refused' in one && one.refused)
  expect(reasons).toEqual([
    'It has a code or a text of an auth system, which is not sent again.',
    'Its variables are no longer kept: they are erased when a provider takes a message, and 7 days after it failed.',
  ])
})

it('is listed by what it failed with, until it was sent again or seven days are over', async () => {
  const { accountId, live } = await accountWithTemplate()
  const one = await sendInVain(live)
  await routes.server.advance(1)
  const other = await sendInVain(live)
  const list = async (filters: object) =>
    (await routes.server.app.resends.list(accountId, filters, '')).map(({ id }) => id)
  expect(await list({ template: 'hello', errorCode: 'not_on_channel', channel: 'wa-eu' })).toEqual([one, other])
  for (const filters of [{ template: 'bye' }, { errorCode: 'opted_out' }, { channel: 'tg' }]) {
    expect(await list(filters)).toEqual([])
  }
  expect(await list({ until: new Date(routes.server.runtime.now().getTime() - 3600_000) })).toEqual([])
  await resend(accountId, one!)
  expect(await list({})).toEqual([other])
  await routes.server.advance(7 * 86_400 + 1)
  await routes.server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
  await routes.server.work()
  expect(await list({})).toEqual([])
})

it('leaves nothing of what it was made from when its phone is forgotten', async () => {
  const { accountId, live } = await accountWithTemplate()
  const phone = newPhone()
  await sendInVain(live, { phone })
  const count = () =>
    routes.server.query<{ count: number }>(
      sql`select count(*)::int as count from resendable where account_id = ${accountId}`,
    )
  expect(await count()).toEqual([{ count: 1 }])
  await routes.server.app.forget(phone)
  expect(await count()).toEqual([{ count: 0 }])
})

it('is refused where the secret of the service is not known', async () => {
  const parts = { secrets: undefined } as Parameters<typeof createResends>[0]
  await expect(createResends(parts).send(commandLine, 'acct_default', [])).rejects.toThrow('set WATCHWORD_SECRET')
})
