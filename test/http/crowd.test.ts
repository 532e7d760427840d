/** What connections may take from others: places, and memory. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveBackMemory } from '../../src/process/startMemory.ts'
import { startServer, type TestServer } from '../support/server.ts'

const connectionsPerAddress = 20
/** Of those that take nothing: what each is sent until it is cut off is work for all of the machine. */
const fewConnections = 4

let server: TestServer
/** The same with less patience. */
let hasty: TestServer
beforeAll(async () => {
  const config = { connectionsPerAddress }
  server = await startServer({ config })
  hasty = await startServer({
    config: { connectionsPerAddress: fewConnections },
    overrides: { timeouts: { stalledMs: 300, answerMs: 2000 } },
    beside: server,
  })
})
afterAll(async () => {
  await hasty.close()
  await server.close()
})

function open(url: string, localAddress: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {})
}

async function isServed(url: string, path: string, localAddress: string): Promise<boolean> {
  const socket = open(url, localAddress)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
  socket.destroy()
  return data instanceof Buffer
}

const ports = [
  ['API', (of: TestServer) => of.url, '/openapi.json'],
  ['operations', (of: TestServer) => of.opsUrl, '/healthz'],
] as const

describe.each(ports)('the %s port', (_name, url, path) => {
  it('serves an address its share of connections and closes the rest; other addresses are served', async () => {
    const crowd = Array.from({ length: connectionsPerAddress }, () => open(url(server), '127.0.0.2'))
    await Promise.all(crowd.map((socket) => once(socket, 'connect')))
    const surplus = open(url(server), '127.0.0.2')
    await once(surplus, 'close')
    expect((await fetch(url(server) + path)).status).toBe(200)
    expect(server.runtime.lines.join()).toContain('"address":"127.0.0.2"')

    // Who was there before is served, and whoever comes when one has gone.
    const [first, second] = crowd
    second!.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect(`${(await once(second!, 'data'))[0]}`).toMatch(/^HTTP\/1\.1 200 /)
    first!.destroy()
    await expect.poll(() => isServed(url(server), path, '127.0.0.2')).toBe(true)
    for (const socket of crowd) socket.destroy()
  })
})

describe('a client that takes nothing of its answers', () => {
  const large: Record<string, string> = { '/openapi.json': '/docs', '/healthz': '/metrics' }

  it.each([
    ...ports.map((port) => [...port, 'and sends no more', '127.0.0.3', false] as const),
    ...ports.map((port) => [...port, 'though it goes on sending', '127.0.0.5', true] as const),
  ])(
    'is cut off by the %s port',
    async (_name, url, path, _how, address, keepsSending) => {
      // Far more than the buffers on the way hold.
      const requests = `GET ${large[path]} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2000)
      const crowd = Array.from({ length: fewConnections }, () => open(url(hasty), address))
      for (const socket of crowd) socket.pause().write(requests)
      const sending = setInterval(() => {
        if (keepsSending) for (const socket of crowd) socket.write('G')
      }, 50)
      await expect.poll(() => isServed(url(hasty), path, address)).toBe(true)
      clearInterval(sending)
      for (const socket of crowd) socket.destroy()
      // The operations port makes its page again for each of them.
    },
    90_000,
  )

  it('and one that takes it slowly is served to the end', async () => {
    const socket = open(hasty.url, '127.0.0.4')
    const [startedAt, slowMs] = [performance.now(), 900]
    let length = 0
    const request = 'GET /docs HTTP/1.1\r\nHost: x\r\n'
    socket.write(`${`${request}\r\n`.repeat(9)}${request}Connection: close\r\n\r\n`)
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (performance.now() - startedAt > slowMs) return
      socket.pause()
      setTimeout(() => socket.resume(), 50)
    })
    await once(socket, 'close')
    expect(length).toBeGreaterThan(1_000_000)
  })
})

/** In buffers: what nobody has any more is collected first. */
function heldBytes(): number {
  giveBackMemory()
  return process.memoryUsage().arrayBuffers
}

describe('a crowd that asks for the reference and takes nothing of it', () => {
  const size = 200

  /** @returns when it has the first byte of its answer, and takes no other */
  const begin = (index: number, network: string, headers: string) =>
    new Promise<Socket>((resolve, reject) => {
      const { hostname: host, port } = new URL(server.url)
      const localAddress = `127.0.${network}.${1 + Math.floor(index / connectionsPerAddress)}`
      const callback = () => {
        resolve(socket)
        return false
      }
      const socket = connect({ port: Number(port), host, localAddress, onread: { buffer: Buffer.alloc(1), callback } })
      // Far more than the buffers on the way hold.
      const requests = `GET /docs HTTP/1.1\r\nHost: host-${index}.example\r\n${headers}\r\n`.repeat(20)
      socket.once('error', reject).write(requests)
    })

  it.each([
    ['plain', '1', ''],
    ['in gzip', '2', 'Accept-Encoding: gzip\r\n'],
  ])('takes no memory by it, whatever hosts it makes up: %s', async (_how, network, headers) => {
    await fetch(`${server.url}/docs`)
    const before = heldBytes()
    const crowd = await Promise.all(Array.from({ length: size }, (_, index) => begin(index, network, headers)))
    // Far below 0, somebody else has let go of more than it takes.
    expect(Math.abs(heldBytes() - before)).toBeLessThan(3_000_000)
    for (const socket of crowd) socket.destroy()
  })
})
