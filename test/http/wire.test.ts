/** HTTP as bytes: whatever is sent, the answer is in the envelope, and what follows on the connection is not confused. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnswer } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { converse, statusesIn } from '../support/wire.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await server.key()
})
afterAll(() => server.close())

const last = 'Connection: close\r\n'
const authorization = () => `Authorization: Bearer ${key}\r\n`
const json = 'Content-Type: application/json\r\n'

function head(method: string, target: string, more = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${more}`
}

function send(more = '', phone = newPhone()): string {
  const body = JSON.stringify({ phone })
  const headers = `${authorization()}${json}${more}Content-Length: ${body.length}\r\n`
  return `${head('POST', '/v1/verify/send', headers)}\r\n${body}`
}

const say = (text: string, url = server.url) => converse(url, (socket) => socket.write(text, 'latin1'))

/** Of the only answer in what came back, held to what is promised of every answer. */
async function answerIn(received: string): Promise<[number, unknown]> {
  const [lines = '', ...rest] = received.split('\r\n\r\n')
  const headers = lines
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string])
  const [status = 0] = statusesIn(received)
  const { data } = await readAnswer<{ code?: string }>(new Response(rest.join('\r\n\r\n'), { status, headers }))
  return [status, data.code]
}

/** The same in every run. */
const garbage = Array.from({ length: 256 }, (_, part) =>
  createHash('sha256').update(`${part}`).digest('base64url').slice(0, 32),
).join('')

const targets = [
  ...[
    'http://[',
    'HTTP://[',
    'ws://[',
    'x://[',
    '*',
    '',
    '?',
    '/',
    '/?',
    '//',
    '//other.example/v1/verify/send',
    '/\\',
  ],
  ...[
    'http://other.example',
    'https://u:p@other.example/nowhere?x#y',
    'v1/verify/send',
    '/a b',
    '/a#b',
    '/\xff\xfe',
    '/%',
  ],
  ...['/v1/messages/%00', '/v1/messages/a%2fb', '/docs/../v1', '/__proto__', 'constructor', `/${'x'.repeat(8000)}`],
  `/${garbage.slice(0, 7000)}`,
  garbage,
]

describe.each(targets)('a request for %j', (target) => {
  it.each(['GET', 'POST', 'OPTIONS', 'CONNECT'])('by %s is answered in the envelope', async (method) => {
    const [status, code] = await answerIn(await say(`${head(method, target, `${authorization()}${last}`)}\r\n`))
    expect([400, 404, 405]).toContain(status)
    expect(['invalid_request', 'route_not_found', 'method_not_allowed']).toContain(code)
  })

  it('is answered as JSON by the operations port', async () => {
    const received = await say(`${head('GET', target, last)}\r\n`, server.opsUrl)
    expect([400, 404]).toContain(statusesIn(received)[0])
    expect(received.toLowerCase()).toContain('content-type: application/json')
  })
})

it('a target with a scheme and a host is the path behind them', async () => {
  expect(
    await answerIn(await say(`${head('GET', 'http://a.example/v1/messages/x', `${authorization()}${last}`)}\r\n`)),
  ).toEqual([400, 'invalid_request'])
  expect(await answerIn(await say(send(last).replace('/v1/verify', 'http://a.example/v1/verify')))).toEqual([
    200,
    undefined,
  ])
  expect(await say(`${head('GET', 'http://a.example/openapi.json', last)}\r\n`)).toMatch(
    /^HTTP\/1.1 200 [\s\S]*"openapi":"3/,
  )
})

it.each([
  ['TRACE', '/v1/verify/send', 405],
  ['QUERY', '/v1/verify/send', 405],
  ['OPTIONS', '/v1/verify/send', 405],
  ['DELETE', '/docs', 405],
])('%s %s is refused as what this path does not take', async (method, target, status) => {
  expect(await answerIn(await say(`${head(method, target, last)}\r\n`))).toEqual([status, 'method_not_allowed'])
})

it('HEAD has no body, so that the next answer is where it should be', async () => {
  const received = await say(
    `${head('HEAD', '/nowhere')}\r\n${head('HEAD', '/docs')}\r\n${head('GET', '/nowhere', last)}\r\n`,
  )
  expect(statusesIn(received)).toEqual([404, 200, 404])
  expect(received.split('"route_not_found"')).toHaveLength(2)
})

describe('a header that may come once', () => {
  it.each([
    ['Authorization', 'Bearer other', [401, 'missing_api_key']],
    ['Content-Type', 'text/plain', [415, 'unsupported_media_type']],
    ['Idempotency-Key', 'another', [400, 'invalid_request']],
    ['Content-Length', '5', [400, 'invalid_request']],
    ['Transfer-Encoding', 'chunked', [400, 'invalid_request']],
  ])('is refused when it comes twice: %s', async (name, value, expected) => {
    const before = await server.query(sql`select id from message`)
    for (const more of [`Idempotency-Key: one\r\n${name}: ${value}\r\n${last}`]) {
      expect(await answerIn(await say(send(more)))).toEqual(expected)
      // In the other order too.
      const text = send(more)
      const start = text.indexOf('\r\n') + 2
      const moved = `${name}: ${value}\r\n`
      expect(await answerIn(await say(text.slice(0, start) + moved + text.slice(start).replace(moved, '')))).toEqual(
        expected,
      )
    }
    expect(await server.query(sql`select id from message`)).toEqual(before)
  })
})

describe('what follows on a connection', () => {
  it.each([
    ['a body that is too large, and says so', `Content-Length: 200000\r\n\r\n${' '.repeat(200_000)}`, 413],
    [
      'a body that is too large, in chunks',
      `Transfer-Encoding: chunked\r\n\r\n${`4000\r\n${' '.repeat(0x4000)}\r\n`.repeat(20)}0\r\n\r\n`,
      413,
    ],
    ['a body of another type', `Content-Type: text/plain\r\nContent-Length: 70000\r\n\r\n${' '.repeat(70_000)}`, 415],
  ])('%s, is served', async (_what, rest, status) => {
    const type = rest.includes('text/plain') ? '' : json
    const received = await say(`${head('POST', '/v1/verify/send', authorization())}${type}${rest}${send(last)}`)
    expect(statusesIn(received)).toEqual([status, 200])
  })

  it.each([
    ['without a key', head('POST', '/v1/verify/send', json), 401],
    ['for a path that is not there', head('POST', '/nowhere', json), 404],
    ['that takes none', '', 400],
    ['of the documentation', head('GET', '/openapi.json'), 200],
  ])('a body %s, is served', async (_what, start, status) => {
    const request = start || head('GET', '/v1/messages/x', authorization())
    const received = await say(`${request}Content-Length: 100000\r\n\r\n${'x'.repeat(100_000)}${send(last)}`)
    expect(statusesIn(received)).toEqual([status, 200])
  })

  it('a good request, and wants a tunnel, gets no answer that could be taken for that of the good one', async () => {
    const received = await say(`${send()}${head('CONNECT', 'x:443')}\r\nmore`)
    expect(statusesIn(received)).toEqual([200])
  })

  it('empty lines, is served', async () => {
    expect(statusesIn(await say(`\r\n\r\n${send()}\r\n\r\n${send(last)}`))).toEqual([200, 200])
  })
})

it('who has sent all and closes his side gets his answer', async () => {
  for (let i = 0; i < 5; i++) {
    expect(await answerIn(await converse(server.url, (socket) => socket.end(send())))).toEqual([200, undefined])
  }
})

it('who asks for another protocol is answered in this one', async () => {
  const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n`
  const received = await say(`${head('GET', '/v1/messages/x', upgrade)}\r\n${send(last)}`)
  expect(statusesIn(received)).toEqual([401, 200])
})

it('who expects what no server knows is served all the same', async () => {
  expect(statusesIn(await say(send(`Expect: bananas\r\n${last}`)))).toEqual([200])
})

it('clients that go away while their requests share a commit take nothing from the others', async () => {
  const { hostname, port } = new URL(server.url)
  const leaving = Array.from({ length: 20 }, async () => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    await once(socket, 'connect')
    socket.write(send(), () => socket.resetAndDestroy())
  })
  const staying = Array.from({ length: 20 }, () => say(send(last)))
  await Promise.all(leaving)
  for (const received of await Promise.all(staying)) expect(await answerIn(received)).toEqual([200, undefined])
  expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200)
})
