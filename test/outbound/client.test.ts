/** What is known of a question after it was asked, whatever the server does. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { createAddressGuard } from '../../src/outbound/address.ts'
import { type Client, type ClientParts, createClient } from '../../src/outbound/client.ts'
import { freePort } from '../support/port.ts'
import { type Behaviour, type Provider, startProvider } from '../support/provider.ts'

const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
})

/** With limits that are not met, but for those named. */
function newClient(parts: Partial<ClientParts> = {}): Client {
  const client = createClient({
    ...{ connectMs: 20_000, totalMs: 25_000, connectionsMax: 4, answerBytesMax: 65_536, now: () => new Date() },
    ...parts,
  })
  closers.push(client.close)
  return client
}

async function newProvider(behaviour: Behaviour): Promise<Provider> {
  const provider = await startProvider(behaviour)
  closers.push(provider.close)
  return provider
}

/** A server that does as told with each connection, when the first bytes of a question have come. */
async function newServer(serve: (socket: Socket) => void): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()).once('data', () => serve(socket))
    closers.push(async () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const post = (url: string) => ({ method: 'POST', url, body: '{"code":"482913"}' }) as const

describe('an answer', () => {
  it('comes with its status and bytes, and the question went out as it was given', async () => {
    const provider = await newProvider({ status: 201, body: 'Grüße' })
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer t' }
    const answer = await newClient().ask({ ...post(`${provider.url}/a?b=c`), headers })
    expect(answer).toEqual({ kind: 'answered', status: 201, body: Buffer.from('Grüße'), truncated: false })
    expect(provider.asked).toMatchObject([
      {
        method: 'POST',
        path: '/a?b=c',
        headers: {
          ...{ 'user-agent': `watchword/${about.version}`, 'content-type': 'application/json' },
          ...{ authorization: 'Bearer t', 'content-length': '17', 'accept-encoding': 'identity' },
        },
        body: '{"code":"482913"}',
      },
    ])
  })

  it.each([200, 204, 301, 302, 303, 307, 308, 400, 401, 404, 410, 422, 429, 500, 503])(
    'of status %i is an answer, given once and followed nowhere',
    async (status) => {
      const elsewhere = await newProvider({ status: 200 })
      const provider = await newProvider({ status, headers: { Location: elsewhere.url } })
      expect(await newClient().ask(post(provider.url))).toMatchObject({ kind: 'answered', status })
      expect([provider.asked.length, elsewhere.asked.length]).toEqual([1, 0])
    },
  )

  it('does not make it ask again, even when the server would have it on another connection', async () => {
    const provider = await newProvider({ status: 421 })
    expect(await newClient().ask(post(provider.url))).toMatchObject({ kind: 'answered', status: 421 })
    expect(provider.asked).toHaveLength(1)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('that comes compressed by %s all the same is read, up to the limit', async (coding, compress) => {
    const text = '{"messages":[{"id":"wamid.1"}]}'
    const provider = await newProvider({ status: 200, headers: { 'Content-Encoding': coding }, body: compress(text) })
    const answer = await newClient().ask(post(provider.url))
    expect(answer).toEqual({ kind: 'answered', status: 200, body: Buffer.from(text), truncated: false })
    provider.behave({ status: 200, headers: { 'Content-Encoding': coding }, body: compress('x'.repeat(1_000_000)) })
    expect(await newClient().ask(post(provider.url))).toEqual({ kind: 'unknown', reason: 'no answer that can be read' })
  })

  it.each([
    ['7', 7],
    ['0', 0],
    ['99999999999999999999999', 86_400],
    ['Fri, 21 Nov 2036 09:00:30 GMT', 30],
    ['Fri, 21 Nov 2036 08:00:00 GMT', 0],
    ['Fri, 21 Nov 2099 09:00:00 GMT', 86_400],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['2036-11-21T09:00:30Z', undefined],
    ['Fri, 99 Nov 2036 09:00:30 GMT', undefined],
  ])('with Retry-After: %s tells to wait for %s seconds', async (value, seconds) => {
    const provider = await newProvider({ status: 429, headers: { 'Retry-After': value } })
    const client = newClient({ now: () => new Date('2036-11-21T09:00:00Z') })
    const answer = await client.ask(post(provider.url))
    expect('retryAfterSeconds' in answer ? answer.retryAfterSeconds : undefined).toBe(seconds)
  })

  it.each([
    [99, false],
    [100, false],
    [101, true],
    [10_000_000, true],
  ])('of %i bytes, where 100 are read, is cut: %s', async (bytes, truncated) => {
    const provider = await newProvider({ status: 200, body: 'x'.repeat(bytes) })
    const answer = await newClient({ answerBytesMax: 100 }).ask(post(provider.url))
    const body = Buffer.from('x'.repeat(Math.min(bytes, 100)))
    expect(answer).toEqual({ kind: 'answered', status: 200, body, truncated })
  })

  it('without an end is read up to the limit, and no further', async () => {
    const provider = await newProvider('flood')
    const answer = await newClient().ask(post(provider.url))
    expect(answer).toMatchObject({ kind: 'answered', status: 200, truncated: true })
    expect('body' in answer && answer.body.length).toBe(65_536)
  })

  it('is whole when the connection is reset after it', async () => {
    const { url } = await newServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', () => socket.resetAndDestroy())
    })
    expect(await newClient().ask(post(url))).toMatchObject({ kind: 'answered', body: Buffer.from('ok') })
  })

  it('is as long as it says, whatever follows it', async () => {
    const { url } = await newServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more, HTTP/1.1 500 Oh\r\n\r\n')
    })
    expect(await newClient().ask(post(url))).toMatchObject({ kind: 'answered', status: 200, body: Buffer.from('ok') })
  })
})

describe('a question is unsent', () => {
  it('when nobody listens', async () => {
    const answer = await newClient().ask(post(`http://127.0.0.1:${await freePort()}`))
    expect(answer).toEqual({ kind: 'unsent', reason: 'connection refused' })
  })

  it('when there is no such name', async () => {
    const failed = (code: string) => Promise.reject(Object.assign(new Error(`${code} secret.internal`), { code }))
    const ask = (code: string) =>
      newClient({ guard: createAddressGuard({ lookup: () => failed(code) }) }).ask(post(url))
    const url = 'https://secret.internal/hook'
    expect(await ask('ENOTFOUND')).toEqual({ kind: 'unsent', reason: 'host name not found' })
    expect(await ask('EAI_AGAIN')).toEqual({ kind: 'unsent', reason: 'host name could not be looked up' })
    expect(await ask('EBADNAME')).toEqual({ kind: 'unsent', reason: 'could not be asked' })
  })

  it('when the name is not looked up in time, or TLS not begun', async () => {
    const guard = createAddressGuard({ lookup: () => new Promise(() => {}) })
    const { url } = await newServer(() => {})
    const late = { kind: 'unsent', reason: 'no connection in time' }
    const [noName, noTls, noTotal] = await Promise.all([
      newClient({ guard, connectMs: 200 }).ask(post('https://hook.example')),
      newClient({ connectMs: 200 }).ask(post(url.replace('http:', 'https:'))),
      newClient({ guard, totalMs: 200 }).ask(post('https://hook.example')),
    ])
    expect([noName, noTls, noTotal]).toEqual([late, late, late])
  })

  it('when the other side speaks no TLS', async () => {
    const { url } = await newServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const answer = await newClient().ask(post(url.replace('http:', 'https:')))
    expect(answer).toEqual({ kind: 'unsent', reason: 'no secure connection' })
  })

  it.each(['', 'hook', 'ftp://hook.example/', 'http://me:secret@127.0.0.1/', 'http://127.0.0.1:22/'])(
    'when the URL is one that nobody asks: %s',
    async (url) => {
      expect(await newClient().ask(post(url))).toEqual({ kind: 'unsent', reason: 'could not be asked' })
    },
  )

  it('when a header could not stand in a request', async () => {
    const provider = await newProvider({ status: 200 })
    const asked = newClient().ask({ ...post(provider.url), headers: { 'X-Name': 'a\r\nb' } })
    await expect(asked).rejects.toThrow(expect.objectContaining({ name: 'AskFault', isUnsent: true }))
    expect(provider.asked).toEqual([])
  })
})

describe('what became of a question is unknown', () => {
  const cases: [string, (socket: Socket) => void, string][] = [
    ['it hangs', () => {}, 'no answer in time'],
    ['it hangs in its head', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-'), 'no answer in time'],
    [
      'it hangs in its body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'),
      'no answer in time',
    ],
    ['it resets', (socket) => socket.resetAndDestroy(), 'connection broken'],
    ['it closes', (socket) => socket.end(), 'connection broken'],
    [
      'its body is shorter than it says',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'),
      'connection broken',
    ],
    [
      'it resets in its body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', () => socket.resetAndDestroy()),
      'connection broken',
    ],
    ['it speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'no answer that can be read'],
    [
      'its length is none',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok'),
      'no answer that can be read',
    ],
    [
      'its head has no end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'X-Name: long\r\n'.repeat(100_000)}`),
      'no answer that can be read',
    ],
    [
      'its body is no gzip',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok'),
      'no answer that can be read',
    ],
  ]

  it.each(cases)('when %s', async (_title, serve, reason) => {
    const { url } = await newServer(serve)
    expect(await newClient({ totalMs: 1500 }).ask(post(url))).toEqual({ kind: 'unknown', reason })
  })

  it('also of one on a connection that was good before', async () => {
    const provider = await newProvider({ status: 200 })
    const client = newClient()
    expect(await client.ask(post(provider.url))).toMatchObject({ kind: 'answered' })
    provider.behave('reset')
    expect(await client.ask(post(provider.url))).toEqual({ kind: 'unknown', reason: 'connection broken' })
  })
})

describe('where the status says all', () => {
  const [head, part] = ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', Buffer.from('ok')]
  const cases: [string, (socket: Socket) => void, Buffer][] = [
    ['hangs', (socket) => socket.write(`${head}ok`), part],
    ['never begins', (socket) => socket.write(head), Buffer.alloc(0)],
    ['is shorter than it says', (socket) => socket.end(`${head}ok`), part],
  ]

  it.each(cases)('a body that %s takes nothing from the answer', async (_title, serve, body) => {
    const { url } = await newServer(serve)
    const answer = await newClient({ bodyMs: 100 }).ask(post(url))
    expect(answer).toEqual({ kind: 'answered', status: 200, body, truncated: true })
  })

  it('so does the end of all time, when it comes in the body', async () => {
    const { url } = await newServer((socket) => socket.write(`${head}ok`))
    const answer = await newClient({ bodyMs: 20_000, totalMs: 1000 }).ask(post(url))
    expect(answer).toEqual({ kind: 'answered', status: 200, body: part, truncated: true })
  })

  it('a head that hangs is still no answer', async () => {
    const { url } = await newServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-'))
    const answer = await newClient({ bodyMs: 100, totalMs: 1000 }).ask(post(url))
    expect(answer).toEqual({ kind: 'unknown', reason: 'no answer in time' })
  })
})

describe('a client', () => {
  it('has only so many questions under way', async () => {
    const arrivals: Socket[] = []
    const [second, third] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url } = await newServer((socket) => {
      arrivals.push(socket)
      if (arrivals.length === 2) second.resolve()
      if (arrivals.length === 3) third.resolve()
    })
    const client = newClient({ connectionsMax: 2 })
    const asked = Array.from({ length: 5 }, () => client.ask(post(url)))
    await second.promise
    arrivals[0]!.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    await third.promise
    expect(arrivals).toHaveLength(3)
    await client.close()
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['answered', 'unknown', 'unknown', 'unsent', 'unsent'])
  })

  it('gives a question its time from when it has a place', async () => {
    const { url } = await newServer(() => {})
    const client = newClient({ connectionsMax: 1, totalMs: 1000 })
    const answers = await Promise.all([1, 2, 3].map(() => client.ask(post(url))))
    // One that had waited in its time would be unsent.
    expect(answers.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  it('uses a connection again', async () => {
    const provider = await newProvider(({ headers }) => ({ status: 200, body: String(headers.connection) }))
    const ports = new Set<number>()
    const { url } = await newServer((socket) => {
      const answer = () => {
        ports.add(socket.remotePort ?? 0)
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      }
      socket.on('data', answer)
      answer()
    })
    const client = newClient()
    for (let count = 0; count < 5; count++) {
      expect(await client.ask({ method: 'GET', url })).toMatchObject({ status: 200 })
      expect(await client.ask({ method: 'GET', url: provider.url })).toMatchObject({ body: Buffer.from('keep-alive') })
    }
    expect(ports.size).toBe(1)
  })

  it('that is closed calls off what is under way, and sends nothing more', async () => {
    const arrived = Promise.withResolvers<void>()
    let count = 0
    const { url } = await newServer(() => {
      count += 1
      arrived.resolve()
    })
    const client = newClient({ connectionsMax: 1 })
    const [underWay, waiting] = [client.ask(post(url)), client.ask(post(url))]
    await arrived.promise
    await client.close()
    expect(await underWay).toEqual({ kind: 'unknown', reason: 'called off' })
    expect(await waiting).toEqual({ kind: 'unsent', reason: 'called off' })
    expect(await client.ask(post(url))).toEqual({ kind: 'unsent', reason: 'called off' })
    expect(count).toBe(1)
  })
})
