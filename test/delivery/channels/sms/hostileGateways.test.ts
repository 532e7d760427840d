/** A gateway that turns hostile: only its own connection suffers, and the next one delivers. */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../support/client.ts'
import type { Behaviour } from '../../../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../../../support/server.ts'
import {
  type KestrelGateway,
  kestrel,
  kestrelSettings,
  playKestrel,
  postReceipts,
  postSigned,
} from './gateways/kestrel.ts'

const publicUrl = 'https://sms.example.com'
let server: TestServer
let hostile: KestrelGateway
let other: KestrelGateway
let live: Client
let accounts = 0

beforeAll(async () => {
  server = await startServer({ config: { publicUrl } })
})
afterAll(() => server.close())
beforeEach(async () => {
  const now = () => server.runtime.now()
  ;[hostile, other] = [await playKestrel(now), await playKestrel(now)]
  const { id: accountId, name: account } = await server.app.accounts.create(`hostile ${++accounts}`)
  const entryOf = (id: string, { url }: KestrelGateway) => ({
    ...{ id, kind: 'sms', provider: './kestrel.yaml', provider_file: kestrel, base_url: url },
    ...kestrelSettings,
  })
  await server.app.connections.apply(accountId, [entryOf('first', hostile), entryOf('second', other)])
  live = server.as(await server.key({ account, mode: 'live' }))
})
afterEach(async () => {
  await hostile.close()
  await other.close()
})

const local = (address: string) => address.replace(publicUrl, server.directUrl)

async function sent(): Promise<{ id: string; notes: string[] }> {
  const id = await live.send(newPhone())
  await server.work()
  const [row] = await server.query<{ timeline: { note?: string }[] }>(
    sql`select timeline from message where id = ${id}`,
  )
  return { id, notes: (row?.timeline ?? []).flatMap(({ note }) => note ?? []) }
}

const token = (more: object, padding = '') => ({
  status: 200,
  body: `${JSON.stringify({ access_token: 'token-1', ...more })}${padding}`,
})

it.each([
  ['is slow', 'hang'],
  ['answers without an end', 'flood'],
  ['answers with a megabyte', token({}, ' '.repeat(1_000_000))],
  ['answers with HTML', { status: 200, body: '<html><form action="/login"></form></html>' }],
  ['resets the connection', 'reset'],
] as [string, Behaviour][])(
  'a token endpoint that %s lets its connection rest, and no other',
  async (_what, behaviour) => {
    hostile.insteadOf.token = behaviour
    const first = await sent()
    expect(first.notes).toEqual([expect.stringMatching(/^first: no token from the provider: /), 'taken by second'])
    expect((await sent()).notes).toEqual([expect.stringMatching(/^first skipped: no token/), 'taken by second'])
    // What rests is not asked, and the other has what it always had.
    expect(hostile.asked).toHaveLength(1)
    expect([other.tokens, other.taken.length]).toEqual([1, 2])
    hostile.insteadOf = {}
    await server.advance(61)
    expect((await sent()).notes).toEqual(['taken by first'])
  },
)

it.each([-1, 0, '1e999', null, 'NaN'])(
  'a token that is good for %j seconds is fetched once, and not for each message',
  async (expires_in) => {
    hostile.insteadOf.token = token({ expires_in })
    for (let n = 0; n < 3; n++) expect((await sent()).notes).toEqual(['taken by first'])
    expect(hostile.asked.filter(({ path }) => path === '/connect/token')).toHaveLength(1)
  },
)

const hostileXml: [string, string][] = [
  [
    'entities',
    '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><MessageResponse><Status code="0">&b;</Status></MessageResponse>',
  ],
  ['a DTD elsewhere', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><MessageResponse><Status code="0"/></MessageResponse>'],
  ['a megabyte', `<MessageResponse><Status code="0"/>${'<a/>'.repeat(250_000)}</MessageResponse>`],
  [
    'elements 10,000 deep',
    `<MessageResponse><Status code="0"/>${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}</MessageResponse>`,
  ],
  ['two roots', '<MessageResponse><Status code="0"/></MessageResponse><MessageResponse/>'],
]

describe.each(hostileXml)('XML with %s', (_what, xml) => {
  it('as an answer is none: the code goes on, and ten such answers let that connection alone rest', async () => {
    hostile.insteadOf.submit = { status: 200, body: xml }
    for (let n = 0; n < 10; n++) expect((await sent()).notes.at(-1)).toBe('taken by second')
    const asked = hostile.asked.length
    expect((await sent()).notes).toEqual([expect.stringMatching(/^first skipped: /), 'taken by second'])
    expect([hostile.asked.length, other.taken.length]).toEqual([asked, 11])
  })

  it('as a signed report changes nothing, and the next good one counts', async () => {
    const { id } = await sent()
    const [{ id: ownId = '', reportUrl = '' } = {}] = hostile.taken
    expect(await postSigned(local(reportUrl), xml)).toBe(200)
    await server.work()
    expect(await live.status(id)).toBe('sent')
    const done = server.runtime.now().toISOString().slice(0, 19).replace('T', ' ')
    expect(await postReceipts(local(reportUrl), [{ id: ownId, state: 'DELIVRD', done }])).toBe(200)
    await server.work()
    expect(await live.status(id)).toBe('delivered')
  })
})
