/** The API, the dashboard and the operations on one port, as platforms give it, and two of them on one. */
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newKey } from '../../src/domain/access/keyText.ts'
import { startOidcProvider } from '../support/oidcProvider.ts'
import { opsToken, portsBy, startOnOnePort } from '../support/onePort.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { signIn, type Visitor, visitorWith } from '../support/visitor.ts'

const statusOf = (url: string, init?: RequestInit) => fetch(url, { redirect: 'manual', ...init }).then((a) => a.status)
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const guarded = ['/metrics', '/sandbox/messages?phone=%2B14155550100']

describe('on one port', () => {
  let server: TestServer
  let owner: Visitor
  beforeAll(async () => {
    server = await startOnOnePort({ OPS_TOKEN: opsToken })
    owner = await signIn(server, 'owner')
  })
  afterAll(() => server.close())

  it('the API answers as ever, also where providers and auth systems post', async () => {
    expect(await server.test.send(newPhone())).toMatch(/^req_/)
    expect(await statusOf(`${server.url}/openapi.json`)).toBe(200)
    expect(await statusOf(`${server.url}/providers/acct_default/none`, { method: 'POST' })).toBe(404)
    expect(await statusOf(`${server.url}/inlets/acct_default/none`, { method: 'POST' })).toBe(401)
    const lost = await fetch(`${server.url}/dashboards`)
    expect(await lost.json()).toMatchObject({ success: false, data: { code: 'route_not_found' } })
  })

  it('every link, form, image and redirect of the dashboard leads to it', async () => {
    const { id } = await server.newKey()
    const paths = [
      '/',
      '/messages',
      '/keys',
      '/keys/new',
      `/keys/${id}/roll`,
      '/webhooks/new',
      '/channels',
      '/protection',
    ]
    const others = [
      '/people',
      '/people/invite',
      '/audit',
      '/profile',
      '/wording',
      '/templates/welcome',
      '/guide',
      '/none',
    ]
    const found = new Set<string>()
    for (const path of [...paths, ...others]) {
      const { text } = await owner.get(path)
      for (const [, link = ''] of text.matchAll(/ (?:href|src|action)="(\/[^"#]*)/g)) found.add(link)
    }
    expect(found.size).toBeGreaterThan(30)
    expect([...found].filter((link) => !link.startsWith('/dashboard/'))).toEqual([])
    const links = [...found].filter((link) => !/\/(sign-out|end|disable|enable|revoke|remove)$/.test(link))
    for (const link of links) {
      const path = link.slice('/dashboard'.length).replaceAll('&#38;', '&')
      // What only takes forms has no page, and so is not found: but by the dashboard.
      expect((await owner.get(path)).headers.get('content-security-policy'), link).toContain("frame-ancestors 'none'")
    }
    const style = /href="([^"]+style\.css)"/.exec((await owner.get('/')).text)![1]!
    expect(await statusOf(server.url + style)).toBe(200)
    const guest = await visitorWith(server, '').get('/messages?status=sent')
    expect(guest.headers.get('location')).toBe('/dashboard/sign-in?next=%2Fmessages%3Fstatus%3Dsent')
    const bare = await fetch(`${server.url}/dashboard`, { redirect: 'manual' })
    expect([bare.status, bare.headers.get('location')]).toEqual([303, '/dashboard/'])
  })

  it('an invitation made there leads to the dashboard, and its cookies stay there', async () => {
    const { text } = await owner.post('/people/invite', { role: 'viewer' })
    const [, link = ''] = new RegExp(`(${server.url}/dashboard/invitation#[\\w-]{43})`).exec(text) ?? []
    const token = link.split('#')[1]!
    const claimed = await visitorWith(server, '').post('/invitation/claim', {
      ...{ token, name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' },
    })
    expect([claimed.status, claimed.headers.get('location')]).toEqual([303, '/dashboard/'])
    const cookies = claimed.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(1)
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/dashboard; HttpOnly; SameSite=Lax/)
  })

  it('health is beside the API, and everything else of operations asks for the token', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
    for (const path of guarded) {
      for (const init of [{}, bearer('wrong'), bearer(`${opsToken}x`), bearer(opsToken.slice(1)), bearer('')]) {
        const refused = await fetch(server.url + path, init)
        expect([path, refused.status, refused.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer'])
        expect(await refused.text()).not.toMatch(/watchword_|a-token/)
      }
      expect([path, await statusOf(server.url + path, bearer(opsToken))]).toEqual([path, 200])
    }
    expect(await (await fetch(`${server.url}/metrics`, bearer(opsToken))).text()).toContain('watchword_request_seconds')
    expect(await statusOf(`${server.url}/metrics`, { ...bearer(opsToken), method: 'POST' })).toBe(404)
  })

  it('headers of the one are not on answers of the other', async () => {
    const api = await fetch(`${server.url}/v1/messages`)
    expect(api.headers.get('content-security-policy')).toBeNull()
    expect(api.headers.getSetCookie()).toEqual([])
    const contract = await fetch(`${server.url}/openapi.json`)
    expect(contract.headers.get('access-control-allow-origin')).toBe('*')
    for (const path of ['/dashboard/sign-in', '/healthz']) {
      expect((await fetch(server.url + path)).headers.get('access-control-allow-origin')).toBeNull()
    }
    // A key of the API opens no page, and a session no operation.
    expect(await statusOf(`${server.url}/dashboard/keys`, bearer(await server.key()))).toBe(303)
    const headers = { Cookie: owner.cookie }
    expect(await statusOf(`${server.url}/v1/messages`, { headers })).toBe(401)
  })

  it('a page of another site posts nothing to the dashboard', async () => {
    const refused = await owner.post('/keys', { name: 'x', mode: 'test' }, { 'Sec-Fetch-Site': 'same-site' })
    expect(refused.status).toBe(403)
    const [rebound] = await once(
      get(`${server.url}/dashboard/sign-in`, { headers: { Host: 'evil.example' } }),
      'response',
    )
    expect(rebound.statusCode).toBe(421)
  })
})

it("without a token, an operations path on a shared port is the API's own 404", async () => {
  const server = await startOnOnePort()
  onTestFinished(() => server.close())
  for (const path of guarded) {
    const [answer, lost] = await Promise.all([fetch(server.url + path, bearer(opsToken)), fetch(`${server.url}/none`)])
    const [told, own] = (await Promise.all([answer.json(), lost.json()])) as { data: Record<string, string> }[]
    expect([answer.status, told?.data.code, told?.data.message]).toEqual([404, own?.data.code, own?.data.message])
  }
  expect(await statusOf(`${server.url}/readyz`)).toBe(200)
})

it('where the dashboard and the operations share a port, each has its paths there', async () => {
  const [port, shared] = [await freePort(), await freePort()]
  const settings = { PORT: String(port), DASHBOARD_PORT: String(shared), OPS_PORT: String(shared), OPS_TOKEN: opsToken }
  const server = await startServer({ config: portsBy(settings) })
  onTestFinished(() => server.close())
  const url = `http://127.0.0.1:${shared}`
  expect(await statusOf(`${url}/dashboard/sign-in`)).toBe(200)
  expect(await statusOf(`${url}/healthz`)).toBe(200)
  expect(await statusOf(`${url}/metrics`)).toBe(401)
  expect(await statusOf(`${url}/metrics`, bearer(opsToken))).toBe(200)
  expect(await statusOf(`${url}/sign-in`)).toBe(404)
  expect(await statusOf(`${url}/v1/messages`)).toBe(404)
  expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(404)
  expect(await statusOf(`http://127.0.0.1:${port}/dashboard/`)).toBe(404)
})

it('where the operations alone are with the API, the dashboard is at the root of its own port', async () => {
  const port = await freePort()
  const settings = { PORT: String(port), OPS_PORT: String(port), DASHBOARD_PORT: '0' }
  const server = await startServer({ config: portsBy(settings) })
  onTestFinished(() => server.close())
  expect(await statusOf(`${server.url}/readyz`)).toBe(200)
  expect(await statusOf(`${server.dashboardUrl}/sign-in`)).toBe(200)
  expect(await statusOf(`${server.url}/dashboard/sign-in`)).toBe(404)
})

it('on a port of its own, a token is asked for too, once it is set', async () => {
  const server = await startServer({ config: { opsToken } })
  onTestFinished(() => server.close())
  expect(await statusOf(`${server.opsUrl}/readyz`)).toBe(200)
  expect(await statusOf(`${server.opsUrl}/metrics`)).toBe(401)
  expect(await statusOf(`${server.opsUrl}/metrics`, bearer(opsToken))).toBe(200)
})

describe('a public address with a path', () => {
  const PUBLIC_URL = 'https://one.example/watchword'

  it("has links, secure cookies and the company's way back below it, kept by a proxy or not", async () => {
    const provider = await startOidcProvider()
    onTestFinished(() => provider.close())
    const oidc = {
      ...{ issuer: provider.issuer, clientId: 'watchword', clientSecret: 'a client secret', account: 'default' },
      ...{ roleClaim: 'groups', roles: new Map([['staff', 'viewer' as const]]) },
    }
    const server = await startOnOnePort({ PUBLIC_URL }, { config: { oidc } })
    onTestFinished(() => server.close())
    for (const path of ['/dashboard/sign-in/company', '/watchword/dashboard/sign-in/company']) {
      const out = await fetch(server.directUrl + path, { redirect: 'manual' })
      const back = new URL(out.headers.get('location')!).searchParams.get('redirect_uri')
      expect(back).toBe('https://one.example/watchword/dashboard/sign-in/company/back')
      expect(out.headers.getSetCookie()[0]).toMatch(
        /^__Secure-watchword_company=.*; Path=\/watchword\/dashboard; HttpOnly; SameSite=Lax; Secure/,
      )
      const page = await fetch(`${server.directUrl}${path.replace('/company', '')}`)
      expect(await page.text()).toContain(' action="/watchword/dashboard/sign-in"')
    }
  })

  it('is that of a dashboard on its own port, too', async () => {
    const config = { dashboardPort: 0, dashboardUrl: 'http://127.0.0.1:1/tools/watchword' }
    const server = await startServer({ config })
    onTestFinished(() => server.close())
    for (const path of ['/messages', '/tools/watchword/messages']) {
      const out = await fetch(server.dashboardUrl + path, { redirect: 'manual' })
      expect(out.headers.get('location')).toBe('/tools/watchword/sign-in?next=%2Fmessages')
    }
  })
})

it('a flood of one door on a shared port leaves the others as they are', async () => {
  const server = await startOnOnePort({ OPS_TOKEN: opsToken }, { config: { unknownKeysPerMinute: 1 } })
  onTestFinished(() => server.close())
  const strange = () => statusOf(`${server.url}/v1/messages`, bearer(newKey('test')))
  await expect.poll(strange).toBe(429)
  // More forms than there is place for, none of which comes to its end.
  const length = 16 * 1024 - 1
  const sockets = Array.from({ length: 200 }, () => connect(server.port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.write(
      `POST /dashboard/sign-in HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nSec-Fetch-Site: same-origin\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length - 1)}`,
    )
  }
  await expect.poll(() => sockets.filter(({ bytesRead }) => bytesRead > 0).length).toBeGreaterThan(0)
  expect(await server.test.send(newPhone())).toMatch(/^req_/)
  expect(await statusOf(`${server.dashboardUrl}/sign-in`)).toBe(200)
  expect(await statusOf(`${server.url}/metrics`, bearer(opsToken))).toBe(200)
})
