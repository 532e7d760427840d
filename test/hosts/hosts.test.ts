/**
 * Three hosts, each with an API, a worker and a PostgreSQL, and a network between them that fails. Callers and the provider reach
 * every host all the time: some callers ask one host alone, others each in turn. `HOSTS_LONG=1` adds what takes minutes.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { createLoad, type Load } from '../faults/load.ts'
import { expectOnPhones } from '../faults/onPhones.ts'
import { run } from '../support/cli.ts'
import { smsEntry } from '../support/simulation.ts'
import { type Databases, openDatabases } from './databases.ts'
import { type Host, type Network, openNetwork } from './network.ts'
import { type Services, startServices } from './services.ts'

/** Milliseconds for a process to find out that its database is out of reach. */
const feltMs = 10_000
/** Milliseconds until sends pass again, from the moment when they can: the longest rest between two tries of TCP is part of it. */
const backMs = 20_000
/** Milliseconds that a caller waits for a refusal at most. */
const refusedMs = 13_000
/** Milliseconds for a server to end the sessions of a host that is gone. */
const forgottenMs = 90_000
/** Milliseconds for a session that waits for an answer to give up, where one server alone is known. */
const givenUpMs = 20_000

const isLong = process.env.HOSTS_LONG !== undefined
/** Acknowledged by processes that were there for a while. */
const extra = new Map<string, string>()

let folders: { servers: string; lists: string }
let network: Network
let databases: Databases
let simulator: Simulator
let services: Services
let hosts: [Host, Host, Host]
let own: Map<Host, Load>
let inTurn: Load
beforeAll(async () => {
  const newFolder = () => mkdtemp(join(tmpdir(), 'watchword-hosts-'))
  folders = { servers: await newFolder(), lists: await newFolder() }
  // The servers are run by a user of their own.
  await chmod(folders.servers, 0o711)
  network = await openNetwork(['db-a', 'db-b', 'db-c'])
  const { address } = network
  hosts = network.hosts as typeof hosts
  databases = await openDatabases(hosts, folders.servers)
  services = await startServices(
    hosts,
    `postgres://postgres:postgres@${hosts.map(({ name }) => `${name}:5432`).join(',')}/hosts`,
  )
  simulator = await createSimulator({
    host: address,
    retryMs: 200,
    attemptsMax: 1000,
  })
  const list = join(folders.lists, 'channels.yaml')
  await writeFile(list, JSON.stringify([smsEntry(simulator)]))
  expect(await run(services.settings, ['channels', 'apply', list])).toMatchObject({ exitCode: 0 })
  own = new Map(hosts.map((host, index) => [host, load(services.post(host), 2 + index)]))
  inTurn = load(services.postInTurn, 8)
})
afterAll(async () => {
  await services?.stop()
  await simulator?.close()
  await databases?.stop()
  await network?.close()
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true })
})

it('a host that is cut off from the database answers 503, others go on, and it comes back by itself', async () => {
  const [a, b, c] = hosts
  await Promise.all(hosts.map(passes))
  await network.part(c, a, b)
  const felt = await readAs(c, 503)
  expect(await services.readiness(a)).toEqual([200, 200])
  await Promise.all([passes(a), passes(b)])
  const before = own.get(c)!.acknowledged()
  await wait(500)
  expect(own.get(c)!.acknowledged()).toBe(before)
  await network.heal()
  say(`a host cut off: not ready after ${felt} ms, sends pass ${await passes(c)} ms after the line is back`)
  await Promise.all(hosts.map((host) => readAs(host, 200)))
  await databases.followed(2)
})

it.each([
  ['is heard by nobody', ([a, b, c]: typeof hosts) => [network.lose(a, b, c)]],
  ['hears nobody', ([a, b, c]: typeof hosts) => [network.lose(b, a), network.lose(c, a)]],
])('a primary that %s is noticed by all, and used again when the line is whole', async (_what, lose) => {
  await Promise.all(lose(hosts))
  const felt = await Promise.all(hosts.map((host) => readAs(host, 503)))
  await network.heal()
  const back = await Promise.all(hosts.map(passes))
  await Promise.all(hosts.map((host) => readAs(host, 200)))
  say(`one way lost: not ready after ${felt} ms, sends pass ${back} ms after the line is whole`)
  await databases.followed(2)
})

it('a primary that is cut off acknowledges nothing, and its host follows the one that is promoted', async () => {
  const [a, b, c] = hosts
  await network.part(a, b, c)
  const felt = await Promise.all(hosts.map((host) => readAs(host, 503)))
  const held = own.get(a)!.acknowledged()
  const { name } = await databases.promote([b, c])
  const taken = await Promise.all([passes(b), passes(c)])
  await readAs(b, 200)
  // Nobody has told the old primary, which goes on waiting: longer than any statement may take.
  await wait(isLong ? 60_000 : 10_000)
  expect(await services.readiness(a)).toEqual([503, 503])
  expect(own.get(a)!.acknowledged()).toBe(held)

  // Both run now, and see each other.
  await network.heal()
  const back = await passes(a)
  await readAs(a, 200)
  await databases.follow(a)
  await databases.followed(2)
  say(
    `cut off: not ready after ${felt} ms; ${name} promoted, sends pass after ${taken} ms, on the old primary's host ${back} ms after healing`,
  )
})

it.runIf(isLong)('a process that knows its server by one name follows the name', async () => {
  const old = databases.primary()
  const others = hosts.filter((host) => host !== old)
  await network.name({ database: [old.address] })
  const url = databases.urlOf(old).replace(old.address, 'database')
  const alone = load(await services.openApi(others[0]!, { DATABASE_URL: url }), 5)
  await expect.poll(alone.acknowledged, { timeout: backMs }).toBeGreaterThan(0)
  await network.part(old, ...others)
  const promoted = await databases.promote(others)
  await network.name({ database: [promoted.address] })
  const [before, since] = [alone.acknowledged(), performance.now()]
  await expect.poll(alone.acknowledged, { timeout: givenUpMs, interval: 10 }).toBeGreaterThan(before)
  say(`one name: sends pass ${Math.round(performance.now() - since)} ms after it leads elsewhere`)
  await network.heal()
  await databases.follow(old)
  await databases.followed(2)
  for (const [id, phone] of await alone.stop()) extra.set(id, phone)
})

it.runIf(isLong)('a host that loses its power gives its sessions back to others', async () => {
  const gone = hosts.find((host) => host !== databases.primary() && host !== hosts[2])!
  expect(await databases.sessionsOf(gone, databases.primary())).toBeGreaterThan(2)
  await network.unplug(gone)
  const [since] = [performance.now(), await services.kill(gone)]
  const sessions = () => databases.sessionsOf(gone, databases.primary())
  await expect.poll(sessions, { timeout: forgottenMs, interval: 500 }).toBe(0)
  say(`without power: its sessions are gone after ${Math.round(performance.now() - since)} ms`)
  await network.heal()
  await services.start(gone)
})

it('loses nothing acknowledged in all of that, gives no phone two codes, and answers 503 in time', async () => {
  const stopped = await Promise.all([...own.values(), inTurn].map((one) => one.stop()))
  const acknowledged = new Map([...stopped.flatMap((one) => [...one]), ...extra])
  const primary = databases.primary()
  await expectOnPhones({ databaseUrl: databases.urlOf(primary), simulator, acknowledged, post: services.post(primary) })
  say(`${acknowledged.size} acknowledged; ${JSON.stringify(services.answers())}`)
  for (const { statuses, slowestMs } of Object.values(services.answers())) {
    expect(Object.keys(statuses).filter((status) => !['200', '409', '503'].includes(status))).toEqual([])
    expect(slowestMs).toBeLessThan(refusedMs)
  }
})

/** @returns milliseconds until the host's processes say so on `/readyz` */
async function readAs(host: Host, status: 200 | 503): Promise<number> {
  const since = performance.now()
  const timeout = status === 200 ? backMs : feltMs
  await expect.poll(() => services.readiness(host), { timeout, interval: 50 }).toEqual([status, status])
  return Math.round(performance.now() - since)
}

/** @returns milliseconds until a send is acknowledged on a host */
async function passes(host: Host): Promise<number> {
  const { acknowledged } = own.get(host)!
  const [before, since] = [acknowledged(), performance.now()]
  await expect.poll(acknowledged, { timeout: backMs, interval: 5 }).toBeGreaterThan(before)
  return Math.round(performance.now() - since)
}

/** @param area tells phones of one load from those of another */
function load(post: Services['postInTurn'], area: number): Load {
  return createLoad(post, { callers: 4, phonesFrom: area * 1_000_000 })
}

function say(text: string): void {
  process.stdout.write(`  ${text}\n`)
}
