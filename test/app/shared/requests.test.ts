/** What callers of the API share. */
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { hashOf, newKey } from '../../../src/domain/access/keyText.ts'
import { bodyOf, entry, post as postToInlet } from '../../inlets/site.ts'
import { newPhone, patient, startServer, type TestServer } from '../../support/server.ts'
import { converse, statusesIn } from '../../support/wire.ts'
import { type Beside, createBeside, isTooMuch, open, row, unknownMessage } from './beside.ts'

/** Of a key, and of all keys of an account. */
const [keyBurst, keysOfAccount] = [10, 20]
const [unknownKeysPerMinute, connectionsPerAddress] = [20, 100]
const knownKeysMax = 10_000

let server: TestServer
/** The same with little room for what waits for a commit. */
let narrow: TestServer
/** The same for crowds, in which a request may take as long as a test. */
let roomy: TestServer
let beside: Beside
beforeAll(async () => {
  const rates = { keyRatePerSecond: 10, keyBurst, unknownKeysPerMinute, connectionsPerAddress }
  server = await startServer({ config: rates, overrides: { groups: patient } })
  narrow = await startServer({
    overrides: { groups: { ...patient, groupsMax: 1, membersMax: 1, waitingMax: 8 } },
    beside: server,
  })
  roomy = await startServer({ overrides: { groups: patient, timeouts: { requestMs: 90_000 } }, beside: server })
  beside = await createBeside(server)
})
afterAll(async () => {
  await narrow?.close()
  await roomy?.close()
  await beside?.close()
})

// What was taken before is there again.
beforeEach(() => server.runtime.advance(60))

row(
  'connections of the API and the dashboard',
  'another account sends beside an address that opens more connections than it may',
  async () => {
    const begin = () => open(server.directUrl, 'GET / HTTP/1.1\r\n')
    const crowd = Array.from({ length: connectionsPerAddress }, begin)
    await Promise.all(crowd.map((socket) => once(socket, 'connect')))
    await beside.sendsBeside(async () => {
      await new Promise((resolve) => begin().once('close', resolve))
      return true
    })
  },
)

/** The head of a send of a code, for the server with room for crowds. */
const headOf = (key: string, more: string) =>
  `POST /v1/verify/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`

row(
  'requests of a connection',
  'another account sends beside a crowd of requests that do not end, and of heads that are too long',
  async () => {
    const { name } = await beside.newAccount()
    const key = await server.key({ account: name, mode: 'live' })
    const whole = `GET ${unknownMessage} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const unfinished = `${whole.repeat(5)}${headOf(key, 'Content-Length: 100')}{"phone":`
    const crowd = Array.from({ length: 200 }, () => open(roomy.directUrl, unfinished))
    await Promise.all(crowd.map((socket) => once(socket, 'data')))
    const tooLong = headOf(key, `X-Long: ${'x'.repeat(10_000)}`)
    const ask = async () => String(await once(open(roomy.directUrl, tooLong), 'data')).startsWith('HTTP/1.1 400 ')
    await beside.sendsBeside(ask, { at: roomy })
    expect(crowd.filter(({ closed }) => closed)).toEqual([])
  },
)

row('requests', 'another account sends beside a key that asks more than it may', async () => {
  const greedy = await (await beside.newAccount()).caller()
  await beside.sendsBeside(() => isTooMuch(greedy.get(unknownMessage)))
})

row(
  'look-ups of unknown keys',
  'another account sends beside strangers with more unknown keys than they may try',
  async () => {
    await beside.sendsBeside(() => isTooMuch(server.as(newKey('live')).get(unknownMessage)))
  },
)

row(
  'commits that requests share, and the lines before them',
  'another account sends beside one that fills the line before the commits',
  async () => {
    const greedy = await (await beside.newAccount()).caller(narrow)
    const send = () => greedy.post('/v1/verify/send', { phone: newPhone() })
    const ask = async () => {
      const crowd = await Promise.all(Array.from({ length: 20 }, () => isTooMuch(send())))
      return crowd.includes(true)
    }
    await beside.sendsBeside(ask, { at: narrow })
  },
)

row('posts to inlets', 'another account sends beside an inlet that posts more than it may', async () => {
  const { id: account } = await beside.newAccount()
  await server.app.inlets.apply(account, [entry()])
  const post = () => postToInlet(server, bodyOf({ phone: newPhone(), code: '561166' }), { account })
  await beside.sendsBeside(() => isTooMuch(post()))
})

row(
  'requests of an account',
  'another account sends beside many keys of one that ask more than twenty may',
  async () => {
    const { caller } = await beside.newAccount()
    const keys = await Promise.all(Array.from({ length: keysOfAccount + 5 }, () => caller()))
    let asked = 0
    await beside.sendsBeside(() => isTooMuch(keys[asked++ % keys.length]!.get(unknownMessage)))
    expect(asked).toBeGreaterThan(keysOfAccount * keyBurst)
  },
)

row(
  'searches of messages by the API',
  'another account sends beside one whose searches have all their places',
  async () => {
    const greedy = await (await beside.newAccount()).caller(roomy)
    const send = await beside.newQuiet(roomy)
    // Only searches for a reference read this table.
    const letRead = await server.database!.hold('message_reference')
    onTestFinished(letRead)
    const searches = Array.from({ length: 40 }, () => greedy.get('/v1/messages?reference=order-1'))
    const searching = () => server.database!.stuckAt('message_reference')
    await expect.poll(searching).toHaveLength(4)
    await send()
    expect(await searching()).toHaveLength(4)
    await letRead()
    const statuses = (await Promise.all(searches)).map(({ status }) => status)
    expect([200, 503]).toEqual(expect.arrayContaining(statuses))
  },
)

row('bodies of requests to the API', 'another account sends beside one that fills the place of bodies', async () => {
  const { name } = await beside.newAccount()
  const key = await server.key({ account: name, mode: 'live' })
  const send = await beside.newQuiet(roomy)
  const bytes = 16 * 1024 - 1
  const unfinished = `${headOf(key, `Content-Length: ${bytes}`)}${'x'.repeat(bytes - 1)}`
  const answers: string[] = []
  for (let opened = 0; opened < 2100; opened++) {
    open(roomy.directUrl, unfinished).on('data', (data) => answers.push(String(data)))
  }
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  await send()
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 /)
})

row(
  'caches of keys, connections, endpoints',
  'another account sends beside one with more keys than are kept in mind',
  async () => {
    const { id } = await beside.newAccount()
    const keys = Array.from({ length: knownKeysMax + 100 }, () => newKey('live'))
    await server.query(sql`insert into api_key (account_id, id, name, mode, scopes, hash, hint, created_at, last_used_at)
      select ${id}, 'key_' || n, 'one of many', 'live', '{messages:read}', decode(hash, 'base64'), 'ww_live_', at, at
      from unnest(string_to_array(${keys.map(hashOf).join()}, ',')) with ordinality as made (hash, n),
        cast(${server.runtime.now().toISOString()} as timestamptz) as at`)
    let asked = 0
    const ask = async () => {
      const some = Array.from({ length: 100 }, () => keys[asked++ % keys.length]!)
      const requests = some.map(
        (key) => `GET ${unknownMessage} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`,
      )
      const text = `${requests.join('\r\n')}Connection: close\r\n\r\n`
      const statuses = statusesIn(await converse(roomy.directUrl, (socket) => socket.write(text)))
      expect(statuses).toEqual(some.map(() => 404))
      return asked > knownKeysMax + 100
    }
    await beside.sendsBeside(ask, { at: roomy })
  },
)
