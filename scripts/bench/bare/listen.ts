/** Says where a bare server listens, as the service does. */
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'

export function listen(app: Express): void {
  const server = app.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`${JSON.stringify({ msg: 'ready', port })}\n`)
  })
}
