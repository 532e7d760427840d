/** What a sandbox does for those who build on their own machine, and no other service does. */

import { sql } from 'drizzle-orm'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../support/client.ts'
import { sectionOf } from '../support/docs.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const sandboxKey = 'ww_test_TheSandboxKeyOfWatchwordIsKnownToEverybody109l8ce'
const page = 'http://localhost:5173'

let sandbox: TestServer
let service: TestServer
let client: Client
beforeAll(async () => {
  sandbox = await startServer({ config: { sandboxKey } })
  service = await startServer()
  client = createClient(sandbox.url, sandboxKey)
})
afterAll(async () => {
  await service?.close()
  await sandbox?.close()
})

const messagesOf = (phone: string) => `/sandbox/messages?phone=${encodeURIComponent(phone)}`

async function send(phone: string, more: object = {}): Promise<string> {
  const { status, data } = await client.post<{ request_id: string }>('/v1/verify/send', { phone, ...more })
  expect(status).toBe(200)
  return data.request_id
}

describe('a sandbox', () => {
  it('issues receipts without PUBLIC_URL, in the name of its own address', async () => {
    const request_id = await send(newPhone())
    const wish = { request_id, code: '000000', receipt: { audience: 'shop' } }
    const { status, data } = await client.post<{ receipt: string }>('/v1/verify/check', wish)
    expect(status).toBe(200)
    const keys = createRemoteJWKSet(new URL(`${sandbox.url}/.well-known/jwks-test.json`))
    const expected = { issuer: sandbox.url, audience: 'shop', currentDate: sandbox.runtime.now() }
    expect((await jwtVerify(data.receipt, keys, expected)).payload.jti).toBe(request_id)
  })

  it('lets pages of its own machine read what its phones have, and no other page or service', async () => {
    const url = sandbox.opsUrl + messagesOf(newPhone())
    const allowed = async (at: string, origin: string, method = 'GET') =>
      (await fetch(at, { method, headers: { Origin: origin } })).headers.get('access-control-allow-origin')
    expect(await allowed(url, page)).toBe(page)
    expect(await allowed(url, page, 'OPTIONS')).toBe(page)
    expect(await allowed(url, 'https://evil.example')).toBeNull()
    expect(await allowed(url, 'http://localhost.evil.example')).toBeNull()
    expect(await allowed(`${sandbox.opsUrl}/metrics`, page)).toBeNull()
    expect(await allowed(service.opsUrl + messagesOf(newPhone()), page)).toBeNull()
  })

  it('lets its key do all, also what must be chosen for other keys: templates, and codes of its own', async () => {
    const template = {
      category: 'utility',
      default_locale: 'en',
      locales: { en: { text: 'It is on its way.' }, de: { text: 'Es ist unterwegs.' } },
    }
    expect(await client.put('/v1/templates/parcel', template)).toMatchObject({ data: { result: 'created' } })
    const wish = { phone: newPhone(), template: 'parcel', variables: {}, locale: 'de-AT' }
    const sent = await client.post('/v1/notifications/send', wish)
    expect(sent).toMatchObject({ status: 200, data: { template: { slug: 'parcel', locale: 'de' } } })
    await send(newPhone(), { code: '40718293' })
  })

  it('gives its key a new scope when the next service takes its place, as npm run dev does', async () => {
    await sandbox.query(sql`update api_key set scopes = '{messages:read}' where name = 'sandbox'`)
    const next = await startServer({ config: { sandboxKey }, beside: sandbox })
    const { status } = await createClient(next.url, sandboxKey).post('/v1/verify/send', { phone: newPhone() })
    await next.close()
    expect(status).toBe(200)
  })
})

describe('the page that tries WebOTP on localhost', () => {
  const guide = sectionOf('docs/frontend.md', 'Trying WebOTP on your machine')
  const [, script = ''] = /^```js\n(.*?)\n```$/ms.exec(guide) ?? []
  const documentedUrl = 'http://127.0.0.1:9464/sandbox/messages?phone=%2B14155550100'

  it('gets the code of the sandbox phone, and stops waiting when the user has typed it', async () => {
    const phone = newPhone()
    await send(phone, { autofill: { domain: 'localhost' } })
    await sandbox.work()
    expect((await sandbox.phone(phone)).at(-1)?.text).toMatch(/\n@localhost #000000$/)
    expect(script).toContain(documentedUrl)
    const navigator = { credentials: { get: async (_wanted: object): Promise<object | undefined> => undefined } }
    const window: Record<string, unknown> = {}
    const run = new Function(
      'navigator',
      'window',
      'location',
      script.replace(documentedUrl, sandbox.opsUrl + messagesOf(phone)),
    )
    run(navigator, window, { hostname: 'localhost' })
    expect(window).toHaveProperty('OTPCredential')
    const wanted = (signal: AbortSignal) => navigator.credentials.get({ otp: { transport: ['sms'] }, signal })
    expect(await wanted(new AbortController().signal)).toEqual({ code: '000000' })
    await expect(wanted(AbortSignal.abort())).rejects.toThrow()
  })
})
