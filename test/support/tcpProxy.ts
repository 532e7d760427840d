/** A wire to a TCP server, which can be cut and restored. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

export interface TcpProxy {
  /** The target's, by way of the proxy. */
  url: string
  /** Resets every connection, and each new one as it is made. */
  cut: () => void
  restore: () => void
  close: () => Promise<void>
}

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const clients = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    // Listening goes on, because a port that was let go could be another's when it is wanted back.
    if (isCut) {
      client.resetAndDestroy()
      return
    }
    clients.add(client)
    const upstream = connect(Number(target.port), target.hostname)
    pipeline(client, upstream, client, () => clients.delete(client))
  })
  const cut = () => {
    isCut = true
    for (const client of clients) client.resetAndDestroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(targetUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut,
    restore: () => {
      isCut = false
    },
    close: () => {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
