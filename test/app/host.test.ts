/** What was meant for another machine gets no code: neither from the operations port nor from a sandbox. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHostCheck } from '../../src/http/host.ts'
import { readAnswer } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

const foreign = ['evil.example', 'evil.example:9464', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.9']

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await server.key()
})
afterAll(() => server.close())

/** @param host the header, as a browser sends it for a page of that host */
function ask(url: string, host: string, headers: Record<string, string> = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { ...headers, Host: host } }, async (response) => {
      const init = { status: response.statusCode!, headers: response.headers as Record<string, string> }
      resolve(new Response(Buffer.concat(await response.toArray()), init))
    })
    outgoing.on('error', reject).end()
  })
}

describe('the operations port', () => {
  const paths = ['/sandbox/messages?phone=%2B14155550100', '/metrics', '/nowhere']

  it.each(foreign)('tells nothing to who asks for %s', async (host) => {
    for (const path of paths) {
      const response = await ask(server.opsUrl + path, host)
      expect([path, response.status]).toEqual([path, 421])
      expect(await response.json()).toEqual({ error: expect.stringContaining('OPS_HOSTS') })
    }
  })

  it.each(['localhost', 'LOCALHOST:1', 'ops.localhost:9464', '127.0.0.1', '127.8.8.8:80', '[::1]:9464', 'localhost.'])(
    'answers who asks for %s',
    async (host) => {
      const statuses = paths.map(async (path) => (await ask(server.opsUrl + path, host)).status)
      expect(await Promise.all(statuses)).toEqual([200, 200, 404])
    },
  )

  it('tells any orchestrator whether it lives and is ready', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await ask(server.opsUrl + path, '10.0.0.9')).status).toBe(200)
  })

  it('answers under the names that the operator lists, and tells nothing to who names no host', async () => {
    const listing = await startServer({ config: { opsHosts: ['ops.internal'] }, beside: server })
    expect((await ask(`${listing.opsUrl}/metrics`, 'Ops.Internal:9464')).status).toBe(200)
    expect((await ask(`${listing.opsUrl}/metrics`, 'evil.example')).status).toBe(421)
    const { port } = new URL(listing.opsUrl)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /metrics HTTP/1.0\r\n\r\n'))
      let received = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      socket.once('close', () => resolve(received)).once('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    await listing.close()
  })
})

describe('a sandbox', () => {
  let sandbox: TestServer
  beforeAll(async () => {
    sandbox = await startServer({
      config: { sandboxKey: key, opsHosts: ['watchword'], twilioVerify: true },
      beside: server,
    })
  })
  afterAll(() => sandbox.close())

  const paths = ['/v1/messages/req_00000000000000000000000000', '/openapi.json', '/docs', '/nowhere']
  const headers = () => ({ Authorization: `Bearer ${key}` })

  it.each(foreign)('answers nothing to who asks for %s, in the envelope', async (host) => {
    for (const path of paths) {
      const answer = await readAnswer(await ask(sandbox.url + path, host, headers()))
      expect(answer).toMatchObject({ status: 421, data: { code: 'route_not_found' } })
    }
  })

  it('answers them nothing by the wire of Twilio Verify either, with a number of its contract', async () => {
    const path = '/v2/Services/VA1/Verifications/VE1'
    const answer = await ask(sandbox.url + path, 'evil.example', headers())
    expect(await answer.json()).toMatchObject({ status: 421, code: 20_404 })
  })

  it.each(['localhost:3000', 'app.localhost', '127.0.0.1', 'watchword:3000'])(
    'answers who asks for %s',
    async (host) => {
      const statuses = paths.map(async (path) => (await ask(sandbox.url + path, host, headers())).status)
      expect(await Promise.all(statuses)).toEqual([404, 200, 200, 404])
    },
  )

  it('alone is so strict: a service with keys is asked under any name', async () => {
    const answer = await readAnswer(await ask(server.url + paths[0]!, 'api.example', headers()))
    expect(answer).toMatchObject({ status: 404, data: { code: 'message_not_found' } })
  })
})

describe('a port that other machines reach', () => {
  const isForUs = createHostCheck(['0.0.0.0'])
  const from = (host: string | undefined, localAddress: string) =>
    isForUs({ headers: { host }, socket: { localAddress } })

  it('is asked under the address that the connection came in on, and no other one', () => {
    expect(from('10.0.0.5:9464', '10.0.0.5')).toBe(true)
    expect(from('10.0.0.5:9464', '::ffff:10.0.0.5')).toBe(true)
    expect(from('[fd00::5]:9464', 'fd00::5')).toBe(true)
    expect(from('10.0.0.6:9464', '10.0.0.5')).toBe(false)
    expect(from('evil.example', '10.0.0.5')).toBe(false)
  })

  it.each([
    ...[undefined, '', ':80', 'a b', 'evil.example@localhost', 'localhost/', '[::1', '127.0.0.999', '[]', '::1'],
    ...['localhost:99999', '%zz.localhost', 'evil.example#.localhost', 'evil.example?.localhost'],
  ])('is not asked under what is no host of its own: %j', (host) => {
    expect(from(host, '10.0.0.5')).toBe(false)
    expect(from(host, '')).toBe(false)
  })
})
