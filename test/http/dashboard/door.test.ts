/** What the dashboard's door lets in, whatever is behind it: nothing that another site has made, and nothing kept. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/app/app.ts'
import { routes } from '../../../src/http/dashboard/pages/index.ts'
import { testConfig } from '../../support/config.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { startTcpProxy } from '../../support/tcpProxy.ts'
import { signIn, type Visitor, visitorWith } from '../../support/visitor.ts'
import { converse, statusesIn } from '../../support/wire.ts'

let server: TestServer
let owner: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  owner = await signIn(server, 'owner')
})
afterAll(() => server.close())

const make = { name: 'forged', mode: 'test', scope: 'verify:write', days: '' }
const isMade = async () => (await server.app.apiKeys.list()).some(({ name }) => name === 'forged')
const from = (headers: Record<string, string>) => fetchAs(owner, headers)

/** Without the header that `visitor.ts` adds for a page of our own. */
function fetchAs({ cookie }: Visitor, headers: Record<string, string>, path = '/keys') {
  return fetch(server.dashboardUrl + path, {
    method: 'POST',
    body: new URLSearchParams(make),
    headers: { Cookie: cookie, ...headers },
    redirect: 'manual',
  })
}

/** Of the form of the sign-in, or of another page, as its bytes. */
function buildHead(length: string, path = '/sign-in'): string {
  const type = 'Content-Type: application/x-www-form-urlencoded'
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n${type}\r\n${length}\r\n\r\n`
}

/** Of a page, asked for with headers that Node's own client writes as it likes. */
function requestStatus(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${server.dashboardUrl}/keys`,
      { headers: { Cookie: owner.cookie, ...headers } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    asked.on('error', reject).end()
  })
}

describe('a form that another page sends', () => {
  it.each([
    ['of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }],
    ['of another port of this machine', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate' }],
    ['that nobody made: typed, or from a bookmark', { 'Sec-Fetch-Site': 'none' }],
    ['of another site, in a browser that names origins only', { Origin: 'https://evil.example' }],
    ['of another port, in such a browser', { Origin: 'http://127.0.0.1:1' }],
    ['in a frame without an origin', { Origin: 'null' }],
    ['of a browser that says nothing', {}],
    ['with our origin, and a site that is another', { 'Sec-Fetch-Site': 'cross-site', Origin: 'OURS' }],
  ])('is refused: one %s', async (_what, headers) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, value === 'OURS' ? server.dashboardUrl : value])
    const answer = await from(Object.fromEntries(sent))
    expect(answer.status).toBe(403)
    expect(await isMade()).toBe(false)
  })

  it.each([{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: 'OURS' }])(
    'is taken when it is ours: %j',
    async (headers) => {
      const sent = Object.entries(headers).map(([name, value]) => [
        name,
        value === 'OURS' ? server.dashboardUrl : value,
      ])
      const answer = await fetchAs(owner, Object.fromEntries(sent), '/keys/none/revoke')
      expect(answer.status).toBe(303)
    },
  )

  it('is refused when it is no form', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain', Cookie: owner.cookie }
    const answer = await fetch(`${server.dashboardUrl}/keys`, { method: 'POST', body: 'name=forged', headers })
    expect(answer.status).toBe(415)
  })

  it('is refused when it is larger than any of ours', async () => {
    expect((await owner.post('/keys', { ...make, name: 'x'.repeat(300_000) })).status).toBe(413)
    expect((await owner.post('/keys', { ...make, scope: Array(500).fill('verify:write') })).status).toBe(413)
  })

  it('comes whole in chunks of any size, and one byte too many is refused when it comes', async () => {
    const head = buildHead('Transfer-Encoding: chunked')
    const chunks = (text: string, size: number) =>
      `${text.replaceAll(new RegExp(`.{1,${size}}`, 'g'), (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)}0\r\n\r\n`
    const fields = 'email=nobody%40example.com&password='
    const say = (body: string) => converse(server.dashboardUrl, (socket) => socket.end(head + body))
    expect(statusesIn(await say(chunks(`${fields}wrong`, 1)))).toEqual([400])
    const longest = fields.padEnd(16_384, 'x')
    expect(statusesIn(await say(chunks(longest, 1000)))).toEqual([400])
    expect(statusesIn(await say(chunks(`${longest}x`, 1000)))).toEqual([413])
  })

  it.each(['Content-Length: 10000000000', 'Transfer-Encoding: chunked'])(
    'is not read on when it is far too large: its connection ends (%s)',
    async (length) => {
      const chunk = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`
      // More would come, and does not: who waits for it keeps the connection open.
      const answer = await converse(server.dashboardUrl, (socket) => socket.write(buildHead(length) + chunk.repeat(3)))
      expect(statusesIn(answer)).toEqual([413])
      expect(answer).toContain('Connection: close')
    },
  )

  it('has its place while strangers fill that with large ones: of all at once, 8 MB are read', async () => {
    const answers: string[] = []
    const strangers = Array.from({ length: 150 }, () => {
      const socket = connect(Number(new URL(server.dashboardUrl).port), '127.0.0.1').on('error', () => {})
      socket.on('data', (data) => answers.push(data.toString('latin1')))
      socket.write(buildHead('Content-Length: 260000', '/keys') + 'x'.repeat(240_000))
      return socket
    })
    const own = () => visitorWith(server, '').post('/keys', make)
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*Too many forms are coming in/)
    expect(answers.length).toBeLessThan(40)
    expect((await own()).status).toBe(303)
    for (const socket of strangers) socket.destroy()
  })

  it('of who is not signed in is small, and has places of its own', async () => {
    const stranger = visitorWith(server, '')
    for (const path of ['/sign-in', '/sign-in/code', '/invitation', '/invitation/claim'])
      expect((await stranger.post(path, { email: 'x'.repeat(17_000) })).status, path).toBe(413)
    const waiting = Array.from({ length: 250 }, () => {
      const socket = connect(Number(new URL(server.dashboardUrl).port), '127.0.0.1').on('error', () => {})
      socket.write(buildHead('Content-Length: 16000') + 'x'.repeat(15_000))
      return socket
    })
    expect((await owner.post('/keys', { ...make, scope: [] })).status).toBe(400)
    for (const socket of waiting) socket.destroy()
  })
})

describe('a page', () => {
  it('is shown to who follows a link from elsewhere, and not to a script of another port', async () => {
    const linked = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
    expect(await requestStatus(linked)).toBe(200)
    const scripted = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' }
    expect(await requestStatus(scripted)).toBe(403)
  })

  it('is cached nowhere, loads from here alone, and stands in no frame', async () => {
    for (const path of ['/keys', '/nowhere', '/keys/new']) {
      const { headers } = await owner.get(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
      expect(headers.get('etag')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  it('is not shown under a name that another site may have given this machine', async () => {
    const { port } = new URL(server.dashboardUrl)
    expect(await requestStatus({ Host: `evil.example:${port}`, 'Sec-Fetch-Site': 'same-origin' })).toBe(421)
  })

  it.each(routes.filter(({ role }) => role !== 'anyone'))(
    '$method $path is for those who are signed in',
    async (route) => {
      const stranger = visitorWith(server, '')
      const path = route.path.replaceAll(/:\w+/g, 'x')
      const seen = await (route.method === 'GET' ? stranger.get(path) : stranger.post(path))
      expect(seen.status).toBe(303)
      expect(seen.headers.get('location')).toMatch(/^\/sign-in(\?next=%2F|$)/)
    },
  )

  it('that is left open and asks for its live parts does not keep anybody signed in', async () => {
    const visitor = await signIn(server, 'viewer')
    await server.advance(11 * 3600)
    expect((await visitor.get('/', { 'X-Part': 'overview' })).status).toBe(200)
    await server.advance(2 * 3600)
    expect((await visitor.get('/', { 'X-Part': 'overview' })).status).toBe(303)
    owner = await signIn(server, 'owner')
  })

  it('does not open for a token that opens nothing, and leaves a newer cookie in the browser', async () => {
    const stranger = visitorWith(server, `watchword_session=${'A'.repeat(43)}`)
    const { status, headers } = await stranger.get('/keys')
    expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([303, '/sign-in?next=%2Fkeys', []])
  })

  it('does not take one of two cookies of the same name', async () => {
    const { status } = await visitorWith(server, '').get('/keys', {
      Cookie: `watchword_session=other; ${owner.cookie}`,
    })
    expect(status).toBe(303)
  })
})

describe('while the database is away', () => {
  it('a page says to try again in a moment, and the log has a warning', async () => {
    const wire = await startTcpProxy(server.database!.settings.url)
    const settings = { kind: 'postgres', url: wire.url, connectionsMax: 2 } as const
    const { runtime } = server
    const app = await createApp(testConfig(settings, { dashboardPort: 0 }), { runtime, drainMs: 0 })
    const { dashboardPort } = await app.listen({ api: true, worker: false })
    const visitor = visitorWith({ dashboardUrl: `http://127.0.0.1:${dashboardPort}` }, owner.cookie)
    expect((await visitor.get('/keys')).status).toBe(200)
    const before = runtime.lines.length
    wire.cut()
    const { status, text } = await visitor.get('/keys')
    expect(status).toBe(503)
    expect(text).toContain('Try again in a moment.')
    const logged = runtime.lines.slice(before).filter((line) => line.includes(/<code>(\w+)</.exec(text)?.[1] ?? 'none'))
    // A warning, and the line of each page, for who debugs.
    expect(logged.map((line) => JSON.parse(line).level)).toEqual([40, 20])
    wire.restore()
    await app.close()
    await wire.close()
  })
})

describe('behind TLS', () => {
  it('the cookie is of this host alone, and another origin is no page of ours', async () => {
    const secure = await startServer({
      config: { dashboardPort: 0, dashboardUrl: 'https://watchword.example' },
      beside: server,
    })
    const named = owner.cookie.replace(/^/, '__Host-')
    const ask = (headers: Record<string, string>) =>
      fetch(`${secure.dashboardUrl}/keys/none/revoke`, {
        method: 'POST',
        body: new URLSearchParams(),
        headers,
        redirect: 'manual',
      })
    const location = async (headers: Record<string, string>) => (await ask(headers)).headers.get('location')
    const origin = 'https://watchword.example'
    expect(await location({ Cookie: named, Origin: origin })).toBe('/keys')
    expect(await location({ Cookie: owner.cookie, Origin: origin })).toBe('/sign-in')
    expect((await ask({ Cookie: named, Origin: secure.dashboardUrl })).status).toBe(403)
    const said = (await ask({ Cookie: named, Origin: origin })).headers.getSetCookie()
    expect(said).toEqual([expect.stringMatching(/^__Host-watchword_said=.*; Path=\/; HttpOnly; SameSite=Lax; Secure/)])
    await secure.close()
  })
})

describe('behind a proxy', () => {
  it('wrong sign-ins of one person do not shut out another, who the proxy says comes from elsewhere', async () => {
    const behind = await startServer({ config: { dashboardPort: 0, dashboardProxies: 1 }, beside: server })
    const wrong = (index: number, from: string) =>
      visitorWith(behind, '').post(
        '/sign-in',
        { email: `nobody${index}@example.com`, password: 'is not one of ours' },
        { 'X-Forwarded-For': `203.0.113.${index}, ${from}` },
      )
    for (let index = 0; index < 20; index++) await wrong(index, '198.51.100.7')
    expect((await wrong(20, '198.51.100.7')).text).toMatch(/wait|try again in/i)
    expect((await wrong(21, '198.51.100.8')).text).not.toMatch(/wait|try again in/i)
    await behind.close()
  })
})

describe('a file that pages load', () => {
  it('comes to a page of another version beside this one, and is not kept as that one’s', async () => {
    const page = await (await fetch(`${server.dashboardUrl}/sign-in`)).text()
    const [path = ''] = /\/assets\/\w+\/style\.css/.exec(page) ?? []
    const own = await fetch(server.dashboardUrl + path)
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const others = await fetch(`${server.dashboardUrl}/assets/0123456789ab/style.css`)
    expect([others.status, others.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await others.text()).toBe(await own.text())
    expect((await fetch(`${server.dashboardUrl}/assets/0123456789ab/none.css`)).status).toBe(404)
  })
})
