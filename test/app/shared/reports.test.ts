/** What providers share that report. */
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Channel, Receipt } from '../../../src/delivery/channel.ts'
import { giveConnections } from '../../support/connections.ts'
import { patient, startServer, type TestServer } from '../../support/server.ts'
import { type Beside, createBeside, isTooMuch, open, row } from './beside.ts'

/** A provider that signs with a word. */
const signing: Channel = {
  send: async () => ({ kind: 'sent' }),
  verify: ({ headers }) => headers.signature === 'good',
  parse: (body) =>
    (JSON.parse(body.toString()) as Receipt[]).map((receipt) => ({ ...receipt, at: new Date(receipt.at) })),
}

let server: TestServer
let beside: Beside
beforeAll(async () => {
  server = await startServer({
    config: { keyRatePerSecond: 10 },
    overrides: { channels: { whatsapp: signing }, groups: patient },
  })
  beside = await createBeside(server)
})
afterAll(() => beside?.close())

// What was taken before is there again.
beforeEach(() => server.runtime.advance(60))

/** As the provider of an account. */
const report = (accountId: string, body: string) =>
  fetch(`${server.directUrl}/providers/${accountId}/wa`, { method: 'POST', headers: { signature: 'good' }, body })

row(
  'bodies of reports',
  'another account sends, and its provider reports, beside strangers who fill the place of reports',
  async () => {
    const { id } = await beside.newAccount()
    const { id: known } = await beside.newAccount()
    for (const one of [id, known]) await giveConnections(server, one, [{ id: 'wa', kind: 'whatsapp' }])
    const [bytesMax, strangers] = [3 * 1024 * 1024, 17]
    const head = `POST /providers/${known}/wa HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytesMax}\r\n\r\n`
    const unfinished = Buffer.concat([Buffer.from(head), Buffer.alloc(bytesMax - 1, 'x')])
    const ask = async () => {
      const sockets = Array.from({ length: strangers }, () => open(server.directUrl, unfinished))
      const answer = await Promise.race(sockets.map((socket) => once(socket, 'data')))
      const { status } = await report(id, '[]')
      for (const socket of sockets) socket.destroy()
      return String(answer).includes(' 503 ') && status === 200
    }
    await beside.sendsBeside(ask, { askers: 1 })
  },
)

row('reports of providers', 'another account sends beside one whose provider reports more than it may', async () => {
  const { id } = await beside.newAccount()
  await giveConnections(server, id, [{ id: 'wa', kind: 'whatsapp' }])
  // Below 64 KB: a large report may also wait in vain for its place.
  const told = Array.from({ length: 400 }, (_, n) => ({
    message: { accountId: id, id: `req_${String(n).padStart(26, '0')}` },
    ...{ status: 'delivered', at: server.runtime.now() },
  }))
  const body = JSON.stringify(told)
  expect(body.length).toBeLessThan(64 * 1024)
  await beside.sendsBeside(() => isTooMuch(report(id, body)))
})
