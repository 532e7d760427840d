/** A forward proxy as companies have them: it makes tunnels (CONNECT), and looks names up for those who ask. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { certificate } from './ownCa.ts'

/** A status refuses; `lie`: it says that there is a tunnel, and answers in it itself; `flood`: a head without an end. */
export type ProxyBehaviour = 'tunnel' | 'hang' | 'gone' | 'lie' | 'garbage' | 'flood' | number

export interface ConnectProxy {
  /** Without credentials. */
  url: string
  port: number
  behave: (behaviour: ProxyBehaviour) => void
  /** What was asked for, and with which credentials. */
  asked: { place: string; authorization: string | undefined }[]
  /** Requests that came without asking for a tunnel. */
  plain: string[]
  close: () => Promise<void>
}

/** @param places where names lead, as `provider.example:443`: ports of this machine */
export async function startConnectProxy(
  places: Readonly<Record<string, number>>,
  { isSecure = false, credentials }: { isSecure?: boolean; credentials?: string } = {},
): Promise<ConnectProxy> {
  let behaviour: ProxyBehaviour = 'tunnel'
  const asked: ConnectProxy['asked'] = []
  const plain: string[] = []
  const open = new Set<Socket>()
  const server = isSecure ? createTlsServer(certificate) : createServer()
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
    if (behaviour === 'gone') socket.resetAndDestroy()
  })
  server.on('request', ({ url }: IncomingMessage, response) => {
    plain.push(url ?? '')
    response.writeHead(502).end()
  })
  server.on('connect', ({ url: place = '', headers }: IncomingMessage, socket: Socket) => {
    const authorization = headers['proxy-authorization']
    asked.push({ place, authorization })
    socket.on('error', () => {})
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
    const now = wanted && authorization !== wanted ? 407 : behaviour
    const port = places[place]
    if (now === 'tunnel' && port !== undefined) {
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(onward).pipe(socket)
      })
      onward.on('error', () => socket.destroy())
    } else answer(socket, now === 'tunnel' ? 502 : now)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, port, asked, plain },
    behave: (next) => {
      behaviour = next
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

function answer(socket: Socket, behaviour: Exclude<ProxyBehaviour, 'tunnel'>): void {
  const page = `HTTP/1.1 ${behaviour} No\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<b>no</b>`
  if (typeof behaviour === 'number') socket.end(page)
  if (behaviour === 'lie') socket.write('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  if (behaviour === 'garbage') socket.end('SSH-2.0-OpenSSH_9.9\r\n')
  if (behaviour === 'flood') {
    socket.write('HTTP/1.1 200 OK\r\n')
    const line = `X-More: ${'x'.repeat(1000)}\r\n`
    const pour = (): void => {
      while (!socket.destroyed && socket.write(line));
    }
    socket.on('drain', pour)
    pour()
  }
}
