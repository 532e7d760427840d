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

/** The status of each answer in what came back. */
export function statusesIn(received: string): number[] {
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) (?!Continue)/g), ([, status]) => Number(status))
}
