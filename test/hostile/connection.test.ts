/** Connections that dawdle, break off and smuggle. */
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { answerMsMax, written } from './ask.ts'

const unknownId = `req_${'0'.repeat(26)}`

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer({ overrides: { timeouts: { requestMs: 500 } } })
  key = await server.key({ mode: 'live' })
})
afterAll(() => server.close())

describe('a connection', () => {
  /** Opens a connection, writes, and gives all that comes back until somebody ends it. */
  function converse(write: (socket: Socket) => void, { url } = server): Promise<string> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => write(socket))
      let received = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      socket.once('close', () => resolve(received))
      socket.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? resolve(received) : reject(error),
      )
    })
  }

  const head = (of = key) =>
    `POST /v1/verify/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${of}\r\nContent-Type: application/json\r\n`
  const refusal = /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"success":false[\s\S]*"code":"invalid_request"/

  it('that does not finish its head is cut off', async () => {
    expect(await converse((socket) => socket.write('POST /v1/verify/send HTTP/1.1\r\nHost: x\r\nX-Slow: '))).toMatch(
      refusal,
    )
  })

  it('that does not finish its body holds no other one up, however many do so', async () => {
    // It cuts nobody off while this test lasts: what dawdlers hold up stays held up.
    const never = 600_000
    const timeouts = { requestMs: never, stalledMs: never }
    const patient = await startServer({ overrides: { timeouts } })
    const begun = `${head(await patient.key({ mode: 'live' }))}Content-Length: 100\r\n\r\n{"phone":`
    const path = `/v1/messages/${unknownId}`
    const sockets: Socket[] = []
    const begin = (socket: Socket) => {
      sockets.push(socket)
      socket.write(begun)
    }
    const dawdlers = Array.from({ length: 40 }, () => converse(begin, patient))
    await expect.poll(() => sockets.length).toBe(40)
    for (let i = 0; i < 5; i++) expect((await patient.live.get(path)).status).toBe(404)
    for (const socket of sockets) socket.destroy()
    expect(await Promise.all(dawdlers)).toEqual(Array(40).fill(''))
    expect((await patient.live.get(path)).status).toBe(404)
    await patient.close()
  })

  it('gets the answer to its good request, and none to the junk that follows', async () => {
    const body = '{"phone":"+14152345678"}'
    const answer = await converse((socket) =>
      socket.write(`${head()}Content-Length: ${body.length}\r\n\r\n${body}\x16\x03\x01junk`),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"status":"sent"/)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('that asks for a tunnel is answered in the envelope', async () => {
    expect(await converse((socket) => socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatch(
      /"route_not_found"/,
    )
  })

  it('that does not finish its body is cut off', async () => {
    expect(await converse((socket) => socket.write(`${head()}Content-Length: 100\r\n\r\n{"phone":`))).toMatch(refusal)
  })

  it('with an endless head is refused', async () => {
    expect(await converse((socket) => socket.write(`${head()}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`))).toMatch(refusal)
  })

  it('that goes away in the middle leaves nothing behind', async () => {
    const before = await written(server)
    await converse((socket) => {
      socket.write(`${head()}Content-Length: 24\r\n\r\n{"phone":"+1415555`)
      setImmediate(() => socket.destroy())
    })
    expect(await written(server)).toEqual(before)
    expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200)
  })

  it('with two lengths, or a length and chunks, is refused', async () => {
    const smuggled = [
      'Content-Length: 5\r\nContent-Length: 6\r\n',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    ]
    for (const lengths of smuggled)
      expect(await converse((socket) => socket.write(`${head()}${lengths}\r\n{}`))).toMatch(refusal)
  })

  it('of which any bytes are others, gets answers in the envelope, or none', async () => {
    const body = '{"phone":"+14152345678","surplus":1}'
    const good = `${head()}Content-Length: ${body.length}\r\n\r\n${body}`
    const put = fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom(...pieces).map((text) => Buffer.from(text)),
    )
    const change = fc.record({ at: fc.nat(good.length), take: fc.nat(8), put })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = changes.reduce(
          (now, { at, take, put }) => Buffer.concat([now.subarray(0, at), put, now.subarray(at + take)]),
          Buffer.from(good),
        )
        const started = performance.now()
        // It has said all: what is not whole now, never will be.
        expectEnvelopes(await converse((socket) => socket.end(bytes)))
        expect(performance.now() - started).toBeLessThan(answerMsMax)
      }),
      { numRuns: 150 },
    )
  })
})

/** Of which heads are made. */
const pieces = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  ' ',
  ':',
  ',',
  '\0',
  'HTTP/1.0',
  'HTTP/2.0',
  'GET',
  '%',
  '//',
  '?',
  '0',
  '-1',
]

/** One answer after the other, each of its length. */
function expectEnvelopes(received: string): void {
  for (let rest = received; rest !== ''; ) {
    const [, status, fields = ''] = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?\r\n)\r\n/.exec(rest) ?? []
    expect(status, rest).toMatch(/^[234]/)
    expect(fields).toMatch(/^content-type: application\/json\r$/im)
    const length = Number(/^content-length: (\d+)\r$/im.exec(fields)?.[1])
    const start = rest.indexOf('\r\n\r\n') + 4
    expect(JSON.parse(rest.slice(start, start + length))).toMatchObject({ success: status === '200', data: {} })
    rest = rest.slice(start + length)
  }
}
