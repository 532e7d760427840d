/** The service by its bytes, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net'

/** Opens a connection, lets `write` use it, and gives all that comes back until it is closed. */
export function converse(url: string, write: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => write(socket))
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
    })
    socket.once('close', () => resolve(received))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(received) : reject(error),
    )
  })
}

/**
 * Sends the head of a request, and no body: it is under way when it resolves.
 *
 * @param head its first lines, without those that every request has
 * @returns all that comes back until the connection is closed
 */
export async function sendHead(url: string, head: string): Promise<{ received: Promise<string> }> {
  const { host } = new URL(url)
  const asked = Promise.withResolvers<void>()
  const received = converse(url, (socket) => {
    socket.once('data', () => asked.resolve())
    socket.write(`${head}\r\nHost: ${host}\r\nExpect: 100-continue\r\n\r\n`)
  })
  await Promise.race([asked.promise, received])
  return { received }
}

/** The status of each answer in what came back. */
export function statusesIn(received: string): number[] {
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) (?!Continue)/g), ([, status]) => Number(status))
}
