/** The messages of a search as a file. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createActCommit } from '../../../src/domain/access/act.ts'
import type { UserActor } from '../../../src/domain/access/actor.ts'
import { createExports, createMessageExport } from '../../../src/domain/sending/messageExport.ts'
import { csvLine } from '../../../src/http/dashboard/csv.ts'
import { formatLines } from '../../../src/http/dashboard/pages/sending/messageExport.ts'
import { newUlid } from '../../../src/kit/runtime.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const accountId = 'acct_default'
let server: TestServer
let developer: Visitor
let viewer: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  developer = await signIn(server, 'developer')
  viewer = await signIn(server, 'viewer')
})
afterAll(() => server.close())

const save = (query: Record<string, string>, who = developer) =>
  who.post('/messages/export', { search: new URLSearchParams(query).toString() })
/** All, by a browser that does not wait for the end. */
const ask = (cookie: string) =>
  fetch(`${server.dashboardUrl}/messages/export`, {
    method: 'POST',
    body: new URLSearchParams({ search: '' }),
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
const rowsOf = (text: string) => text.split('\r\n').slice(1, -1)
const idsOf = (text: string) => rowsOf(text).map((row) => row.split(',')[0])

/** Messages a second apart, the oldest first. */
async function fill(phone: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(server.runtime.now().getTime() + n * 1000)
    return { id: `req_${newUlid(at)}`, at }
  })
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select ${accountId}, id, 'live', 'notification', ${phone}, 'read', at, '[]', at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, at timestamptz)`)
  server.runtime.advance(count)
  return rows.map(({ id }) => id)
}

describe('messages that are saved as a file', () => {
  it('are all that the search finds, with a line that names the columns', async () => {
    const [phone, { key, id: keyId }] = [newPhone(), await server.newKey({ mode: 'live' })]
    await server.query(sql`update api_key set name = 'the till' where id = ${keyId}`)
    const at = server.runtime.now().toISOString()
    const id = await server.as(key).send(phone)
    await server.query(
      sql`update message set prices = '{"sandbox": {"amount": 0.0075, "currency": "USD"}}' where id = ${id}`,
    )
    const { status, headers, text } = await save({ q: phone, status: 'sent' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toBe('attachment; filename="messages-2026-11-21.csv"')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text.split('\r\n')).toEqual([
      'id,made_at,mode,kind,template,phone,country,channel,key,status,status_at,error,price,currency,reference,template_version,template_locale',
      `${id},${at},live,verification,,'${phone},US,sandbox,the till,sent,${at},,0.0075,USD,,,`,
      '',
    ])
    expect(rowsOf((await save({ q: phone, status: 'failed' })).text)).toEqual([])
  })

  it('come page after page, each once, with the newest first', async () => {
    const phone = newPhone()
    const made = await fill(phone, 2500)
    expect(idsOf((await save({ status: 'read', mode: 'live' })).text)).toEqual(made.toReversed())
  })

  it('are offered on the page of the search, and the file is of that search', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone)
    const { text } = await developer.get(`/messages?${new URLSearchParams({ q: phone, kind: 'verification' })}`)
    const [, search = ''] = /name="search" value="([^"]+)"/.exec(text) ?? []
    const saved = await developer.post('/messages/export', { search: search.replaceAll('&#38;', '&') })
    expect(idsOf(saved.text)).toEqual([id])
  })

  it('hide their phones from a viewer', async () => {
    const phone = newPhone()
    await server.live.send(phone)
    const { text } = await save({ q: phone }, viewer)
    expect(rowsOf(text)).toHaveLength(1)
    expect(text).toContain(`'+1415•••••${phone.slice(-2)}`)
    expect(text).not.toContain(phone)
  })

  it('are those of the own account alone', async () => {
    const phone = newPhone()
    await server.live.send(phone)
    await server.app.accounts.create('other')
    const stranger = await signIn(server, 'owner', { account: 'other' })
    expect(rowsOf((await save({ q: phone }, stranger)).text)).toEqual([])
    expect(rowsOf((await save({}, stranger)).text)).toEqual([])
  })

  it('are written down in the audit, without the whole phone', async () => {
    const phone = newPhone()
    server.runtime.advance(1)
    await save({ q: phone, mode: 'live' }, viewer)
    const [row] = await server.query<Record<string, unknown>>(
      sql`select act, subject, detail, user_id from audit order by id desc limit 1`,
    )
    const subject = `+1415•••••${phone.slice(-2)}`
    expect(row).toEqual({ act: 'messages.exported', subject, detail: { mode: 'live' }, user_id: viewer.userId })
  })

  it('are not saved for half a number: the page says why', async () => {
    const { status, headers } = await save({ q: '415 555' })
    expect([status, headers.get('location')]).toEqual([303, '/messages?q=415+555'])
    expect((await developer.get('/messages')).text).toContain(
      'This is neither the id of a message nor a whole phone number',
    )
  })

  it('come to nobody who was signed out meanwhile', async () => {
    if (!server.database) return
    await server.live.send(newPhone())
    const { userId, cookie } = await signIn(server, 'developer')
    const letRead = await server.database.hold('message')
    const begun = await ask(cookie)
    await server.query(sql`delete from dashboard_session where user_id = ${userId}`)
    await letRead()
    await expect(begun.text()).rejects.toThrow('terminated')
  })

  it('can be saved again by who left the last file half way', async () => {
    await fill(newPhone(), 2500)
    const left = await ask(developer.cookie)
    await left.body?.cancel()
    await expect.poll(async () => (await save({})).status).toBe(200)
  })
})

it('a file that is full says so in its last line', async () => {
  const pages = (async function* () {
    yield { messages: [], isCut: true }
  })()
  const lines = []
  for await (const line of formatLines(pages, (keyId) => keyId)) lines.push(line)
  expect(lines.at(-1)).toMatch(/^"This file is full, and there may be older messages/)
})

describe('a cell of a file', () => {
  it.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['+1+1', "'+1+1"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['\n=1+1', `"'\n=1+1"`],
    ['＝1+1', "'＝1+1"],
    ['a;＠SUM(A1)', "a;'＠SUM(A1)"],
    ['one, two', '"one, two"'],
    ['two\nlines', '"two\nlines"'],
    ["till;=cmd|'/C calc'!A0", "till;'=cmd|'/C calc'!A0"],
    ['a=b;c', 'a=b;c'],
    [null, ''],
  ])('that others may write is no formula: %j', (cell, line) => {
    expect(csvLine([cell])).toBe(`${line}\r\n`)
  })
})

describe('exports that are under way', () => {
  const actorOf = (id: string): UserActor => ({
    ...{ kind: 'user', accountId, id, name: 'somebody', role: 'developer', address: '127.0.0.1' },
  })
  const exporting = (exports = createExports()) => {
    const { runtime } = server
    const commit = createActCommit(server.commit, { runtime })
    return (id: string, limits?: Parameters<typeof createMessageExport>[1]) =>
      createMessageExport({ commit, runtime, exports }, limits)(actorOf(id), accountId, {})
  }

  it('are one for a person and two for an account, until they end', async () => {
    const begin = exporting()
    const [{ userId: one }, { userId: other }, { userId: third }] = [
      await signIn(server, 'developer'),
      await signIn(server, 'developer'),
      await signIn(server, 'developer'),
    ]
    const first = await begin(one)
    await expect(begin(one)).rejects.toThrow('Your last export is still on its way')
    const second = await begin(other)
    await expect(begin(third)).rejects.toThrow('Others of your account are exporting now')
    second.end()
    first.end()
    await (await begin(one)).end()
  })

  it('end with a page for somebody who is disabled meanwhile', async () => {
    await fill(newPhone(), 20)
    const { userId } = await signIn(server, 'developer')
    const found = await exporting()(userId, { messagesMax: 100, pageSize: 10, pagesMax: 10 })
    const pages = found.pages[Symbol.asyncIterator]()
    expect((await pages.next()).value.messages).toHaveLength(10)
    await server.query(sql`update dashboard_user set disabled_at = now() where id = ${userId}`)
    await expect(pages.next()).rejects.toThrow('you were disabled')
    found.end()
  })

  it.each([
    ['messages', { messagesMax: 15, pageSize: 10, pagesMax: 10 }, 15],
    ['pages', { messagesMax: 100, pageSize: 10, pagesMax: 1 }, 10],
  ])('have no more than so many %s, and tell that there are more', async (_what, limits, count) => {
    await fill(newPhone(), 20)
    const found = await exporting()(developer.userId, limits)
    const pages = []
    for await (const page of found.pages) pages.push(page)
    found.end()
    expect(pages.flatMap(({ messages }) => messages)).toHaveLength(count)
    expect(pages.map(({ isCut }) => isCut)).toEqual(pages.map((_, index) => index === pages.length - 1))
  })

  it('read so many pages at once, and who waits longest is next', async () => {
    const { read } = createExports()
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const begun: number[] = []
    const reads = gates.map(({ promise }, index) =>
      read(() => {
        begun.push(index)
        return promise
      }),
    )
    await Promise.resolve()
    expect(begun).toEqual([0, 1])
    gates[1]!.resolve()
    await reads[1]
    await Promise.resolve()
    expect(begun).toEqual([0, 1, 2])
    for (const { resolve } of gates) resolve()
    await Promise.all(reads)
    expect(begun).toEqual([0, 1, 2, 3])
  })
})
