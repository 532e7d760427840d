/** Signing in with providers that say less of a person than Keycloak does, or something else than before. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OidcSettings } from '../../../src/settings/oidc.ts'
import { type OidcProvider, startOidcProvider } from '../../support/oidcProvider.ts'
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

/** Goes out to the provider, is let in there, and comes back. */
async function enter(claims: object, visitor = visitorWith(server, '')) {
  const out = await visitor.get('/sign-in/company?next=%2Fkeys')
  const back = provider.signIn(out.headers.get('location') ?? '', claims)
  // As for a link: `fetch` does not say that it navigates.
  const came = await visitor.get(back.pathname + back.search, { 'Sec-Fetch-Site': 'none' })
  return { came }
}

describe('a provider that does not say whether emails are verified', () => {
  const trusting = async () => {
    const other = await startServer({
      config: { dashboardPort: 0, oidc: { ...oidc, trustsEmails: true } },
      beside: server,
    })
    onTestFinished(() => other.close())
    return other
  }

  it.each([{ email_verified: undefined }, { email_verified: false }])(
    'lets no one in as it comes: %j',
    async (flag) => {
      const { came } = await enter(person(flag))
      expect([came.status, came.text.includes('sends no verified email for you')]).toEqual([403, true])
    },
  )

  it.each([{ email_verified: undefined }, { email_verified: false }])(
    'is believed where the operator trusts its emails: %j',
    async (flag) => {
      const { came } = await enter(person(flag), visitorWith(await trusting(), ''))
      expect(came.status).toBe(303)
    },
  )

  it('may say so as a text, as Amazon Cognito does', async () => {
    expect((await enter(person({ email_verified: 'true' }))).came.status).toBe(303)
    expect((await enter(person({ email_verified: 'false' }))).came.status).toBe(403)
  })

  it('has the operator told that there is no email at all, which no trust can mend', async () => {
    const other = await trusting()
    const info = vi.spyOn(other.runtime.log, 'info')
    onTestFinished(() => info.mockRestore())
    await enter(person({ email: undefined }), visitorWith(other, ''))
    const email = 'there is no claim email: set the provider to send it'
    expect(info.mock.calls).toContainEqual([expect.objectContaining({ email }), expect.any(String)])
  })

  it('has the operator told which claims there were, by their names alone', async () => {
    const info = vi.spyOn(server.runtime.log, 'info')
    onTestFinished(() => info.mockRestore())
    const claims = person({ email_verified: undefined, department: 'secret-department' })
    await enter(claims)
    const told = info.mock.calls.find(([about]) => Object.hasOwn(Object(about), 'claims'))
    expect(told?.[0]).toMatchObject({ claims: { id_token: expect.arrayContaining(['email', 'department', 'groups']) } })
    expect(JSON.stringify(told)).not.toMatch(/secret-department|company-\d|Hopper/)
  })
})

describe('a person whom the company knows by another subject now', () => {
  it('is let in when an owner has let that be linked, once', async () => {
    const claims = person()
    await enter(claims)
    const renewed = { ...claims, sub: `${claims.sub}-new` }
    const refused = (await enter(renewed)).came
    expect([refused.status, refused.text.includes('Ask an owner of the account to link')]).toEqual([403, true])
    const owner = await signIn(server, 'owner')
    const [{ id } = {}] = await server.query<{ id: string }>(
      sql`select id from dashboard_user where email = ${claims.email}`,
    )
    expect((await owner.submit(`/people/${id}/relink`)).text).toContain('at the next sign-in there')
    expect((await enter({ ...renewed, email_verified: false })).came.status).toBe(403)
    expect((await enter(renewed)).came.status).toBe(303)
    expect((await enter(renewed)).came.status).toBe(303)
    expect((await enter(claims)).came.status).toBe(403)
  })
})

it('an issuer that is written in another way than the provider has it is logged with both', async () => {
  const origin = () => `http://127.0.0.1:${(authentik.address() as AddressInfo).port}`
  const authentik = createServer((_request, response) => {
    const metadata = { issuer: `${origin()}/application/o/watchword/`, jwks_uri: `${origin()}/keys` }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(metadata))
  })
  await once(authentik.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void authentik.close())
  const issuer = `${origin()}/application/o/watchword`
  const other = await startServer({ config: { dashboardPort: 0, oidc: { ...oidc, issuer } }, beside: server })
  onTestFinished(() => other.close())
  const error = vi.spyOn(server.runtime.log, 'error')
  onTestFinished(() => error.mockRestore())
  const { status } = await visitorWith(other, '').get('/sign-in/company')
  expect([status, error.mock.calls.map(([about]) => about)]).toEqual([
    503,
    expect.arrayContaining([{ set: issuer, told: `${issuer}/` }]),
  ])
})
