/** Signing in with the company in several tabs at once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OidcProvider, startOidcProvider } from '../../support/oidcProvider.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { visitorWith } from '../../support/visitor.ts'

let provider: OidcProvider
let server: TestServer
beforeAll(async () => {
  provider = await startOidcProvider()
  const client = { issuer: provider.issuer, clientId: 'watchword', clientSecret: 'a client secret', account: 'default' }
  const oidc = { ...client, roleClaim: 'groups', roles: new Map([['staff', 'viewer' as const]]) }
  server = await startServer({ config: { dashboardPort: 0, oidc } })
})
afterAll(async () => {
  await server?.close()
  await provider?.close()
})

const person = () => {
  const id = crypto.randomUUID()
  return { sub: id, name: 'Grace Hopper', email: `${id}@example.com`, email_verified: true, groups: ['staff'] }
}

// https://github.com/auth0/nextjs-auth0/issues/142
it('lets a person in from each tab, whichever began last', async () => {
  const visitor = visitorWith(server, '')
  const claims = person()
  const tabs = []
  for (const next of ['/keys', '/messages', '/profile']) {
    const out = await visitor.get(`/sign-in/company?next=${encodeURIComponent(next)}`)
    tabs.push({ next, back: provider.signIn(out.headers.get('location') ?? '', claims) })
  }
  for (const { next, back } of tabs) {
    const came = await visitor.get(back.pathname + back.search, { 'Sec-Fetch-Site': 'none' })
    expect([came.status, came.headers.get('location')]).toEqual([303, next])
  }
})

it('keeps the latest tabs in a cookie of a size that browsers take', async () => {
  const visitor = visitorWith(server, '')
  const next = `/messages?q=${'x'.repeat(300)}`
  const backs = []
  for (let tab = 0; tab < 12; tab++) {
    const out = await visitor.get(`/sign-in/company?next=${encodeURIComponent(next)}`)
    expect(out.headers.getSetCookie().find((cookie) => cookie.startsWith('watchword_company'))?.length).toBeLessThan(
      4000,
    )
    backs.push(provider.signIn(out.headers.get('location') ?? '', person()))
  }
  const come = ({ pathname, search }: URL) => visitor.get(pathname + search, { 'Sec-Fetch-Site': 'none' })
  expect((await come(backs[0]!)).text).toContain('Your company did not let you in')
  expect((await come(backs.at(-3)!)).status).toBe(303)
})
