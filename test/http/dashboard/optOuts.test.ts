/** Opt-outs in the dashboard: who may, what is seen of a phone, lists in and out. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maskPhone } from '../../../src/domain/sending/phone.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())

const add = (phone: string, more = {}) => server.live.post('/v1/opt-outs/add', { phone, ...more })
const find = async (phone: string) => (await server.live.post('/v1/opt-outs/find', { phone })).data
const typed = (phone: string) => `${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`
const rowsIn = (text: string) => [...text.matchAll(/<tr>.*?(rcp_\w+).*?<\/tr>/gs)].map(([, recipient]) => recipient)
const recipientOf = async (phone: string) => {
  const { data } = await server.live.get(`/v1/messages/${await server.live.send(phone)}`)
  return data.recipient as string
}
const auditOf = (act: string) =>
  server.query<{ subject: string; detail: unknown }>(sql`select subject, detail from audit where act = ${act}`)

it('the list has the recipient of the messages, the latest first, and no phone', async () => {
  const [first, second] = [newPhone(), newPhone()]
  await add(first)
  await server.advance(60)
  await add(second, { category: 'marketing' })
  const { text } = await (await signIn(server, 'viewer')).get('/opt-outs')
  expect(rowsIn(text).slice(0, 2)).toEqual([await recipientOf(second), await recipientOf(first)])
  expect(text).toContain('the API, marketing')
  expect(text).toContain('a keyed hash of its phone')
  expect(text).not.toContain(first.slice(2))
  expect(text).not.toContain('action="/opt-outs/find"')
})

it('a developer looks up a phone as people write it, and adds an opt-out of it', async () => {
  const developer = await signIn(server, 'developer')
  const phone = newPhone()
  expect((await developer.post('/opt-outs/find', { phone: typed(phone) })).text).toContain('has not opted out')
  const added = await developer.submit('/opt-outs/add', { phone: typed(phone), category: 'marketing' })
  expect(added.text).toContain('This phone gets no more marketing.')
  expect(await find(phone)).toMatchObject({ category: 'marketing', source: 'person' })
  const found = await developer.post('/opt-outs/find', { phone })
  expect(found.text).toContain('has opted out of marketing')
  expect(found.text).not.toContain('action="/opt-outs/remove"')
  expect((await developer.post('/opt-outs/find', { phone: '415 555' })).text).toContain('Cannot read this as a phone')
})

it('an owner removes one with a reason, which the audit has beside the masked phone', async () => {
  const owner = await signIn(server, 'owner')
  const phone = newPhone()
  await add(phone)
  const named = await owner.post('/opt-outs/remove', { phone, reason: `${phone} called` })
  expect(named.text).toContain('seven digits or more')
  expect(await find(phone)).toMatchObject({ opted_out: true })
  const removed = await owner.submit('/opt-outs/remove', { phone, reason: 'They called us' })
  expect(removed.text).toContain('This phone gets notifications again.')
  expect(await find(phone)).toEqual({ opted_out: false })
  expect(await auditOf('opt-out.removed')).toEqual([
    { subject: maskPhone(phone), detail: { reason: 'They called us' } },
  ])
})

it('viewers change nothing, and developers neither remove nor import', async () => {
  const phone = newPhone()
  const tries = async (visitor: Visitor, ...what: string[]) => {
    const answers = await Promise.all(what.map((one) => visitor.post(`/opt-outs/${one}`, { phone, list: phone })))
    return answers.map(({ status }) => status)
  }
  expect(await tries(await signIn(server, 'viewer'), 'find', 'add', 'remove', 'import')).toEqual([403, 403, 403, 403])
  expect(await tries(await signIn(server, 'developer'), 'remove', 'import')).toEqual([403, 403])
  expect(await find(phone)).toEqual({ opted_out: false })
})

it('an owner adds and removes keywords, and others see them', async () => {
  const owner = await signIn(server, 'owner')
  const given = { keyword: 'İptal', meaning: 'stop', language: 'tr' }
  expect((await owner.submit('/opt-outs/keywords/add', given)).text).toContain('It counts within five seconds.')
  const wrong = await owner.post('/opt-outs/keywords/add', { ...given, keyword: 'START' })
  expect(wrong.text).toContain('The keyword START means start for every account')
  const viewer = await signIn(server, 'viewer')
  const seen = (await viewer.get('/opt-outs')).text
  expect(seen).toContain('<bdi>İptal</bdi>')
  expect(seen).not.toContain('action="/opt-outs/keywords/')
  expect((await (await signIn(server, 'developer')).post('/opt-outs/keywords/add', given)).status).toBe(403)
  await owner.submit('/opt-outs/keywords/remove', { keyword: 'iptal' })
  expect((await viewer.get('/opt-outs')).text).not.toContain('İptal')
  expect(await auditOf('reply-keyword.removed')).toEqual([{ subject: 'İptal', detail: { meaning: 'stop' } }])
})

it('ten thousand pasted lines are imported at once; with wrong ones, each is named and nothing is', async () => {
  const owner = await signIn(server, 'owner')
  const phones = Array.from({ length: 10_000 }, newPhone)
  const wrong = phones.with(2, 'Ada').with(9999, '+1').join('\r\n')
  const { text } = await owner.post('/opt-outs/import', { list: wrong })
  expect(text).toContain('line 3: phone')
  expect(text).toContain('line 10000: phone')
  expect(await find(phones[0]!)).toEqual({ opted_out: false })
  const imported = await owner.submit('/opt-outs/import', { list: phones.join('\r\n'), list_category: 'marketing' })
  expect(imported.text).toContain('Imported 10,000 phones; 0 had opted out before.')
  expect(await find(phones[9999]!)).toMatchObject({ category: 'marketing', source: 'import' })
})

it('all of them are saved as CSV and seen page by page, each once', async () => {
  const { id, name } = await server.app.accounts.create('many opt-outs')
  const phones = Array.from({ length: 1200 }, newPhone)
  await server.app.optOuts.import(id, { phones, category: 'all' })
  const viewer = await signIn(server, 'viewer', { account: name })
  const saved = await viewer.post('/opt-outs/export')
  expect(saved.headers.get('content-disposition')).toMatch(/opt-outs-\d{4}-\d\d-\d\d\.csv/)
  const [head, ...lines] = saved.text.trim().split('\r\n')
  expect(head).toBe('recipient,category,source,since')
  const ofFile = lines.map((line) => line.split(',')[0])
  expect(new Set(ofFile).size).toBe(1200)
  const exported = sql`select count(*)::int from audit where act = 'opt-outs.exported' and account_id = ${id}`
  expect(await server.query(exported)).toEqual([{ count: 1 }])
  const first = await viewer.get('/opt-outs')
  const older = /href="(\/opt-outs\?after=[^"]+)"/.exec(first.text)?.[1]
  const second = await viewer.get(older!)
  expect([...rowsIn(first.text), ...rowsIn(second.text)]).toEqual(ofFile.slice(0, 100))
})

it('they are saved for no one who was signed out meanwhile', async () => {
  if (!server.database) return
  const { userId, cookie } = await signIn(server, 'viewer')
  const letRead = await server.database.hold('opt_out')
  const begun = await fetch(`${server.dashboardUrl}/opt-outs/export`, {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
  await server.query(sql`delete from dashboard_session where user_id = ${userId}`)
  await letRead()
  await expect(begun.text()).rejects.toThrow('terminated')
})
