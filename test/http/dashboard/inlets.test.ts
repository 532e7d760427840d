/** Developers › Inlets: which auth systems post their codes here, and what came of that. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let accountId: string
let name: string
let owner: Visitor
let accounts = 0
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())
beforeEach(async () => {
  name = `inlets ${++accounts}`
  await server.app.accounts.create(name)
  accountId = (await server.app.accounts.require(name)).id
  owner = await signIn(server, 'owner', { account: name })
})

const secret = 'a-secret-of-this-inlet'
const fields = { kind: 'plain', id: 'shop', mode: 'live', secret, brand_name: 'Acme' }
const inlets = () => server.app.inlets.list(accountId)
const wordsOf = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const audit = async () => JSON.stringify(await server.app.listAudit(accountId, { count: 10 }))

describe('an inlet that an owner adds', () => {
  it('takes what is posted with its secret, at the address that the page shows', async () => {
    const { text } = await owner.submit('/new-inlet', fields)
    const [, address] = /aria-label="The address"><code>([^<]+)</.exec(text) ?? []
    expect(text).toContain('Added shop.')
    expect(text).toContain(secret)
    expect(address).toBe(`${server.directUrl}/inlets/${accountId}/shop`)
    const phone = newPhone()
    const post = (token: string) =>
      fetch(address!, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ phone, code: '481516' }),
      })
    expect([(await post(secret)).status, (await post('another-secret-than-it')).status]).toEqual([200, 401])
    const [message] = await server.query<{ id: string }>(sql`select id from message where phone = ${phone}`)
    const seen = await owner.get(`/messages/${message!.id}`)
    expect(wordsOf(seen.text)).toContain('through the inlet shop')
  })

  it('has its secret on no page but for owners, and not in the audit', async () => {
    await owner.post('/new-inlet', fields)
    for (const role of ['viewer', 'developer'] as const) {
      const who = await signIn(server, role, { account: name })
      const { text } = await who.get('/inlets')
      expect(text).toContain(`/inlets/${accountId}/shop`)
      expect(text).not.toContain(secret)
      expect((await who.get('/inlets/shop')).status).toBe(403)
      expect((await who.post('/new-inlet', { ...fields, id: 'mine' })).status).toBe(403)
    }
    expect(await audit()).toContain('inlets.added')
    expect(await audit()).not.toContain(secret)
  })

  it('is refused with what is wrong beside each field, and without its secret on the page', async () => {
    const { status, text } = await owner.post('/new-inlet', { ...fields, id: 'Not good', secret: 'short-secret' })
    expect(status).toBe(400)
    expect(text).toMatch(/id="id-fault">must be 1 to 32 lower-case letters/)
    expect(text).toMatch(/id="secret-fault">must have 16 to 500 characters/)
    expect(text).toContain('value="Acme"')
    expect(text).not.toContain('short-secret')
    expect(await inlets()).toEqual([])
  })

  it('leaves those that are there, also when many are added at once', async () => {
    await Promise.all(['one', 'two', 'three', 'one'].map((id) => owner.post('/new-inlet', { ...fields, id })))
    expect((await inlets()).map(({ id }) => id)).toEqual(['one', 'three', 'two'])
  })

  it('can say how the members of a post are called', async () => {
    await owner.post('/new-inlet', { ...fields, 'settings.phone': 'msisdn' })
    expect(await inlets()).toMatchObject([{ id: 'shop', settings: { brandName: 'Acme', places: { phone: 'msisdn' } } }])
  })

  it('is removed alone, and what is posted there is refused', async () => {
    for (const id of ['shop', 'other']) await owner.post('/new-inlet', { ...fields, id })
    expect((await owner.submit('/inlets/shop/remove')).text).toContain('Removed shop.')
    expect((await inlets()).map(({ id }) => id)).toEqual(['other'])
    expect((await owner.get('/inlets/shop')).status).toBe(404)
    expect(await audit()).toContain('inlets.removed')
  })
})

describe('the page of an inlet', () => {
  it('shows the last posts, with what came of each and why', async () => {
    await owner.post('/new-inlet', fields)
    const at = server.runtime.now().toISOString()
    const posts = [
      { at, outcome: 'accepted', message: 'req_01JD0000000000000000000000' },
      { at, outcome: 'unreadable', lacks: 'phone (/phone)' },
      { at, outcome: 'signature', count: 7 },
      { at, outcome: 'country_not_allowed' },
    ]
    await server.query(sql`update inlet set posts = ${JSON.stringify(posts)}::jsonb where account_id = ${accountId}`)
    const { text } = await owner.get('/inlets')
    const words = wordsOf(text)
    expect(text).toContain('href="/messages/req_01JD0000000000000000000000"')
    expect(words).toContain('It lacks phone (/phone).')
    expect(words).toContain('signature 7 times in a row The signature or the secret is wrong.')
    expect(words).toContain('country_not_allowed')
  })

  it('has nothing of another account', async () => {
    await owner.post('/new-inlet', fields)
    const stranger = await signIn(server, 'owner')
    expect((await stranger.get('/inlets')).text).not.toContain('shop')
    expect((await stranger.get('/inlets/shop')).status).toBe(404)
    expect((await stranger.submit('/inlets/shop/remove')).text).toContain('There is no inlet shop.')
    expect(await inlets()).toHaveLength(1)
  })
})

it.each(['supabase', 'zitadel', 'logto', 'authgear', 'authentik', 'plain'])(
  'an inlet of the kind %s can be added',
  async (kind) => {
    const { text } = await owner.get(`/new-inlet?kind=${kind}`)
    expect(text).toContain(`name="kind" value="${kind}"`)
    const given = kind === 'supabase' ? `v1,whsec_${Buffer.alloc(32, 1).toString('base64')}` : secret
    await owner.post('/new-inlet', { kind, id: kind, mode: 'test', secret: given })
    expect(await inlets()).toMatchObject([{ id: kind, kind, mode: 'test', secrets: [given] }])
  },
)
