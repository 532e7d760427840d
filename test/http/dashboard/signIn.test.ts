/** The door: how somebody comes in, is asked again, and goes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultAccount } from '../../../src/domain/access/account.ts'
import type { Role } from '../../../src/domain/access/actor.ts'
import { codeOf, password } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Visitor, visitorWith } from '../../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())

type Guest = Omit<Visitor, 'userId'>
let names = 0
const guest = (): Guest => visitorWith(server, '')
const setCookies = ({ headers }: { headers: Headers }) => headers.getSetCookie().join('\n')

/** Somebody new, by an invitation, in a browser of his own. */
async function newcomer(role: Role = 'developer') {
  const { id: accountId } = await server.app.accounts.require(defaultAccount)
  const { token } = await server.app.invitations.make({ accountId, role, email: null })
  const email = `newcomer-${++names}@example.com`
  const visitor = guest()
  const joined = await visitor.post('/invitation/claim', { token, name: 'Grace Hopper', email, password })
  return { visitor, email, joined, accountId, token }
}

const signIn = (visitor: Guest, email: string, text = password, more = {}) =>
  visitor.post('/sign-in', { email, password: text, ...more })

/** Sets up an authenticator on its page. @returns its secret and the recovery codes */
async function enrol(visitor: Guest) {
  const { text } = await visitor.get('/profile/authenticator')
  const secret = /aria-label="The secret"><code>([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const code = codeOf(secret, server.runtime.now().getTime())
  const on = await visitor.post('/profile/authenticator', { sealed, code })
  return { secret, text, on, recovery: [...new Set(on.text.match(/\b\w{4}(-\w{4}){5}\b/g))] }
}

describe('an invitation', () => {
  it('says what it is for, makes the person, and opens the dashboard', async () => {
    const { id: accountId } = await server.app.accounts.require(defaultAccount)
    const { token } = await server.app.invitations.make({ accountId, role: 'owner', email: 'ada@example.com' })
    const visitor = guest()
    const { text } = await visitor.post('/invitation', { token: `${server.dashboardUrl}/invitation#${token}` })
    expect(text).toContain('You are invited to the account <b>default</b>, as an owner.')
    expect(text).toContain('value="ada@example.com"')
    const joined = await visitor.post('/invitation/claim', { token, name: 'Ada', password })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/'])
    expect((await visitor.get('/profile')).text).toContain('You sign in as ada@example.com, and are owner of default.')
  })

  it('tells what is wrong with what was entered, keeps that, and works still', async () => {
    const { id: accountId } = await server.app.accounts.require(defaultAccount)
    const { token } = await server.app.invitations.make({ accountId, role: 'viewer', email: null })
    const fields = { token, name: 'Ada', email: 'ada-2@example.com' }
    const { status, text } = await guest().post('/invitation/claim', { ...fields, password: 'too short' })
    expect(status).toBe(400)
    expect(text).toContain('A password needs at least 12 characters.')
    expect(text).toContain('value="ada-2@example.com"')
    expect(text).not.toContain('too short')
    expect((await guest().post('/invitation/claim', { ...fields, password })).status).toBe(303)
  })

  it('that was used says so, like one that never was', async () => {
    const { token } = await newcomer()
    const told = await Promise.all([token, 'never-was'].map((one) => guest().post('/invitation', { token: one })))
    for (const { status, text } of told) {
      expect(status).toBe(400)
      expect(text).toContain('This link no longer works')
      expect(text).not.toContain(token)
    }
  })
})

describe('signing in', () => {
  it('sets a cookie that no script reads and no other site sends, and goes where one was going', async () => {
    const { email } = await newcomer()
    const entered = await signIn(guest(), email, password, { next: '/keys' })
    expect(entered.headers.get('location')).toBe('/keys')
    const cookie = entered.headers.getSetCookie().find((set) => set.startsWith('watchword_session='))
    expect(cookie).toMatch(/^watchword_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/)
  })

  it('behind TLS, sends the cookie over TLS alone, and to this host alone', async () => {
    const dashboardUrl = 'https://dashboard.example.com'
    const secure = await startServer({ beside: server, config: { dashboardPort: 0, dashboardUrl } })
    const { email } = await newcomer()
    const entered = await signIn(visitorWith(secure, ''), email)
    expect(setCookies(entered)).toMatch(/^__Host-watchword_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure/)
    await secure.close()
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', 'javascript:alert(1)'])(
    'never leads to another site: %s',
    async (next) => {
      const { email } = await newcomer()
      expect((await signIn(guest(), email, password, { next })).headers.get('location')).toBe('/')
    },
  )

  it('takes no session that somebody else has put into the browser', async () => {
    const [mallory, ada] = [await newcomer(), await newcomer()]
    const planted = setCookies(await signIn(guest(), mallory.email))
    const victim = visitorWith(server, planted.split(';', 1)[0]!)
    const entered = await signIn(victim, ada.email)
    const token = (text: string) => /watchword_session=([^;]+)/.exec(text)?.[1]
    expect(token(setCookies(entered))).not.toBe(token(planted))
    expect((await victim.get('/profile')).text).toContain(ada.email)
    expect((await visitorWith(server, `watchword_session=${token(planted)}`).get('/profile')).text).toContain(
      mallory.email,
    )
  })

  it('answers the same for an email that nobody has: the very same page, but for what was typed', async () => {
    const { email } = await newcomer()
    const tell = async (typed: string) => {
      const { status, text, headers } = await signIn(guest(), typed, 'not the right one')
      return { status, text: text.replaceAll(typed, '…'), cookies: headers.getSetCookie() }
    }
    const known = await tell(email)
    expect(known).toMatchObject({ status: 400, cookies: [] })
    expect(known.text).toContain('The email or the password is wrong.')
    expect(await tell('nobody-at-all@example.com')).toEqual(known)
  })

  it('with a wrong password is in the log with its address, and with nothing that was typed', async () => {
    const lines = () => server.runtime.lines.filter((line) => line.includes('the dashboard refused this'))
    const before = lines().length
    await signIn(guest(), 'stranger@example.com', 'not the right one')
    const [line = '', ...more] = lines().slice(before)
    expect(more).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      level: 30,
      method: 'POST',
      page: '/sign-in',
      status: 400,
      address: '127.0.0.1',
    })
    expect(line).not.toMatch(/stranger|not the right one/)
  })

  it('says how long to wait after five wrong ones', async () => {
    const { email } = await newcomer()
    for (let guess = 0; guess < 5; guess++) await signIn(guest(), email, 'not the right one')
    const { status, text } = await signIn(guest(), email)
    expect(status).toBe(429)
    expect(text).toContain('That was wrong too often. Try again in 15 minutes.')
    await server.advance(900)
  })

  it('is open in a browser where one has signed in before, whatever strangers try meanwhile', async () => {
    const { visitor, email, joined } = await newcomer()
    const cookie = joined.headers.getSetCookie().find((set) => set.startsWith('watchword_browser='))!
    expect(cookie).toMatch(/^watchword_browser=[\w-]{200,400}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/)
    const readable = Buffer.from(cookie.split(/[=;]/)[1]!, 'base64url').toString('latin1')
    expect(readable).not.toContain(email)
    await visitor.post('/sign-out')
    for (let guess = 0; guess < 5; guess++) await signIn(guest(), email, 'not the right one')
    expect((await signIn(guest(), email)).status).toBe(429)
    expect((await signIn(visitor, email)).status).toBe(303)
    // A new password: the browser that set it is known, others are not.
    await visitor.post('/profile/password', { password: 'another one that is long' })
    await visitor.post('/sign-out')
    expect((await signIn(visitor, email, 'another one that is long')).status).toBe(303)
    const before = visitorWith(server, cookie.split(';', 1)[0]!)
    expect((await signIn(before, email, 'another one that is long')).status).toBe(429)
    await server.advance(900)
  })

  it('is refused when another site sends the form', async () => {
    const { email } = await newcomer()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const sent = await guest().post('/sign-in', { email, password }, { 'Sec-Fetch-Site': site })
      expect([sent.status, sent.headers.getSetCookie()]).toEqual([403, []])
    }
  })

  it('leads to the sign-in, and from there back, whoever is not signed in', async () => {
    const asked = await guest().get('/people?x=1')
    expect(asked.headers.get('location')).toBe('/sign-in?next=%2Fpeople%3Fx%3D1')
    expect((await guest().get('/sign-in?next=%2Fpeople')).text).toContain('name="next" value="/people"')
  })
})

describe('an authenticator', () => {
  it('is set up with a picture, and its code is asked for from then on', async () => {
    const { visitor, email } = await newcomer()
    const { secret, text, on, recovery } = await enrol(visitor)
    expect(text).toContain('<svg xmlns="http://www.w3.org/2000/svg"')
    expect(on.text).toContain('The authenticator is on')
    expect(recovery).toHaveLength(10)
    await server.advance(60)
    const again = guest()
    const half = await signIn(again, email, password, { next: '/keys' })
    expect(half.headers.get('location')).toBe('/sign-in/code?next=%2Fkeys')
    expect((await again.get('/keys')).headers.get('location')).toMatch(/^\/sign-in/)
    expect((await again.post('/sign-in/code', { code: '000000', next: '/keys' })).status).toBe(400)
    const code = codeOf(secret, server.runtime.now().getTime())
    const entered = await again.post('/sign-in/code', { code, next: '/keys' })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/keys'])
    expect((await again.get('/keys')).status).toBe(200)
    expect((await again.get('/profile')).text).toContain('10 recovery codes are left')
  })

  it('is not set up with a wrong code: the same picture is shown again', async () => {
    const { visitor } = await newcomer()
    const { text } = await visitor.get('/profile/authenticator')
    const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const wrong = await visitor.post('/profile/authenticator', { sealed, code: '000000' })
    expect(wrong.status).toBe(400)
    const svg = (page: string) => /<svg xmlns.*?<\/svg>/s.exec(page)?.[0]
    expect(svg(wrong.text)).toBe(svg(text))
  })

  it('asks nothing of a browser that has no half of a sign-in', async () => {
    const sent = await guest().submit('/sign-in/code', { code: '000000' })
    expect(sent.headers.get('location')).toBe('/sign-in')
  })

  it('lets in also who sends the code twice, whichever answer comes last', async () => {
    const { visitor, email } = await newcomer()
    const { secret } = await enrol(visitor)
    await server.advance(60)
    const half = await signIn(guest(), email)
    const pending = /watchword_pending=[^;]+/.exec(setCookies(half))?.[0] ?? ''
    const fields = { code: codeOf(secret, server.runtime.now().getTime()), next: '/keys' }
    const entered = await visitorWith(server, pending).post('/sign-in/code', fields)
    const session = /watchword_session=[^;]+/.exec(setCookies(entered))?.[0] ?? ''
    const again = await guest().post('/sign-in/code', fields, { Cookie: `${pending}; ${session}` })
    expect([again.status, again.headers.get('location')]).toEqual([303, '/keys'])
    expect(setCookies(again)).not.toContain('watchword_session')
    expect((await visitorWith(server, session).get('/keys')).status).toBe(200)
  })
})

describe('what matters', () => {
  it('asks for a proof that is older than ten minutes, and then goes on with another token', async () => {
    const { visitor } = await newcomer()
    await server.advance(601)
    const asked = await visitor.get('/profile/password')
    expect(asked.headers.get('location')).toBe('/proof?next=%2Fprofile%2Fpassword')
    expect((await visitor.post('/proof', { proof: 'not the right one', next: '/profile/password' })).status).toBe(400)
    const proved = await visitor.post('/proof', { proof: password, next: '/profile/password' })
    expect(proved.headers.get('location')).toBe('/profile/password')
    expect(setCookies(proved)).toContain('watchword_session=')
    expect((await visitor.get('/profile/password')).status).toBe(200)
  })

  it('does not sign out who sends the proof, or a new password, twice', async () => {
    const { visitor, joined } = await newcomer()
    const before = { Cookie: /watchword_session=[^;]+/.exec(setCookies(joined))?.[0] ?? '' }
    const [proof, changed] = [{ proof: password, next: '/keys' }, { password: 'another one that is long' }]
    expect((await visitor.post('/proof', proof)).status).toBe(303)
    // Of two at once, one finds that the other was first: both were sent with what the browser had.
    for (const [path, fields] of [
      ['/proof', proof],
      ['/profile/password', changed],
    ] as const) {
      const again = await guest().post(path, fields, before)
      expect([again.status, setCookies(again)]).toEqual([303, ''])
    }
    const told = await Promise.all([visitor.post('/proof', proof), visitor.post('/proof', proof)])
    expect(told.map(setCookies).join()).not.toContain('watchword_session=;')
    expect((await visitor.get('/keys')).status).toBe(200)
  })
})

describe('one’s own profile', () => {
  it('changes the name and the password; other browsers are signed out by the latter', async () => {
    const { visitor, email } = await newcomer()
    const other = guest()
    await signIn(other, email)
    expect((await visitor.submit('/profile/name', { name: 'Grace Murray Hopper' })).text).toContain(
      'Your name is changed.',
    )
    const { text } = await visitor.submit('/profile/password', { password: 'another one that is long' })
    expect(text).toContain('Your password is changed.')
    expect(text).toContain('Grace Murray Hopper')
    expect((await other.get('/profile')).headers.get('location')).toMatch(/^\/sign-in/)
    expect((await signIn(guest(), email, 'another one that is long')).status).toBe(303)
  })

  it('shows where one is signed in, and signs out there', async () => {
    const { visitor, email } = await newcomer()
    const other = guest()
    await signIn(other, email)
    const { text } = await visitor.get('/profile')
    const [, id] = /\/profile\/sessions\/(ses_\w+)\/end/.exec(text) ?? []
    expect((await visitor.submit(`/profile/sessions/${id}/end`)).text).toContain('Signed out there.')
    expect((await other.get('/profile')).status).toBe(303)
    expect((await visitor.get('/profile')).status).toBe(200)
  })

  it('cannot sign anybody else out', async () => {
    const [ada, grace] = [await newcomer(), await newcomer()]
    await signIn(guest(), grace.email)
    const [, id] = /\/profile\/sessions\/(ses_\w+)\/end/.exec((await grace.visitor.get('/profile')).text) ?? []
    expect((await ada.visitor.submit(`/profile/sessions/${id}/end`)).text).toContain(`There is no session ${id}.`)
  })

  it('ends with signing out: what the browser had opens nothing any more', async () => {
    const { visitor, joined } = await newcomer()
    const cookie = /watchword_session=[^;]+/.exec(setCookies(joined))?.[0] ?? ''
    expect((await visitor.post('/sign-out')).headers.get('location')).toBe('/sign-in')
    expect((await visitorWith(server, cookie).get('/profile')).status).toBe(303)
  })
})

it('no password, token, code or email of theirs is in the log', async () => {
  const { visitor, email, token } = await newcomer()
  await signIn(guest(), email, 'a guess that is secret')
  const { secret, recovery } = await enrol(visitor)
  const lines = server.runtime.lines.join('\n')
  for (const text of [password, email, token, 'a guess that is secret', secret, ...recovery]) {
    expect(lines).not.toContain(text)
  }
})
