/** Settings › People and Settings › Audit. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultAccount } from '../../../src/domain/access/account.ts'
import { password } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor, visitorWith } from '../../support/visitor.ts'

const accountId = 'acct_default'

let server: TestServer
let owner: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  owner = await signIn(server, 'owner')
})
afterAll(() => server.close())

const linkIn = (text: string) => /#([\w-]{43})/.exec(text.replaceAll('&#35;', '#'))?.[1] ?? ''

describe('an owner', () => {
  it('makes a link that is shown once, and lets somebody in with it', async () => {
    const made = await owner.post('/people/invite', { role: 'viewer', email: 'grace@example.com' })
    expect(made.text).toContain(`${server.dashboardUrl}/invitation#`)
    const token = linkIn(made.text)
    const { text } = await owner.get('/people')
    expect(text).toContain('creates a new viewer')
    expect(text).not.toContain(token)
    await visitorWith(server, '').post('/invitation/claim', { token, name: 'Grace', password })
    const after = (await owner.get('/people')).text
    expect(after).toContain('Grace')
    expect(after).not.toContain('creates a new viewer')
  })

  it('ends a link before it is used', async () => {
    const token = linkIn((await owner.post('/people/invite', { role: 'viewer', email: '' })).text)
    const [, id] = /\/people\/invitations\/(inv_\w+)\/end/.exec((await owner.get('/people')).text) ?? []
    expect((await owner.submit(`/people/invitations/${id}/end`)).text).toContain('The link no longer works.')
    expect((await visitorWith(server, '').post('/invitation', { token })).status).toBe(400)
  })

  it('gives another role, signs out, disables and enables; the person meets it with the next page', async () => {
    const grace = await signIn(server, 'developer', { name: 'Grace' })
    const at = `/people/${grace.userId}`
    expect((await owner.submit(`${at}/role`, { role: 'viewer' })).text).toContain('Grace is viewer now.')
    expect((await grace.get('/keys/new')).status).toBe(403)
    expect((await owner.submit(`${at}/sign-out`)).text).toContain('Grace is signed out everywhere.')
    expect((await grace.get('/keys')).headers.get('location')).toMatch(/^\/sign-in/)
    expect((await owner.submit(`${at}/disable`)).text).toContain('Grace is disabled, and signed out everywhere.')
    expect((await owner.submit(`${at}/enable`)).text).toContain('Grace can sign in again.')
  })

  it('makes a link for a forgotten password', async () => {
    const grace = await signIn(server, 'viewer', { name: 'Grace' })
    const token = linkIn((await owner.post(`/people/${grace.userId}/password`)).text)
    const visitor = visitorWith(server, '')
    expect((await visitor.post('/invitation', { token })).text).toContain(
      'For Grace. You are signed out everywhere else.',
    )
    expect((await visitor.post('/invitation/claim', { token, password })).status).toBe(303)
    expect((await grace.get('/keys')).status).toBe(303)
    expect((await visitor.get('/profile')).text).toContain('Grace')
  })

  it('is told that the last owner stays', async () => {
    await server.app.accounts.create('alone')
    const alone = await signIn(server, 'owner', { account: 'alone', name: 'Ada' })
    const { text } = await alone.submit(`/people/${alone.userId}/disable`)
    expect(text).toContain('Ada is the last owner who can sign in.')
  })

  it('proves who he is first, when the proof is older than ten minutes', async () => {
    const late = await signIn(server, 'owner')
    const grace = await signIn(server, 'viewer')
    await server.advance(601)
    const asked = await Promise.all([
      late.get('/people/invite'),
      late.post(`/people/${grace.userId}/role`, { role: 'owner' }),
      late.post(`/people/${grace.userId}/password`),
      late.post('/people/sign-out'),
    ])
    for (const { headers } of asked) expect(headers.get('location')).toMatch(/^\/proof\?next=/)
    const { status, text } = await late.post('/people/invite', { role: 'owner' })
    expect([status, text.includes('/invitation#')]).toEqual([403, false])
    owner = await signIn(server, 'owner')
  })
})

describe('a form whose last byte comes late', () => {
  const late: [what: string, change: (id: string) => Promise<void>, status: number][] = [
    ['disabled', (id) => server.app.users.disable({ accountId, id }), 303],
    ['made a viewer', (id) => server.app.users.setRole({ accountId, id }, 'viewer'), 403],
  ]

  it.each(late)('does nothing for an owner who was %s meanwhile', async (_what, change, status) => {
    const { userId, cookie } = await signIn(server, 'owner')
    const open = await server.app.invitations.list(accountId)
    const finish = await beginForm(cookie, '/people/invite', 'role=owner&email=')
    await change(userId)
    expect(await finish()).toBe(status)
    expect(await server.app.invitations.list(accountId)).toEqual(open)
  })

  /** Sends all of it but the last byte, once the server has the head. @returns sends that too, and gives the answer's status */
  async function beginForm(cookie: string, path: string, form: string) {
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<number | undefined>()]
    const headers = {
      ...{ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', Expect: '100-continue' },
      ...{ 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': form.length },
    }
    const sent = request(server.dashboardUrl + path, { method: 'POST', headers }, (answer) => {
      answer.resume()
      answered.resolve(answer.statusCode)
    })
    sent.on('continue', () => sent.write(form.slice(0, -1), () => begun.resolve()))
    sent.on('error', answered.reject)
    sent.flushHeaders()
    await begun.promise
    return () => {
      sent.end(form.slice(-1))
      return answered.promise
    }
  }
})

describe('people of another account', () => {
  it('are not there', async () => {
    await server.app.accounts.create('elsewhere')
    const stranger = await signIn(server, 'owner', { account: 'elsewhere', name: 'Stranger' })
    expect((await owner.get('/people')).text).not.toContain('Stranger')
    const missing = `There is no user ${stranger.userId}.`
    expect(await owner.get(`/people/${stranger.userId}`)).toMatchObject({
      status: 404,
      text: expect.stringContaining(missing),
    })
    for (const act of ['role', 'disable', 'enable', 'sign-out', 'password', 'authenticator']) {
      const { headers } = await owner.post(`/people/${stranger.userId}/${act}`, { role: 'viewer' })
      expect(headers.get('location')).toBe(`/people/${stranger.userId}`)
    }
    expect((await stranger.get('/people')).status).toBe(200)
  })
})

describe('the audit', () => {
  it('shows who did what, from where, the latest first, and pages to the oldest', async () => {
    const { id: accountId } = await server.app.accounts.require(defaultAccount)
    for (let made = 0; made < 60; made++) {
      await server.app.invitations.make({ accountId, role: 'viewer', email: `page-${made}@example.com` })
      server.runtime.advance(1)
    }
    const first = (await owner.get('/audit')).text
    expect(first).toContain('invitation created: role viewer, email page-59@example.com')
    expect(first).not.toContain('page-9@example.com')
    const [, next] = /href="(\/audit\?after=aud_\w+)"/.exec(first) ?? []
    const second = (await owner.get(next!)).text
    expect(second).toContain('page-9@example.com')
    expect(second).not.toContain('page-59@example.com')
    expect(second).toContain('127.0.0.1')
  })

  it('of another account is not there', async () => {
    const stranger = await signIn(server, 'owner', { account: 'elsewhere' })
    expect((await stranger.get('/audit')).text).toContain('Nothing was done yet.')
  })
})

it('who is not an owner is told whom to ask', async () => {
  const developer = await signIn(server, 'developer')
  const asked = await Promise.all([
    developer.get('/people'),
    developer.get('/audit'),
    developer.post('/people/sign-out'),
  ])
  expect(asked.map(({ status }) => status)).toEqual([403, 403, 403])
})
