/** Messages: the search, and the page of one. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUlid } from '../../../src/kit/runtime.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let developer: Visitor
let viewer: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  developer = await signIn(server, 'developer')
  viewer = await signIn(server, 'viewer')
})
afterAll(() => server.close())

/** The messages of the rows, from the top down. */
const rowsOf = (text: string) => [...text.matchAll(/<td[^>]*><a href="\/messages\/(req_\w+)"/g)].map(([, id]) => id)
const linkOf = (text: string, label: string) =>
  new RegExp(`href="([^"]+)"[^>]*>(?:<svg.*?</svg>)?${label}`).exec(text)?.[1]?.replaceAll('&#38;', '&')
const searched = async (query: Record<string, string>, who = developer) =>
  (await who.get(`/messages?${new URLSearchParams(query)}`)).text
const masked = (phone: string) => `+1415•••••${phone.slice(-2)}`

describe('the messages', () => {
  it('of an account that has none are one sentence and the way to a key', async () => {
    await server.app.accounts.create('empty')
    const { text } = await (await signIn(server, 'owner', { account: 'empty' })).get('/messages')
    expect(text).toContain('Nothing was sent yet')
    expect(linkOf(text, 'Create a key')).toBe('/keys/new')
    expect(text).not.toContain('<table')
  })

  it('are listed with the newest first, each a link to its page', async () => {
    const [one, other] = [newPhone(), newPhone()]
    const first = await server.test.send(one)
    server.runtime.advance(1)
    const second = await server.live.send(other)
    const { text } = await developer.get('/messages')
    expect(rowsOf(text).slice(0, 2)).toEqual([second, first])
    expect(text).toContain(one)
    expect(text).toMatch(/class="status sent">sent</)
  })

  it('of a phone are found by its number, however it is written', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    const spaced = `${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`
    for (const q of [phone, spaced, phone.slice(1)]) expect(rowsOf(await searched({ q }))).toEqual([id])
  })

  it('are found by what is chosen, and the form keeps it', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone)
    await server.work()
    const text = await searched({
      q: phone,
      status: 'delivered',
      kind: 'verification',
      mode: 'live',
      channel: 'sandbox',
    })
    expect(rowsOf(text)).toEqual([id])
    expect(text).toContain(`value="${phone}"`)
    for (const chosen of ['delivered', 'live', 'sandbox']) expect(text).toContain(`value="${chosen}" selected`)
    const at = server.runtime.now().toISOString().slice(0, 16)
    expect(rowsOf(await searched({ q: phone, from: at }))).toEqual([id])
    expect(rowsOf(await searched({ q: phone, to: at }))).toEqual([])
    // A browser sends it of the first hours of the year 1, and the database does not know it.
    expect(rowsOf(await searched({ q: phone, from: '0000-12-31T23:00' }))).toEqual([id])
  })

  it('lead straight to the one whose id is searched', async () => {
    const id = await server.test.send(newPhone())
    const { status, headers } = await developer.get(`/messages?q=${id.toLowerCase()}`)
    expect([status, headers.get('location')]).toEqual([303, `/messages/${id}`])
  })

  it('that are not found are told with what was searched, and what to leave out', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    const text = await searched({ q: phone, status: 'failed' })
    expect(text).toContain(`No message was found: phone ${phone}, status failed.`)
    const wider = linkOf(text, 'Search without the status') ?? ''
    expect(rowsOf((await developer.get(wider)).text)).toEqual([id])
    expect(linkOf(text, 'Show all messages')).toBe('/messages')
    expect(await searched({ q: 'req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6' })).toContain('No message was found: id req_01KAJ0R6')
  })

  it('are not searched by half a number, and the page says how to write one', async () => {
    const text = await searched({ q: '415 555' })
    expect(text).toMatch(
      /id="q-fault">This is neither the id of a message nor a whole phone number: it does not begin with \+/,
    )
    expect(text).toContain('value="415 555"')
    expect(rowsOf(text)).toEqual([])
  })

  it('hide their phones from a viewer, who finds one by its number all the same', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    const text = await searched({ q: phone }, viewer)
    expect(rowsOf(text)).toEqual([id])
    expect(text).toContain(masked(phone))
    expect((await viewer.get('/messages')).text).not.toContain(phone)
  })

  it('are turned over to older ones and back, within the search', async () => {
    const phone = newPhone()
    const made = await fill(phone, 120)
    const first = await searched({ q: phone, status: 'read' })
    const second = await developer.get(linkOf(first, 'Older') ?? '')
    const third = await developer.get(linkOf(second.text, 'Older') ?? '')
    expect([first, second.text, third.text].flatMap(rowsOf)).toEqual(made.toReversed())
    expect(linkOf(third.text, 'Older')).toBeUndefined()
    expect(rowsOf((await developer.get(linkOf(third.text, 'Newer') ?? '')).text)).toEqual(rowsOf(second.text))
    expect(rowsOf((await developer.get(linkOf(third.text, 'Newest') ?? '')).text)).toEqual(rowsOf(first))
    expect(linkOf(first, 'Newer')).toBeUndefined()
  })
})

describe('a search that was cut', () => {
  // A look at the clock takes as long as a search may.
  const inHaste = async (query: Record<string, string>) => {
    const { elapsedMs } = server.runtime
    let elapsed = elapsedMs()
    server.runtime.elapsedMs = () => (elapsed += 100)
    try {
      return await searched(query)
    } finally {
      server.runtime.elapsedMs = elapsedMs
    }
  }

  it.each([
    ['older', 'Look further back', 'since', 'after'],
    ['newer', 'Look at newer ones', 'up to', 'before'],
  ] as const)('goes on to %s ones, and says how far it looked', async (direction, label, said, name) => {
    const made = await fill(newPhone(), 1200)
    const [least, most] = [made[0]!, made.at(-1)!]
    const from: Record<string, string> = direction === 'older' ? { after: most } : { before: least }
    const text = await inHaste({ template: 'none', ...from })
    expect(text).toMatch(new RegExp(`None found so far: .*Messages made ${said} <time`))
    const onward = new URLSearchParams((linkOf(text, label) ?? '').split('?')[1])
    expect([...onward.keys()]).toEqual(['template', name])
    expect(onward.get(name)! > least && onward.get(name)! < most).toBe(true)
    expect(text).not.toMatch(direction === 'older' ? />Older</ : />Newer</)
  })
})

describe('the page of a message', () => {
  it('tells each step, with the way to what endpoints were told of it', async () => {
    const endpoint = await listenTo(server, { behaviour: { status: 503 } })
    const phone = newPhone()
    const id = await server.test.send(phone)
    await server.work()
    await server.test.check(id, '000000')
    const { text } = await developer.get(`/messages/${id}`)
    for (const said of ['taken by sandbox', 'delivered', 'verified', 'message.sent', 'answered 503', id, phone]) {
      expect(text).toContain(said)
    }
    expect(text).toContain(`href="/webhooks/${endpoint.id}"`)
    expect(text).not.toContain('000000')
    await endpoint.close()
  })

  it('shows ways that were tried side by side, with the provider’s words and code', async () => {
    const at = server.runtime.now().toISOString()
    const id = await server.live.send(newPhone())
    const timeline = [
      { status: 'sent', at },
      { status: 'sent', at, connection: 'wa', note: 'wa: 131026 (not on WhatsApp)', providerCode: '131026' },
      { status: 'delivered', at, connection: 'tg', note: 'tg: read by Ada <img src=x>', providerCode: 'OK_7' },
    ]
    await server.query(sql`update message set route = '{wa,tg,sms}', leg = 2, status = 'delivered',
      timeline = ${JSON.stringify(timeline)}::jsonb where id = ${id}`)
    const { text } = await developer.get(`/messages/${id}`)
    const ways = text.split('<section class="leg">').slice(1)
    expect(ways.map((way) => /<h3>(.*?) </.exec(way)?.[1])).toEqual(['1. wa', '2. tg', '3. sms'])
    expect(ways[0]).toContain('131026 (not on WhatsApp)')
    expect(ways[1]).toContain('OK_7')
    expect(ways[1]).toContain('read by Ada &#60;img src=x&#62;')
    expect(ways[2]).toContain('not asked')
  })

  it('names the key that it was sent with, of a code and of a notification', async () => {
    const { key, id: keyId } = await server.newKey({ mode: 'live' })
    await server.query(sql`update api_key set name = 'the till' where id = ${keyId}`)
    const code = await server.as(key).send(newPhone())
    const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } }
    const notified = await server.as(key).post<{ request_id: string }>('/v1/notifications/send', body)
    for (const id of [code, notified.data.request_id]) {
      expect((await viewer.get(`/messages/${id}`)).text).toContain('<dt>Key</dt><dd><a href="/keys">the till</a></dd>')
    }
    // One that was sent before that was kept.
    await server.query(sql`update message set key_id = null where id = ${code}`)
    expect((await viewer.get(`/messages/${code}`)).text).not.toContain('<dt>Key</dt>')
  })

  it('tells a code that ran out from a message that did', async () => {
    const endpoint = await listenTo(server, { types: ['verification.expired'] })
    const [arrived, lost] = [await server.test.send(newPhone()), await server.test.send('+14155550130')]
    await server.work()
    await server.advance(601)
    await server.work()
    expect((await developer.get(`/messages/${arrived}`)).text).toContain('the code ran out')
    expect((await developer.get(`/messages/${lost}`)).text).not.toContain('the code ran out')
    expect((await developer.get(`/messages/${lost}`)).text).toContain('class="status expired"')
    await endpoint.close()
    developer = await signIn(server, 'developer')
  })

  it('changes by itself while something may come of the message, and rests after', async () => {
    const id = await server.live.send(newPhone())
    const isLive = async () => (await developer.get(`/messages/${id}`)).text.includes('data-live="2"')
    expect(await isLive()).toBe(true)
    const part = await developer.get(`/messages/${id}`, { 'X-Part': 'message' })
    expect(part.text).toContain('id="message"')
    expect(part.text).not.toContain('<html')
    await server.work()
    // The code may still be entered.
    expect(await isLive()).toBe(true)
    await server.advance(601)
    await server.work()
    expect(await isLive()).toBe(false)
  })

  it('hides the phone from a viewer, in the title too', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    const { text } = await viewer.get(`/messages/${id}`)
    expect(text).toContain(masked(phone))
    expect(text).not.toContain(phone)
    expect(text).not.toContain('/forget')
  })

  it("keeps the provider's id, which can hold the phone, from viewers, and a URL's secrets from all", async () => {
    const url = 'http://127.0.0.1:9/hooks?token=hidden-token'
    const { endpoint } = await server.app.endpoints.add({ accountId: 'acct_default', mode: 'test', url, types: null })
    const id = await server.test.send(newPhone())
    await server.work()
    await server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
      values ('acct_default', ${id}, 'sandbox', 'wamid.WithThePhone')`)
    const [seen, whole] = [await viewer.get(`/messages/${id}`), await developer.get(`/messages/${id}`)]
    expect(seen.text).not.toContain('wamid.WithThePhone')
    expect(whole.text).toContain('wamid.WithThePhone')
    expect(seen.text).toContain('127.0.0.1:9/hoo...')
    expect(whole.text).toContain('http://127.0.0.1:9/hooks')
    for (const { text } of [seen, whole]) expect(text).not.toContain('hidden-token')
    await server.app.endpoints.remove(endpoint)
    await server.advance(1)
  })

  it('is not there for another account', async () => {
    const id = await server.test.send(newPhone())
    const other = await signIn(server, 'owner', { account: 'empty' })
    expect((await other.get(`/messages/${id}`)).status).toBe(404)
    expect((await other.get(`/messages?q=${id}`)).text).toContain('No message was found')
  })
})

describe('a phone', () => {
  it('is forgotten by an owner from the page of its message, and that is said without the number', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    await server.test.send(newPhone())
    const owner = await signIn(server, 'owner')
    const { text } = await owner.submit(`/messages/${id}/forget`)
    expect(text).toContain(`Forgot ${masked(phone)}: 1 message erased.`)
    expect(text).not.toContain(phone)
    expect((await owner.get(`/messages/${id}`)).status).toBe(404)
    const [row] = await server.query<{ act: string; subject: string; name: string }>(
      sql`select act, subject, name from audit order by id desc limit 1`,
    )
    expect(row).toEqual({ act: 'phone.forgotten', subject: masked(phone), name: 'a owner' })
  })

  it('is not forgotten by others', async () => {
    const id = await server.test.send(newPhone())
    for (const visitor of [viewer, developer]) expect((await visitor.post(`/messages/${id}/forget`)).status).toBe(403)
    expect((await developer.get(`/messages/${id}`)).status).toBe(200)
  })
})

/** Messages a second apart, the oldest first. */
async function fill(phone: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(server.runtime.now().getTime() + n * 1000)
    return { id: `req_${newUlid(at)}`, at }
  })
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select 'acct_default', id, 'live', 'notification', ${phone}, 'read', at, '[]', at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, at timestamptz)`)
  server.runtime.advance(count)
  return rows.map(({ id }) => id)
}
