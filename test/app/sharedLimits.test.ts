/** What everybody shares: one takes all that it may of it, again and again, and another account sends meanwhile. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Channel, Receipt } from '../../src/delivery/channel.ts'
import { newKey } from '../../src/domain/access/keyText.ts'
import { bodyOf, entry, post as postToInlet } from '../inlets/site.ts'
import type { Client } from '../support/client.ts'
import { giveConnections } from '../support/connections.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { visitorWith } from '../support/visitor.ts'

const message = '/v1/messages/req_00000000000000000000000000'
/** Of a key, and of all keys of an account. */
const [keyBurst, keysOfAccount] = [10, 20]
const [unknownKeysPerMinute, connectionsPerAddress] = [20, 100]

/** On a slow machine, who waits is waited for: what is refused here is refused as too much. */
const patient = { waitMs: 60_000, workMs: 60_000, readMs: 60_000 }

/** A provider that signs with a word. */
const provider: Channel = {
  send: async () => ({ kind: 'sent' }),
  verify: ({ headers }) => headers.signature === 'good',
  parse: (body) =>
    (JSON.parse(body.toString()) as Receipt[]).map((receipt) => ({ ...receipt, at: new Date(receipt.at) })),
}

let server: TestServer
/** The same with little room for what waits for a commit. */
let narrow: TestServer
beforeAll(async () => {
  const rates = { keyRatePerSecond: 10, keyBurst, unknownKeysPerMinute, connectionsPerAddress }
  server = await startServer({
    config: { ...rates, dashboardPort: 0 },
    overrides: { channels: { whatsapp: provider }, groups: patient },
  })
  narrow = await startServer({
    overrides: { groups: { ...patient, groupsMax: 1, membersMax: 1, waitingMax: 8 } },
    beside: server,
  })
})
afterAll(async () => {
  await narrow?.close()
  await server?.close()
})

// What was taken before is there again.
beforeEach(() => server.runtime.advance(60))

let accounts = 0
/** An account of its own. @returns its id, and makes callers with new live keys of it */
async function newAccount() {
  const name = `account ${++accounts}`
  const { id } = await server.app.accounts.create(name)
  return {
    id,
    caller: async (at = server): Promise<Client> => at.as(await server.key({ account: name, mode: 'live' })),
  }
}

/**
 * @param ask asks for more of what is shared, as often as it is called. @returns whether that was too much
 * @param at the server that the other account asks
 */
async function sendsBeside(ask: () => Promise<boolean>, { at = server, askers = 8 } = {}): Promise<void> {
  const quiet = await (await newAccount()).caller(at)
  // A key that a process has never seen could not be told from those of strangers.
  await quiet.get(message)
  let isOver = false
  const reached = Promise.withResolvers<void>()
  const asking = Promise.all(
    Array.from({ length: askers }, async () => {
      while (!isOver) if (await ask()) reached.resolve()
    }),
  ).catch(reached.reject)
  await reached.promise
  try {
    for (let n = 0; n < 3; n++) expect(await quiet.send(newPhone())).toMatch(/^req_/)
  } finally {
    isOver = true
    await asking
  }
}

const isTooMuch = async (asked: Promise<{ status: number }>) => [429, 503].includes((await asked).status)

/** Connections of another address than ours, which are open until the test ends. */
function open(first: string | Buffer): Socket {
  const { hostname: host, port } = new URL(server.directUrl)
  const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' }).on('error', () => {})
  socket.write(first)
  onTestFinished(() => void socket.destroy())
  return socket
}

it('another account sends beside a key that asks more than it may', async () => {
  const greedy = await (await newAccount()).caller()
  await sendsBeside(() => isTooMuch(greedy.get(message)))
})

it('another account sends beside many keys of one that ask more than twenty may', async () => {
  const { caller } = await newAccount()
  const keys = await Promise.all(Array.from({ length: keysOfAccount + 5 }, () => caller()))
  let asked = 0
  await sendsBeside(() => isTooMuch(keys[asked++ % keys.length]!.get(message)))
  expect(asked).toBeGreaterThan(keysOfAccount * keyBurst)
})

it('another account sends beside strangers with more unknown keys than they may try', async () => {
  await sendsBeside(() => isTooMuch(server.as(newKey('live')).get(message)))
})

it('another account sends beside one that fills the line before the commits', async () => {
  const greedy = await (await newAccount()).caller(narrow)
  const send = () => greedy.post('/v1/verify/send', { phone: newPhone() })
  await sendsBeside(
    async () => {
      const crowd = await Promise.all(Array.from({ length: 20 }, () => isTooMuch(send())))
      return crowd.includes(true)
    },
    { at: narrow },
  )
})

it('another account sends beside an inlet that posts more than it may', async () => {
  const { id: account } = await newAccount()
  await server.app.inlets.apply(account, [entry()])
  await sendsBeside(() => isTooMuch(postToInlet(server, bodyOf({ phone: newPhone(), code: '561166' }), { account })))
})

/** As the provider of an account. */
const report = (accountId: string, body: string) =>
  fetch(`${server.directUrl}/providers/${accountId}/wa`, { method: 'POST', headers: { signature: 'good' }, body })

it('another account sends beside one whose provider reports more than it may', async () => {
  const { id } = await newAccount()
  await giveConnections(server, id, [{ id: 'wa', kind: 'whatsapp' }])
  // Below 64 KB: a large report may also wait in vain for its place.
  const told = Array.from({ length: 400 }, (_, n) => ({
    message: { accountId: id, id: `req_${String(n).padStart(26, '0')}` },
    ...{ status: 'delivered', at: server.runtime.now() },
  }))
  const body = JSON.stringify(told)
  expect(body.length).toBeLessThan(64 * 1024)
  await sendsBeside(() => isTooMuch(report(id, body)))
}, 60_000)

it('another account sends, and its provider reports, beside strangers who fill the place of reports', async () => {
  const { id } = await newAccount()
  await giveConnections(server, id, [{ id: 'wa', kind: 'whatsapp' }])
  const [bytesMax, strangers] = [3 * 1024 * 1024, 17]
  const head = `POST /providers/acct_x/wa HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytesMax}\r\n\r\n`
  const unfinished = Buffer.concat([Buffer.from(head), Buffer.alloc(bytesMax - 1, 'x')])
  await sendsBeside(
    async () => {
      const sockets = Array.from({ length: strangers }, () => open(unfinished))
      const answer = await Promise.race(sockets.map((socket) => once(socket, 'data')))
      const { status } = await report(id, '[]')
      for (const socket of sockets) socket.destroy()
      return String(answer).includes(' 503 ') && status === 200
    },
    { askers: 1 },
  )
}, 60_000)

it('another account sends beside an address that opens more connections than it may', async () => {
  const crowd = Array.from({ length: connectionsPerAddress }, () => open('GET / HTTP/1.1\r\n'))
  await Promise.all(crowd.map((socket) => once(socket, 'connect')))
  await sendsBeside(async () => {
    await new Promise((resolve) => open('GET / HTTP/1.1\r\n').once('close', resolve))
    return true
  })
})

it('another account sends beside strangers who try more passwords than they may', async () => {
  const guest = visitorWith(server, '')
  const typed = { email: 'someone@example.com', password: 'not the right one' }
  await sendsBeside(() => isTooMuch(guest.post('/sign-in', typed)))
})
