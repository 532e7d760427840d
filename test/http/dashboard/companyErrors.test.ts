/** An error of the service in signing somebody in with the company is no refusal and no outage of the company. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OidcSettings } from '../../../src/settings/oidc.ts'
import { type OidcProvider, startOidcProvider } from '../../support/oidcProvider.ts'
import { startProvider } from '../../support/provider.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { watchErrors } from '../../support/thrown.ts'
import { visitorWith } from '../../support/visitor.ts'

const clientSecret = 'a client secret'
let provider: OidcProvider
let oidc: OidcSettings
let server: TestServer
/** Whether the service's own requests throw. */
let isBroken = false
beforeAll(async () => {
  provider = await startOidcProvider()
  const { fetch } = globalThis
  const { origin } = new URL(provider.issuer)
  vi.stubGlobal('fetch', (to: string, options?: RequestInit) => {
    if (!isBroken || new URL(to).origin !== origin) return fetch(to, options)
    throw new TypeError(`cannot read ${String(options?.body)} ${clientSecret}`)
  })
  oidc = {
    ...{ issuer: provider.issuer, clientId: 'watchword', clientSecret, account: 'default', roleClaim: 'groups' },
    roles: new Map([['staff', 'viewer']]),
  }
  server = await startServer({ config: { dashboardPort: 0, oidc } })
  // It has been taken for the sign-ins: others ask as ever.
  vi.unstubAllGlobals()
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const person = { sub: 'subject', name: 'Grace Hopper', email: 'grace@example.com', email_verified: true }

it('before one goes there, the page fails with 500, and the next one is let out', async () => {
  const visitor = visitorWith(server, '')
  const errors = await watchErrors(server, 'sign-in')
  isBroken = true
  const seen = await visitor.get('/sign-in/company?next=%2F')
  expect(seen.status).toBe(500)
  await errors.expect(1, [clientSecret])
  isBroken = false
  expect((await visitor.get('/sign-in/company?next=%2F')).status).toBe(303)
})

it('after one came back, the page fails with 500 and says nothing of the company', async () => {
  const visitor = visitorWith(server, '')
  const out = await visitor.get('/sign-in/company?next=%2F')
  const back = provider.signIn(out.headers.get('location') ?? '', { ...person, groups: ['staff'] })
  const errors = await watchErrors(server, 'sign-in')
  isBroken = true
  const came = await visitor.get(back.pathname + back.search, { 'Sec-Fetch-Site': 'none' })
  isBroken = false
  expect([came.status, came.text.includes('did not let you in')]).toEqual([500, false])
  await errors.expect(1, [clientSecret, back.searchParams.get('code') ?? ''])
})

describe('a company whose answer to who it is cannot be used', () => {
  it.each([
    ['no JSON', { status: 200, headers: { 'Content-Type': 'application/json' }, body: '<html>' }],
    ['another type', { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>' }],
    ['no such page', { status: 404 }],
    ['elsewhere', { status: 302, headers: { Location: 'https://elsewhere.example' } }],
    ['no issuer', { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' }],
    ['no address', { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"issuer":"not a URL"}' }],
    ['packed wrongly', { status: 200, headers: { 'Content-Encoding': 'gzip' }, body: 'not gzip' }],
    ['too long', { status: 200, headers: { 'Content-Type': 'application/json' }, body: ' '.repeat(1_100_000) }],
    ['broken off', 'reset in the body' as const],
    ['gone', 'gone' as const],
  ])('is out of reach, and no error of the service: %s', async (_name, behaviour) => {
    const other = await startProvider(behaviour)
    const asking = await startServer({
      config: { dashboardPort: 0, oidc: { ...oidc, issuer: other.url } },
      beside: server,
    })
    onTestFinished(async () => {
      await asking.close()
      await other.close()
    })
    const before = server.runtime.internalErrors.count('sign-in')
    expect((await visitorWith(asking, '').get('/sign-in/company?next=%2F')).status).toBe(503)
    expect(server.runtime.internalErrors.count('sign-in')).toBe(before)
  })
})
