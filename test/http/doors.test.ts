/** Two doors on one port: what is for the providers' does not come to the customers', nor the other way round. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isForReports } from '../../src/http/reports/route.ts'
import { readAnswer } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { converse, statusesIn } from '../support/wire.ts'

let server: TestServer
let url: string
beforeAll(async () => {
  server = await startServer()
  url = server.url
})
afterAll(() => server.close())

const path = '/providers/acct_default/nobody'
const noConnection = { error: 'There is no such connection.' }

const ask = (target: string, more = '', method = 'POST') =>
  converse(url, (socket) => socket.write(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`, 'latin1'))
const bodyIn = (received: string) => JSON.parse(received.split('\r\n\r\n').at(-1)!) as object
const last = 'Connection: close\r\n'

describe('the providers’ door', () => {
  it('needs no key, and is not in the contract', async () => {
    const response = await fetch(url + path, { method: 'POST', body: 'no json' })
    expect([response.status, await response.json()]).toEqual([404, noConnection])
    expect((await fetch(`${url}${path}?hub.challenge=1`)).status).toBe(403)
    expect(await (await fetch(`${url}/openapi.json`)).text()).not.toContain('/providers')
  })

  it.each([
    path,
    `http://a.example${path}`,
    `HTTPS://a.example${path}?x`,
    '/providers/',
    '/providers/../v1/messages/x',
  ])('takes %s', async (target) => {
    const received = await ask(target, last)
    expect([statusesIn(received), bodyIn(received)]).toEqual([[404], noConnection])
  })

  it('gives leave to send a body where it wants it, and the API does as ever', async () => {
    const expecting = `Expect: 100-continue\r\nContent-Length: 2\r\n${last}`
    const json = 'Content-Type: application/json\r\n'
    const authorization = `Authorization: Bearer ${await server.key()}\r\n`
    const startOf = (target: string, more: string) =>
      converse(url, (socket) => {
        socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\n${more}${expecting}\r\n`)
        socket.once('data', () => socket.write('{}'))
      })
    expect(await startOf(path, '')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 404 /)
    expect(await startOf('/providers/nobody/x', '')).toMatch(/^HTTP\/1\.1 404 /)
    expect(await startOf('/v1/verify/send', authorization + json)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /,
    )
  })

  it('shows its reports among the figures of the operations port', async () => {
    expect((await fetch(url + path, { method: 'POST' })).status).toBe(404)
    const figures = async () => (await fetch(`${server.opsUrl}/metrics`)).text()
    await expect.poll(figures).toMatch(/watchword_reports_refused_total\{reason="unknown"\} [1-9]/)
    expect(await figures()).toMatch(/watchword_request_seconds_count\{operation="report",status="404"\} [1-9]/)
  })
})

describe('the API', () => {
  it.each(['/providers', '/providersx/acct_default/nobody', '/v1/providers/acct_default/x', `/.${path}`, `/${path}`])(
    'answers for %s, in the envelope',
    async (target) => {
      const received = await ask(target, last, 'GET')
      const [status] = statusesIn(received)
      const headers = Array.from(received.matchAll(/^([\w-]+): (.*)\r$/gm), ([, name, value]) => [name!, value!])
      const response = new Response(received.split('\r\n\r\n').at(-1)!, { status: status!, headers } as ResponseInit)
      expect(await readAnswer(response)).toMatchObject({ status: 404, data: { code: 'route_not_found' } })
    },
  )

  it.each([
    '*',
    '',
    '?',
    'x',
    'http://[/providers/',
    'ws://a.example/providers/',
    'http://a.example',
    '/v1/verify/send',
  ])('is asked for %j, which is not of the providers', (target) => {
    expect(isForReports(target)).toBe(false)
  })
})
