/** What every port asks of a request before it looks at it: one host, and all of it in time. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { converse, statusesIn } from '../support/wire.ts'

const requestMs = 400

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 }, overrides: { timeouts: { requestMs } } })
})
afterAll(() => server.close())

const ports = {
  'the API': () => [server.directUrl, '/v1/messages', 401],
  'the reports': () => [server.directUrl, '/providers/acct_default/wa', 404],
  'the inlets': () => [server.directUrl, '/inlets/acct_default/login', 404],
  'the dashboard': () => [server.dashboardUrl, '/sign-in', 200],
  'the operations port': () => [server.opsUrl, '/healthz', 200],
} satisfies Record<string, () => [url: string, path: string, status: number]>
const names = Object.keys(ports) as (keyof typeof ports)[]
const envelope = /"success":false[\s\S]*"code":"invalid_request"/

describe.each(names)('%s', (name) => {
  const say = (lines: string) => converse(ports[name]()[0], (socket) => socket.write(`${lines}\r\n\r\n`, 'latin1'))

  it.each([
    ['no Host', []],
    ['two', ['Host: localhost', 'Host: localhost']],
    ['two in one', ['Host: localhost, other.example']],
    ['an empty one', ['Host:']],
    ['a b', ['Host: a b']],
    ['a path in it', ['Host: localhost/v1']],
    ['a user in it', ['Host: user@localhost']],
  ])('refuses a request with %s with 400, and closes the connection', async (_what, hosts) => {
    const received = await say([`GET ${ports[name]()[1]} HTTP/1.1`, ...hosts].join('\r\n'))
    expect(statusesIn(received)).toEqual([400])
    if (ports[name]()[0] === server.directUrl) expect(received).toMatch(envelope)
  })

  it.each(['localhost', 'localhost.', '127.0.0.1:3000', '[::1]:3000'])('takes the host %s', async (host) => {
    const [, path] = ports[name]()
    const received = await say(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`)
    expect(statusesIn(received)).not.toEqual([400])
    expect(statusesIn(received)).toHaveLength(1)
  })

  it('does not wait for a body that asks first, of a request without a host', async () => {
    const received = await say(`POST ${ports[name]()[1]} HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue`)
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
  })

  it.each([
    ['head', (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `],
    ['body', (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n`],
  ])('ends a request whose %s comes byte by byte, in the same time', async (_part, beginning) => {
    const [url, path] = ports[name]()
    const { hostname, port } = new URL(url)
    const startedAt = performance.now()
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(beginning(path))
        const dripping = setInterval(() => socket.write('x'), 20)
        socket.once('close', () => {
          clearInterval(dripping)
          resolve()
        })
      })
      socket.on('error', () => {}).resume()
    })
    // Far below what a connection has on which something moves.
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})

it('a request of HTTP/1.0 needs no host, and may have one', async () => {
  for (const host of ['', 'Host: localhost\r\n']) {
    const received = await converse(server.directUrl, (socket) =>
      socket.write(`GET /openapi.json HTTP/1.0\r\n${host}\r\n`),
    )
    expect(statusesIn(received)).toEqual([200])
  }
})
