/** Developers › Keys, from its making to its end. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let developer: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  developer = await signIn(server, 'developer')
})
afterAll(() => server.close())

const make = { name: 'shop', mode: 'live', scope: ['verify:write', 'messages:read'], days: '30' }
const keyIn = (text: string) => /ww_(live|test)_\w+/.exec(text)?.[0] ?? ''

describe('a key that is made on its page', () => {
  it('is shown once, with a command to paste, and works at once', async () => {
    const made = await developer.post('/keys', make)
    const key = keyIn(made.text)
    expect(made.text).toContain(`curl ${server.directUrl}/v1/verify/send`)
    expect((await server.as(key).post('/v1/verify/send', { phone: newPhone() })).status).toBe(200)
    const { text } = await developer.get('/keys')
    expect(text).toContain('shop')
    expect(text).not.toContain(key)
  })

  it('may do what was ticked, and no more', async () => {
    const key = keyIn((await developer.post('/keys', { ...make, scope: 'messages:read' })).text)
    expect((await server.as(key).post('/v1/verify/send', { phone: newPhone() })).status).toBe(403)
  })

  it('may send codes of its own only if that was ticked, apart from the usual scopes', async () => {
    const { text } = await developer.get('/keys/new')
    const box = (scope: string) => new RegExp(`value="${scope}"( checked)?>`).exec(text)
    expect(box('verify:write')?.[1]).toBe(' checked')
    expect(box('verify:custom_code')?.[1]).toBe(undefined)
    const [usual, apart] = text.split('Only if the program needs it')
    expect(usual).not.toContain('verify:custom_code')
    expect(apart).toContain('Send codes that you made yourself')
    const own = { phone: newPhone(), code: '40718293' }
    const asked = async (scope: string[]) =>
      server.as(keyIn((await developer.post('/keys', { ...make, scope })).text)).post('/v1/verify/send', own)
    expect((await asked(['verify:write'])).status).toBe(403)
    expect((await asked(['verify:write', 'verify:custom_code'])).status).toBe(200)
    expect((await developer.get('/keys')).text).toContain('verify:write, verify:custom_code')
  })

  it('is refused with what was entered, when something is wrong with it', async () => {
    const { status, text } = await developer.post('/keys', { ...make, name: 'shop \u202e' })
    expect(status).toBe(400)
    expect(text).toMatch(/<input[^>]* name="name"[^>]* aria-invalid="true"|aria-invalid="true"[^>]* name="name"/)
    expect(text).toContain('value="live" checked')
  })

  it('gets 401 as soon as it is revoked', async () => {
    const key = keyIn((await developer.post('/keys', { ...make, name: 'to end' })).text)
    const id = (await server.app.apiKeys.list()).find(({ name }) => name === 'to end')?.id
    const { text } = await developer.submit(`/keys/${id}/revoke`)
    expect(text).toContain('Revoked to end.')
    expect((await server.as(key).post('/v1/verify/send', { phone: newPhone() })).status).toBe(401)
  })

  it('is revoked only after a question where no script has asked it', async () => {
    const { id } = await server.newKey()
    const confirm = 'Revoke it: <b>for good</b>.'
    const asked = await developer.submit(`/keys/${id}/revoke`, { confirm, more: ['1', '2'] })
    expect(asked.text).toContain('Revoke it: &#60;b&#62;for good&#60;/b&#62;.')
    expect(asked.text).not.toContain('name="confirm"')
    expect(asked.text.match(/name="more" value="[12]"/g)).toHaveLength(2)
    expect((await developer.get('/keys')).text).toContain(`/keys/${id}/revoke`)
    expect((await developer.submit(`/keys/${id}/revoke`)).text).toContain('Revoked')
  })

  it('says before it is revoked what is known of its use, and since when', async () => {
    const key = keyIn((await developer.post('/keys', { ...make, name: 'in use' })).text)
    const asked = async () =>
      / data-confirm="Revoke in use: ([^"]+?)\. It stops/.exec((await developer.get('/keys')).text)?.[1]
    expect(await asked()).toBe('it was never used')
    for (let use = 0; use < 3; use++) await server.as(key).post('/v1/verify/send', { phone: newPhone() })
    // The first is written at once; the others wait for one that comes a minute later.
    await expect.poll(asked).toBe('at least 1 request since 00:00 UTC')
    const day = `${server.runtime.now().getUTCDate()} `
    await server.advance(24 * 3600)
    developer = await signIn(server, 'developer')
    expect(await asked()).toMatch(new RegExp(`^it was last used on ${day}\\w{3} \\d{4} \\(UTC\\)$`))
  })

  it('is rolled to a new one, and good until the overlap is over', async () => {
    const key = keyIn((await developer.post('/keys', { ...make, name: 'to roll' })).text)
    const id = (await server.app.apiKeys.list()).find(({ name }) => name === 'to roll')?.id
    const next = keyIn((await developer.post(`/keys/${id}/roll`, { hours: '1' })).text)
    const send = (by: string) => server.as(by).post('/v1/verify/send', { phone: newPhone() })
    expect([(await send(key)).status, (await send(next)).status]).toEqual([200, 200])
    await server.advance(3601)
    expect([(await send(key)).status, (await send(next)).status]).toEqual([401, 200])
    developer = await signIn(server, 'developer')
  })
})

describe('a form that comes twice', () => {
  it('rolls a key once, and leads to the new key, which nobody may have seen', async () => {
    await developer.post('/keys', { ...make, name: 'clicked twice' })
    const named = async () => (await server.app.apiKeys.list()).filter(({ name }) => name === 'clicked twice')
    const path = `/keys/${(await named())[0]?.id}/roll`
    const answers = await Promise.all([developer.post(path, { hours: '24' }), developer.post(path, { hours: '24' })])
    const second = answers.find(({ status }) => status === 400)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const next = (await named()).filter(({ replacedBy }) => replacedBy === null)
    expect(next).toHaveLength(1)
    expect(second?.text).toContain(`href="/keys/${next[0]?.id}/roll"`)
    expect(keyIn((await developer.post(`/keys/${next[0]?.id}/roll`, { hours: '0' })).text)).toMatch(/^ww_/)
  })
})

describe('who may', () => {
  it('is not a viewer, who sees the keys and can change none', async () => {
    const viewer = await signIn(server, 'viewer')
    const { text } = await viewer.get('/keys')
    expect(text).toContain('shop')
    expect(text).not.toContain('/revoke')
    const [{ id } = { id: '' }] = await server.app.apiKeys.list()
    const tried = await Promise.all([
      viewer.get('/keys/new'),
      viewer.post('/keys', make),
      viewer.post(`/keys/${id}/revoke`),
      viewer.post(`/keys/${id}/roll`, { hours: '0' }),
    ])
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })

  it('is nobody of another account: its keys are not there', async () => {
    await server.app.accounts.create('other')
    const other = await signIn(server, 'owner', { account: 'other' })
    expect((await other.get('/keys')).text).not.toContain('shop')
    const [key] = await server.app.apiKeys.list()
    const { text } = await other.submit(`/keys/${key?.id}/revoke`)
    expect(text).toContain(`There is no key ${key?.id}.`)
  })

  it('proves who he is again, when the last proof is older than ten minutes', async () => {
    const before = await signIn(server, 'developer')
    await server.advance(601)
    expect((await before.get('/keys/new')).headers.get('location')).toBe('/proof?next=%2Fkeys%2Fnew')
    const { status, text } = await before.post('/keys', { ...make, name: 'written slowly' })
    expect(status).toBe(403)
    expect(text).toContain('<a href="/proof" target="_blank">')
    expect(text).toContain('value="written slowly"')
    expect((await server.app.apiKeys.list()).map(({ name }) => name)).not.toContain('written slowly')
    developer = await signIn(server, 'developer')
  })

  it('is written down with what was done', async () => {
    await developer.post('/keys', { ...make, name: 'noted' })
    const rows = await server.query<{ name: string; act: string; detail: object; address: string }>(
      sql`select name, act, detail, address from audit order by id desc limit 1`,
    )
    expect(rows).toEqual([
      { name: 'a developer', act: 'key.created', detail: { name: 'noted', mode: 'live' }, address: '127.0.0.1' },
    ])
  })
})
