/**
 * The database fails over under load: its primary ends, loses its power, or stands still with every connection open, and the
 * synchronous standby takes writes in its place. What was the primary comes back as a standby, and so on:
 * `FAILOVER_ROUNDS` says how often (10). The servers are those that npm brings; no package of the system is needed.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { run } from '../support/cli.ts'
import { freePort } from '../support/port.ts'
import { whatsappEntry } from '../support/simulation.ts'
import { type Cluster, openCluster, type Strike } from './cluster.ts'
import { countOpen, createLoad, expectWhole, settleMs } from './load.ts'
import { type Service, startService } from './service.ts'

const rounds = Number(process.env.FAILOVER_ROUNDS ?? 10)
const strikes: Strike[] = ['SIGKILL', 'SIGSTOP', 'SIGQUIT']
/** Milliseconds from the promotion to the first send that passes. */
const backMs = 10_000
const cutMs = 300
/** Milliseconds for a process to find out, when a server stands still without a word. */
const feltMs = 10_000

let folders: { servers: string; lists: string }
let cluster: Cluster
let simulator: Simulator
let service: Service
beforeAll(async () => {
  const newFolder = () => mkdtemp(join(tmpdir(), 'watchword-failover-'))
  folders = { servers: await newFolder(), lists: await newFolder() }
  // The servers are run by a user of their own.
  await chmod(folders.servers, 0o711)
  cluster = await openCluster(folders.servers)
  const port = await freePort()
  simulator = await createSimulator({
    whatsappWebhook: `http://127.0.0.1:${port}/providers/acct_default/wa-eu`,
    retryMs: 200,
    attemptsMax: 100,
  })
  service = await startService(cluster.url, { PORT: String(port) })
  const list = join(folders.lists, 'channels.yaml')
  await writeFile(list, JSON.stringify([whatsappEntry(simulator)]))
  expect(await run(service.settings, ['channels', 'apply', list])).toMatchObject({ exitCode: 0 })
})
afterAll(async () => {
  await service?.stop()
  await simulator?.close()
  await cluster?.stop()
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true })
})

it(`loses nothing that was acknowledged, and is back within ${backMs / 1000} s, in ${rounds} failovers`, {
  timeout: 120_000 + rounds * 60_000,
}, async () => {
  const load = createLoad(service.post)
  const backs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const how = strikes[round % strikes.length]!
    const before = load.acknowledged()
    await expect.poll(load.acknowledged, { timeout: backMs }).toBeGreaterThan(before + 50)
    expect(await readiness()).toEqual([200, 200, 200])

    // Every other time the line to the standby is cut a moment before.
    if (round % 2 === 0) await cluster.cutLine()
    if (round % 2 === 0) await wait(cutMs)
    await cluster.strike(how)
    await expect.poll(readiness, { timeout: feltMs, interval: 100 }).toEqual([503, 503, 503])
    const struck = load.acknowledged()
    await wait(500)
    expect(load.acknowledged()).toBe(struck)

    const [promotedAt, promoted] = [performance.now(), cluster.promote()]
    await expect.poll(load.acknowledged, { timeout: backMs, interval: 5 }).toBeGreaterThan(struck)
    backs.push(Math.round(performance.now() - promotedAt))
    await promoted
    await expect.poll(readiness, { timeout: backMs, interval: 100 }).toEqual([200, 200, 200])
    process.stdout.write(
      `  ${how}: ${struck} acknowledged before; a send passes ${backs.at(-1)} ms after the promotion\n`,
    )
    await cluster.rejoin()
  }
  const acknowledged = await load.stop()
  await expectKept(acknowledged)
  const sorted = backs.toSorted((a, b) => a - b)
  process.stdout.write(
    `  ${acknowledged.size} acknowledged, ${load.refused()} not; back after ${sorted[Math.floor(sorted.length / 2)]} ms ` +
      `(median), ${sorted.at(-1)} ms (longest)\n`,
  )
})

it('what the standby has not confirmed is not acknowledged, also when the wait for it was cancelled', async () => {
  const sql = postgres(cluster.urlOf(cluster.primary()), { max: 2, onnotice: () => {} })
  const waitFor = async (names: string) => {
    await sql.unsafe(`alter system set synchronous_standby_names = '${names}'`)
    await sql`select pg_reload_conf()`
  }
  await waitFor('nobody')
  // The primary lets go of the standby a moment after it was told to: until then, the standby still confirms.
  const confirms = () => sql`select 1 from pg_stat_replication where sync_state <> 'async'`
  await expect.poll(async () => (await confirms()).length, { timeout: feltMs }).toBe(0)
  let status: number | undefined
  const sent = service.post('/v1/verify/send', { phone: '+14159990000' }).then((answer) => {
    status = answer.status
  })
  const cancelled = async () => {
    await sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    return status
  }
  await expect.poll(cancelled, { timeout: feltMs, interval: 100 }).toBe(503)
  await sent
  await waitFor('standby')
  await sql.end()
})

async function readiness(): Promise<number[]> {
  return Promise.all(service.opsUrls().map(async (url) => (await fetch(`${url}/readyz`)).status))
}

/** The phones are none of the database's: they have what was really sent. */
async function expectKept(acknowledged: Map<string, string>): Promise<void> {
  const sql = postgres(cluster.urlOf(cluster.primary()), { max: 2, onnotice: () => {} })
  await expect.poll(() => countOpen(sql), { timeout: settleMs, interval: 500 }).toBe(0)
  await simulator.settled()
  const kept = new Map((await sql`select id, phone from message`).map(({ id, phone }) => [id, phone]))
  expect(
    [...acknowledged].filter(([id, phone]) => kept.get(id) !== phone),
    'lost',
  ).toEqual([])
  await expectWhole(sql)
  await sql.end()

  const handed = new Map(simulator.phones().map(({ phone, messages }) => [phone, messages]))
  const codesOf = (phone: string) => new Set((handed.get(phone) ?? []).flatMap(({ code }) => code ?? []))
  expect(
    [...handed.keys()].filter((phone) => codesOf(phone).size > 1),
    'different digits',
  ).toEqual([])
  expect(
    [...acknowledged.values()].filter((phone) => codesOf(phone).size === 0),
    'never sent',
  ).toEqual([])
  const twice = [...handed.values()].filter((messages) => messages.length > 1).length
  process.stdout.write(`  0 lost, 0 with different digits, ${twice} with the same digits twice\n`)

  const some = [...acknowledged].slice(-100)
  for (const [id, phone] of some) {
    const check = async () =>
      (await service.post('/v1/verify/check', { request_id: id, code: [...codesOf(phone)][0] ?? '' })).json()
    expect(await check()).toMatchObject({ data: { verified: true } })
    expect(await check()).toMatchObject({ data: { verified: false, reason: 'already_verified' } })
  }
}
