/** What is shared beside requests and messages: endpoints, names, operations, the disk, a port. */
import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { newKey } from '../../../src/domain/access/keyText.ts'
import { newUlid } from '../../../src/kit/runtime.ts'
import { createLookup } from '../../../src/outbound/lookup.ts'
import { giveEvents } from '../../support/endpoint.ts'
import { startNameServer } from '../../support/nameServer.ts'
import { opsToken, startOnOnePort } from '../../support/onePort.ts'
import { startProvider } from '../../support/provider.ts'
import { newPhone, type ServerOptions, startServer, type TestServer } from '../../support/server.ts'
import { createBeside, open, row } from './beside.ts'

/** Until the test ends. */
async function start(options: ServerOptions = {}, starting: Promise<TestServer> = startServer(options)) {
  const server = await starting
  const beside = await createBeside(server)
  onTestFinished(beside.close)
  return { server, beside }
}

row('requests to endpoints', 'another account sends beside one whose endpoints hang', async () => {
  const { server, beside } = await start({ overrides: { answerMs: 19_000 } })
  const hanging = await startProvider('hang')
  onTestFinished(hanging.close)
  const { id: accountId } = await beside.newAccount()
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      server.app.endpoints.add({ accountId, mode: 'live', types: null, url: `${hanging.url}/${n}` }),
    ),
  )
  const endpoints = added.map(({ endpoint }) => endpoint)
  await server.query(sql`update endpoint set pace = 'quick' where account_id = ${accountId}`)
  await giveEvents(server.database!.sql, endpoints, 10)
  server.app.eventLoop.start()
  onTestFinished(server.app.eventLoop.stop)
  // Half of the places of endpoints that answer.
  await expect.poll(() => hanging.asked.length).toBeGreaterThanOrEqual(50)
  await (await beside.newQuiet())()
})

row('look-ups of names that customers choose', 'another account sends beside one whose names are silent', async () => {
  const names = Array.from({ length: 50 }, (_, n) => `n${n}.silent.example`)
  const dns = await startNameServer(Object.fromEntries(names.map((name) => [name, 'silent'])))
  onTestFinished(dns.close)
  const lookup = createLookup({ servers: [dns.address], tryMs: 4000 })
  const { server, beside } = await start({ overrides: { lookup } })
  const { id: accountId } = await beside.newAccount()
  const add = (name: string) =>
    server.app.endpoints.add({ accountId, mode: 'live', types: null, url: `https://${name}/` })
  const adding = Promise.allSettled(names.map(add))
  await expect.poll(() => new Set(dns.asked).size).toBe(names.length)
  await (await beside.newQuiet())()
  expect((await adding).map(({ status }) => status)).toEqual(names.map(() => 'rejected'))
})

row(
  'metrics, readiness and sandbox messages of the operations port',
  'another account sends beside a crowd that asks the operations port',
  async () => {
    const { server, beside } = await start()
    const send = await beside.newQuiet()
    const letRead = await server.database!.hold('sandbox_message')
    onTestFinished(letRead)
    const paths = ['/metrics', '/readyz', `/sandbox/messages?phone=${encodeURIComponent(newPhone())}`]
    const crowd = Array.from({ length: 40 }, () => paths.map((path) => fetch(server.opsUrl + path))).flat()
    const reading = () => server.database!.stuckAt('sandbox_message')
    await expect.poll(reading).toHaveLength(4)
    await send()
    expect(await reading()).toHaveLength(4)
    await letRead()
    const statuses = (await Promise.all(crowd)).map(({ status }) => status)
    expect([200, 503]).toEqual(expect.arrayContaining(statuses))
  },
)

row('the disk, by test keys', 'another account sends while what test keys of one have sent is erased', async () => {
  const { server, beside } = await start({ config: { testMessagesMax: 10 } })
  const { id } = await beside.newAccount()
  const from = server.runtime.now().getTime()
  const made = Array.from({ length: 3000 }, (_, n) => newUlid(new Date(from + n * 500)))
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select ${id}, 'req_' || id, 'test', 'notification', '+14152999999', 'read', at, '[]', at
    from unnest(string_to_array(${made.join()}, ',')) with ordinality as made (id, n),
      lateral (select ${new Date(from).toISOString()}::timestamptz + make_interval(secs => (n - 1) * 0.5) as at) as made_at`)
  await server.advance(3600)
  const left = async () => (await server.query(sql`select 1 from message where account_id = ${id}`)).length
  expect(await left()).toBe(made.length)
  const ask = async () => {
    await server.app.countingLoop.runOnce()
    await server.query(sql`insert into pgboss.job (name, policy) values ('test-mode', 'standard')`)
    return (await left()) < made.length
  }
  await beside.sendsBeside(ask, { askers: 1 })
  await expect.poll(left).toBeLessThan(200)
})

row(
  'a port that the API, the dashboard and the operations share',
  'another account sends beside floods of the other doors of its port',
  async () => {
    const config = { unknownKeysPerMinute: 1 }
    const { server, beside } = await start({}, startOnOnePort({ OPS_TOKEN: opsToken }, { config }))
    const send = await beside.newQuiet()
    const strange = async () => (await server.as(newKey('live')).get('/v1/messages')).status
    await expect.poll(strange).toBe(429)
    const bytes = 16 * 1024 - 1
    const { host } = new URL(server.directUrl)
    const unfinished =
      `POST /dashboard/sign-in HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes - 1)}`
    const answers: string[] = []
    for (let opened = 0; opened < 200; opened++) {
      open(server.directUrl, unfinished).on('data', (data) => answers.push(String(data)))
    }
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    await send()
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 /)
  },
)
