/** An HTTP gateway in a process of its own. Its first message is its URL: at `/quick` it answers at once, at `/slow` it does not. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Nearly as long as a gateway may take. */
const slowMs = 7500

const server = createServer(async (request, response) => {
  request.resume()
  if (request.url === '/slow') await setTimeout(slowMs)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.once('disconnect', () => process.exit())
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
