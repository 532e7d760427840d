/** Customers' endpoints, in a process of its own: one of so many hangs. Its first message is their URLs; each other one answers a look. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Received } from './receivers.ts'

const [count = 0, hangingEvery = 1] = process.argv.slice(2).map(Number)
const received: Received = { count: 0, firstAt: 0, lastAt: 0, most: 0 }
let open = 0

const servers = await Promise.all(
  Array.from({ length: count }, async (_server, index) => {
    const isHanging = index % hangingEvery === 0
    const server = createServer((request, response) => {
      open += 1
      received.most = Math.max(received.most, open)
      request.resume().on('end', () => {
        if (isHanging) return
        open -= 1
        received.count += 1
        received.lastAt = performance.now()
        if (received.count === 1) received.firstAt = received.lastAt
        response.writeHead(204).end()
      })
      response.on('close', () => {
        if (isHanging) open -= 1
      })
    })
    // Whoever asks again on the same connection, finds it open.
    server.keepAliveTimeout = 60_000
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }),
)
process.on('message', () => process.send?.(received))
process.once('disconnect', () => process.exit())
process.send?.({ urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`) })
