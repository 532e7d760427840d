/** What nobody's browser sends: each is refused in plain words, and none is a fault of ours. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../src/http/dashboard/pages/index.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor, visitorWith } from '../../support/visitor.ts'

let server: TestServer
let owner: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  owner = await signIn(server, 'owner')
})
afterAll(() => server?.close())

const gets = routes.filter(({ method }) => method === 'GET')
const posts = routes.filter(({ method }) => method === 'POST')
const named = routes.filter(({ path }) => path.includes(':'))
const placeOf = (path: string, id = 'none') => path.replaceAll(/:\w+/g, id)

/** Those of all forms and pages. */
const names = [
  ...[
    'after',
    'before',
    'q',
    'status',
    'kind',
    'mode',
    'channel',
    'template',
    'country',
    'from',
    'to',
    'span',
    'state',
  ],
  ...[
    'phone',
    'next',
    'email',
    'password',
    'name',
    'token',
    'code',
    'sealed',
    'proof',
    'role',
    'scope',
    'days',
    'hours',
  ],
  ...['url', 'events', 'type', 'since', 'time', 'what', 'slug', 'text', 'do', 'sample.x'],
]

const texts = [
  'a\0b',
  '\ud800',
  `${'9'.repeat(400)}`,
  '-1',
  '1e999',
  '0000-01-01T00:00',
  '9999-12-31T23:59:59',
  '//evil.example',
  '[]',
]

const cases = texts.map((text): [string, string] => [JSON.stringify(text.slice(0, 24)), text])

it.each(cases)('%s in every field of a query is no fault of ours', async (_name, text) => {
  for (const { path } of gets) {
    const { status } = await owner.get(
      `${placeOf(path)}?${new URLSearchParams(names.map((name): [string, string] => [name, text]))}`,
    )
    expect([path, status < 500]).toEqual([path, true])
    if (text.includes('\0')) expect([path, status]).toEqual([path, 400])
  }
  for (const name of ['after', 'before', 'from', 'to', 'q', 'channel']) {
    const { status } = await owner.get(`/messages?${new URLSearchParams({ [name]: text })}`)
    expect([name, status < 500]).toEqual([name, true])
  }
})

it.each(cases)('%s in every field of a form is no fault of ours', async (_name, text) => {
  for (const { path, role } of posts) {
    if (path === '/sign-out') continue
    const who = role === 'anyone' ? visitorWith(server, '') : await signIn(server, 'owner')
    const { status } = await who.post(placeOf(path), Object.fromEntries(names.map((name) => [name, text])))
    expect([path, status < 500]).toEqual([path, true])
    if (text.includes('\0')) expect([path, status]).toEqual([path, 400])
  }
})

it.each(['a%00b', 'a%0d%0aSet-Cookie:%20x=y', '%E2%82%AC', '..%2f..%2fpeople%2fsign-out%3f', 'a%2fb', '%ff', '%22%3E'])(
  'a path that names no thing of ours (%s) leads to no page and to no other place',
  async (id) => {
    for (const { method, path } of named) {
      const who = await signIn(server, 'owner')
      const { status, headers } = await (method === 'GET' ? who.get : who.post)(placeOf(path, id))
      expect([method, path, status]).toEqual([method, path, 404])
      expect(headers.get('location')).toBeNull()
    }
  },
)

/** @returns the status of an answer to a request that `fetch` would not send */
function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  const { hostname, port } = new URL(server.dashboardUrl)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers, method, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    asked.on('error', reject)
    asked.end()
  })
}

it.each([
  'localhost:99999',
  '[::1',
  'localhost:x',
  'evil.example',
  'localhost@evil.example',
  'xn--a.localhost',
  '%zz.localhost',
  'evil.example#.localhost',
  '[:::]',
  '127.0.0.1.',
])('a Host that is none of ours (%s) is told so', async (host) => {
  const status = await ask('/', { host, cookie: owner.cookie })
  expect([200, 303, 400, 421]).toContain(status)
})

it('a form that is huge, unreadable or empty is refused or read in a moment', async () => {
  const many = new URLSearchParams(Array.from({ length: 8000 }, (_, index): [string, string] => [`f${index}`, 'x']))
    .toString()
    .slice(0, 60_000)
  const owner = await signIn(server, 'owner')
  const type = 'application/x-www-form-urlencoded'
  const send = (body: string | undefined, headers: Record<string, string>) =>
    fetch(`${server.dashboardUrl}/keys`, {
      ...{
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: owner.cookie, 'Sec-Fetch-Site': 'same-origin', ...headers },
      },
      ...(body !== undefined && { body }),
    })
  expect((await send(many, { 'Content-Type': type })).status).toBe(413)
  expect((await send('x'.repeat(300_000), { 'Content-Type': type })).status).toBe(413)
  expect((await send('{}', { 'Content-Type': 'application/json' })).status).toBe(415)
  expect((await send(undefined, {})).status).toBe(415)
  const text = '{{a}}'.repeat(10_000)
  const startedAt = performance.now()
  expect((await owner.post('/templates', { text, slug: 'x', do: 'preview' })).status).toBeLessThan(500)
  expect(performance.now() - startedAt).toBeLessThan(3000)
})

it('HEAD answers like GET, without the page', async () => {
  for (const { path } of gets) {
    const [shown, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        ask(
          placeOf(path),
          { cookie: owner.cookie, 'sec-fetch-site': 'same-origin', host: new URL(server.dashboardUrl).host },
          method,
        ),
      ),
    )
    expect([path, head]).toEqual([path, shown])
  }
})
