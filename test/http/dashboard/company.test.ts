/** Signing in with the company. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OidcSettings } from '../../../src/settings/oidc.ts'
import { type Changes, type Forgery, type OidcProvider, startOidcProvider } from '../../support/oidcProvider.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, visitorWith } from '../../support/visitor.ts'

let provider: OidcProvider
let oidc: OidcSettings
let server: TestServer
beforeAll(async () => {
  provider = await startOidcProvider()
  oidc = {
    ...{ issuer: provider.issuer, clientId: 'watchword', clientSecret: 'a client secret', account: 'default' },
    roleClaim: 'groups',
    roles: new Map([
      ['staff', 'viewer'],
      ['developers', 'developer'],
      ['admins', 'owner'],
    ]),
  }
  server = await startServer({ config: { dashboardPort: 0, oidc } })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

let names = 0

function person(changes: object = {}) {
  names += 1
  const email = `company-${names}@example.com`
  return { sub: `subject-${names}`, name: 'Grace Hopper', email, email_verified: true, groups: ['staff'], ...changes }
}

const guest = () => visitorWith(server, '')

/** Goes out to the provider, is let in there, and comes back. */
async function enter(claims: object, visitor = guest(), changes: Changes = {}, path = '/sign-in/company?next=%2Fkeys') {
  const out = await visitor.get(path)
  const back = provider.signIn(out.headers.get('location') ?? '', claims, changes)
  // As for a link: `fetch` does not say that it navigates.
  const came = await visitor.get(back.pathname + back.search, { 'Sec-Fetch-Site': 'none' })
  return { visitor, back, came }
}

describe('the first time', () => {
  it('makes the person with the name, email and role of the company, and goes where one was going', async () => {
    const claims = person({ groups: ['staff', 'developers', 'others'] })
    const { visitor, came } = await enter(claims)
    expect([came.status, came.headers.get('location')]).toEqual([303, '/keys'])
    const { text } = await visitor.get('/profile')
    expect(text).toContain(`You sign in as ${claims.email}, and are developer of default.`)
    expect(text).toContain('Grace Hopper')
  })

  it('is one time, however often one comes at once', async () => {
    const claims = person()
    const told = await Promise.all(Array.from({ length: 4 }, () => enter(claims)))
    expect(told.map(({ came }) => came.status)).toEqual([303, 303, 303, 303])
    const rows = await server.query(sql`select 1 from dashboard_user where email = ${claims.email}`)
    expect(rows).toHaveLength(1)
  })

  it.each([
    ['no role', { groups: ['others'] }, 'Your company gives you no role here.'],
    ['no groups at all', { groups: undefined }, 'Your company gives you no role here.'],
    ['an email that is not verified', { email_verified: false }, 'Your company sends no verified email for you.'],
    ['no email', { email: undefined }, 'Your company sends no verified email for you.'],
  ])('refuses who has %s', async (_what, changes, said) => {
    const claims = person(changes)
    const { visitor, came } = await enter(claims)
    expect(came.status).toBe(403)
    expect(came.text).toContain(said)
    expect((await visitor.get('/profile')).status).toBe(303)
  })

  it('takes nobody for somebody who is here already, whatever email the company tells', async () => {
    const owner = await signIn(server, 'owner')
    const [row] = await server.query<{ email: string }>(
      sql`select email from dashboard_user where id = ${owner.userId}`,
    )
    const { came } = await enter(person({ email: row!.email.toUpperCase() }))
    expect(came.status).toBe(403)
    expect(came.text).toContain('who is here already')
  })
})

describe('each time', () => {
  it('the role is what the company says then, and none is no way in', async () => {
    const claims = person()
    await enter(claims)
    const { visitor } = await enter({ ...claims, groups: ['developers'], email: 'another@example.com' })
    expect((await visitor.get('/profile')).text).toContain(
      `You sign in as ${claims.email}, and are developer of default.`,
    )
    expect((await enter({ ...claims, groups: [] })).came.status).toBe(403)
  })

  it('who was disabled here is not let in', async () => {
    const claims = person()
    await enter(claims)
    await server.app.users.disable(await server.app.users.require(claims.email))
    expect((await enter(claims)).came.text).toContain('You are disabled here.')
  })
})

describe('an important step', () => {
  const developer = (changes: object = {}) => person({ groups: ['developers'], ...changes })
  const again = '/proof/company?next=%2Fkeys%2Fnew'
  const wayTo = async (visitor: ReturnType<typeof guest>) =>
    (await visitor.get('/keys/new')).headers.get('location') ?? 'open'

  it('is open for ten minutes after a sign-in at the company, also where one has been let in since', async () => {
    const claims = developer()
    const fresh = await enter(claims)
    const older = await enter(claims, guest(), { signedInSeconds: 595 })
    expect([await wayTo(fresh.visitor), await wayTo(older.visitor)]).toEqual(['open', 'open'])
    server.runtime.advance(10)
    expect([await wayTo(fresh.visitor), await wayTo(older.visitor)]).toEqual(['open', '/proof?next=%2Fkeys%2Fnew'])
  })

  it.each<[string, Changes]>([
    ['a company that lets in who is signed in there without asking', { signedInSeconds: 3600 }],
    ['one that does not tell when that was', { isMute: true }],
  ])('is not open because of %s', async (_what, changes) => {
    const { visitor } = await enter(developer(), guest(), changes)
    expect((await visitor.get('/keys')).status).toBe(200)
    expect(await wayTo(visitor)).toBe('/proof?next=%2Fkeys%2Fnew')
  })

  it('leads who has no password through the company, which asks again, and back to where one was', async () => {
    const claims = developer()
    const { visitor } = await enter(claims, guest(), { signedInSeconds: 3600 })
    const { text } = await visitor.get(await wayTo(visitor))
    expect(text).toContain(`href="${again}"`)
    expect(text).not.toContain('name="proof"')
    const proved = await enter(claims, visitor, { signedInSeconds: 3600 }, again)
    expect(proved.came.headers.get('location')).toBe('/keys/new')
    expect(await wayTo(visitor)).toBe('open')
    // It is one session still, under another token.
    const sessions = await server.query(sql`select 1 from dashboard_session s
      join dashboard_user u on u.account_id = s.account_id and u.id = s.user_id where u.email = ${claims.email}`)
    expect(sessions).toHaveLength(1)
  })

  it('stays closed when the company does not ask again, and says so', async () => {
    const claims = developer()
    const silent = { signedInSeconds: 3600, isDeaf: true }
    const { visitor } = await enter(claims, guest(), silent)
    const { came } = await enter(claims, visitor, silent, again)
    expect(came.text).toContain('Your company signed you in without asking again')
    expect(came.text).toContain(`href="${again}"`)
    expect(await wayTo(visitor)).toBe('/proof?next=%2Fkeys%2Fnew')
  })

  it('is open after a company that never tells when people signed in: it is believed to have asked', async () => {
    const own = await startServer({ beside: server, config: { dashboardPort: 0, oidc } })
    const claims = developer()
    const { visitor } = await enter(claims, visitorWith(own, ''), { isMute: true })
    expect(await wayTo(visitor)).toBe('/proof?next=%2Fkeys%2Fnew')
    await enter(claims, visitor, { isMute: true }, again)
    expect(await wayTo(visitor)).toBe('open')
    await own.close()
  })

  it('stays closed when the wish to ask again was taken out of the way to the company', async () => {
    const claims = developer()
    const before = { signedInSeconds: 3600 }
    const { visitor } = await enter(claims, guest(), before)
    const way = new URL((await visitor.get(again)).headers.get('location') ?? '')
    for (const name of ['prompt', 'max_age']) way.searchParams.delete(name)
    const back = provider.signIn(way.href, claims, before)
    const came = await visitor.get(back.pathname + back.search, { 'Sec-Fetch-Site': 'none' })
    expect(came.text).toContain('Your company signed you in without asking again')
    expect(await wayTo(visitor)).toBe('/proof?next=%2Fkeys%2Fnew')
  })

  it('is never open for the person before, when somebody else signs in there', async () => {
    const [ada, mallory] = [developer(), developer()]
    const { visitor } = await enter(ada, guest(), { signedInSeconds: 3600 })
    await enter(mallory, visitor, {}, again)
    expect((await visitor.get('/profile')).text).toContain(`You sign in as ${mallory.email}`)
  })

  it('asks nobody for a code of which nobody has the authenticator, and counts nothing as wrong', async () => {
    const claims = developer()
    const { visitor } = await enter(claims, guest(), { signedInSeconds: 3600 })
    for (let guess = 0; guess < 6; guess++) {
      const { status, text } = await visitor.post('/proof', { proof: '000000', next: '/keys/new' })
      expect([status, text.includes('Sign in with your company again')]).toEqual([200, true])
    }
  })
})

describe('the answer of the provider', () => {
  it('is taken by the browser that asked, and by no other', async () => {
    const out = await guest().get('/sign-in/company')
    const back = provider.signIn(out.headers.get('location') ?? '', person())
    const victim = guest()
    await victim.get('/sign-in/company')
    for (const visitor of [guest(), victim]) {
      const came = await visitor.get(back.pathname + back.search)
      expect(came.text).toContain('Your company did not let you in, or it took too long.')
      expect(came.headers.getSetCookie().join()).not.toContain('watchword_session=')
    }
  })

  it('is taken once', async () => {
    const { visitor, back } = await enter(person())
    expect((await visitor.get(back.pathname + back.search)).text).toContain('Your company did not let you in')
  })

  it('is asked about once, whoever sends it again with what the browser had', async () => {
    const visitor = guest()
    const out = await visitor.get('/sign-in/company')
    const cookie = /watchword_company=[^;]+/.exec(out.headers.getSetCookie().join())?.[0] ?? ''
    const { searchParams } = new URL(out.headers.get('location') ?? '')
    const back = `/sign-in/company/back?code=made-up&state=${searchParams.get('state')}`
    const before = provider.exchanges()
    for (let again = 0; again < 3; again++) {
      const came = await visitorWith(server, '').get(back, { Cookie: cookie, 'Sec-Fetch-Site': 'none' })
      expect(came.text).toContain('Your company did not let you in')
    }
    expect(provider.exchanges() - before).toBe(1)
  })

  it('a network may ask for twenty made-up states and then waits; real ones do not count', async () => {
    const own = await startServer({ beside: server, config: { dashboardPort: 0, oidc } })
    const stranger = async () => {
      const visitor = visitorWith(own, '')
      const { searchParams } = new URL((await visitor.get('/sign-in/company')).headers.get('location') ?? '')
      return visitor.get(`/sign-in/company/back?code=made-up&state=${searchParams.get('state')}`)
    }
    const claims = person()
    for (let again = 0; again < 22; again++) {
      const visitor = visitorWith(own, '')
      expect((await enter(claims, visitor)).came.status).toBe(303)
    }
    const before = provider.exchanges()
    for (let again = 0; again < 20; again++) expect((await stranger()).status).toBe(200)
    expect((await stranger()).status).toBe(429)
    expect(provider.exchanges() - before).toBe(20)
    const wrong = await visitorWith(own, '').post('/sign-in', { email: 'nobody@example.com', password: 'x' })
    expect(wrong.status).toBe(400)
    await own.close()
  })

  it('is waited for in five places of one network at most: people of other networks sign in meanwhile', async () => {
    const own = await startServer({ beside: server, config: { dashboardPort: 0, dashboardProxies: 1, oidc } })
    const from = (address: string) => ({ 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'none' })
    const comeBack = async (address: string) => {
      const visitor = visitorWith(own, '')
      const out = await visitor.get('/sign-in/company', from(address))
      const { searchParams } = new URL(out.headers.get('location') ?? '')
      return visitor.get(`/sign-in/company/back?code=made-up&state=${searchParams.get('state')}`, from(address))
    }
    const release = provider.hold()
    const before = provider.exchanges()
    const statuses: number[] = []
    const strangers = Array.from({ length: 20 }, async () => statuses.push((await comeBack('192.0.2.7')).status))
    await expect.poll(() => provider.exchanges() - before).toBe(5)
    const visitor = visitorWith(own, '')
    const out = await visitor.get('/sign-in/company', from('192.0.2.8'))
    const back = provider.signIn(out.headers.get('location') ?? '', person())
    expect((await visitor.get(back.pathname + back.search, from('192.0.2.8'))).status).toBe(303)
    await expect.poll(() => statuses).toEqual(Array(15).fill(503))
    expect(provider.exchanges() - before).toBe(6)
    release()
    await Promise.all(strangers)
    await own.close()
  })

  it.each([
    ['of another request', {}, { nonce: 'another' }],
    ['for another program', { aud: 'another' }, {}],
    ['of another provider', { iss: 'https://another.example.com' }, {}],
    ['that is over', { exp: 1 }, {}],
  ])('%s lets nobody in', async (_what, claims, changes) => {
    const { came } = await enter(person(claims), guest(), changes)
    expect(came.text).toContain('Your company did not let you in')
  })

  it.each<Forgery>(['another key', 'an unknown key', 'the secret', 'nothing', 'a changed signature'])(
    'whose ID token is signed with %s lets no one in',
    async (signs) => {
      const { visitor, came } = await enter(person(), guest(), { signs })
      expect(came.text).toContain('Your company did not let you in')
      expect((await visitor.get('/profile')).status).toBe(303)
    },
  )

  it('lets nobody in when what is told beside the ID token is longer than is read of it', async () => {
    expect((await enter(person(), guest(), { padding: 900_000 })).came.status).toBe(303)
    const { came } = await enter(person(), guest(), { padding: 1_100_000 })
    expect(came.text).toContain('Your company did not let you in')
  })

  it('comes within ten minutes', async () => {
    const visitor = guest()
    const out = await visitor.get('/sign-in/company')
    const back = provider.signIn(out.headers.get('location') ?? '', person())
    server.runtime.advance(600)
    expect((await visitor.get(back.pathname + back.search)).text).toContain('it took too long')
  })
})

describe('an email', () => {
  const nowhere = { email: undefined, email_verified: undefined }
  const here = person()

  it.each<[string, object, object]>([
    ['is verified by a flag beside another one', { email_verified: undefined }, { email_verified: true }],
    ['is verified by a flag where no email is', { email_verified: true, email: undefined }, { email: here.email }],
    [
      'is verified elsewhere, and is not where it is signed',
      { email_verified: false },
      { email: here.email, email_verified: true },
    ],
  ])('that %s lets no one in for the first time', async (_what, claims, userinfo) => {
    const { came } = await enter(person(claims), guest(), { userinfo })
    expect(came.status).toBe(403)
    expect(came.text).toContain('Your company sends no verified email for you.')
  })

  it('that is told beside the ID token, with its own flag, is as good', async () => {
    const { email } = person()
    const { came } = await enter(person(nowhere), guest(), { userinfo: { email, email_verified: true } })
    expect(came.status).toBe(303)
  })
})

it('the keys of a company are read anew when it signs with another one, at most once a minute', async () => {
  const own = await startOidcProvider()
  const alone = await startServer({
    beside: server,
    config: { dashboardPort: 0, oidc: { ...oidc, issuer: own.issuer } },
  })
  const comes = async (signs?: Forgery) => {
    const visitor = visitorWith(alone, '')
    const out = await visitor.get('/sign-in/company')
    const back = own.signIn(out.headers.get('location') ?? '', person(), signs && { signs })
    return (await visitor.get(back.pathname + back.search, { 'Sec-Fetch-Site': 'none' })).status
  }
  expect([await comes(), await comes(), own.keyReads()]).toEqual([303, 303, 1])
  own.rotate()
  for (let again = 0; again < 5; again++) expect(await comes()).toBe(200)
  expect(own.keyReads()).toBe(1)
  // The age of keys is told by the machine's own clock.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  onTestFinished(() => clock.mockRestore())
  expect([await comes(), own.keyReads()]).toEqual([303, 2])
  for (let again = 0; again < 5; again++) expect(await comes('an unknown key')).toBe(200)
  expect(own.keyReads()).toBe(2)
  await alone.close()
  await own.close()
})

it('the page to sign in offers it where there is one', async () => {
  expect((await guest().get('/sign-in')).text).toContain('Sign in with your company')
  const without = await startServer({ beside: server, config: { dashboardPort: 0 } })
  const visitor = visitorWith(without, '')
  expect((await visitor.get('/sign-in')).text).not.toContain('company')
  expect((await visitor.get('/sign-in/company')).text).toContain('This dashboard has no company sign-in.')
  await without.close()
})

it('a provider that is out of reach is said to be, and no more', async () => {
  const oidc = {
    issuer: 'http://127.0.0.1:9',
    clientId: 'a',
    clientSecret: 'b',
    roleClaim: 'c',
    roles: new Map(),
    account: 'default',
  }
  const alone = await startServer({ beside: server, config: { dashboardPort: 0, oidc } })
  expect((await visitorWith(alone, '').get('/sign-in/company')).status).toBe(503)
  await alone.close()
})
