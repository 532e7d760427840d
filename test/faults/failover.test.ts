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
import { smsEntry, whatsappEntry } from '../support/simulation.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { createLoad, settleMs } from './load.ts'
import { expectOnPhones } from './onPhones.ts'
import { type Service, startService } from './service.ts'
import type { Strike } from './standby.ts'

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
  await connectBy(whatsappEntry(simulator))
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
  await expectOnPhones({ databaseUrl: cluster.urlOf(cluster.primary()), simulator, acknowledged, post: service.post })
  const sorted = backs.toSorted((a, b) => a - b)
  process.stdout.write(
    `  ${acknowledged.size} acknowledged, ${load.refused()} not; back after ${sorted[Math.floor(sorted.length / 2)]} ms ` +
      `(median), ${sorted.at(-1)} ms (longest)\n`,
  )
})

it('neither acknowledges nor delivers what no standby confirms, also when the wait is cancelled', async () => {
  // It asks without a turn, which would be a commit of its own.
  await connectBy(smsEntry(simulator))
  const phones: string[] = []
  await expect.poll(() => sendsBySms(phones), { timeout: feltMs, interval: 200 }).toBe(true)
  const sql = postgres(cluster.urlOf(cluster.primary()), { max: 2, onnotice: () => {} })
  await letNobodyConfirm(sql)
  let status: number | undefined
  const phone = '+14159990000'
  const sent = service.post('/v1/verify/send', { phone }).then((answer) => {
    status = answer.status
  })
  const isRefused = (line: string) => line.includes('"queue":"deliver-sms') && line.includes('has not confirmed')
  const cancelled = async () => {
    await sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    return service.said().split('\n').some(isRefused) || simulator.phone(phone).messages.length > 0
  }
  await expect.poll(cancelled, { timeout: 6 * feltMs, interval: 100 }).toBe(true)
  await sent
  expect(status).toBe(503)
  expect(simulator.phone(phone).messages).toEqual([])
  await waitFor(sql, 'standby')
  await expect.poll(() => simulator.phone(phone).messages.length, { timeout: settleMs }).toBe(1)
  await sql.end()
})

it('a primary whose commits nobody confirms counts as one that takes no writes, until somebody does', async () => {
  const sql = postgres(cluster.urlOf(cluster.primary()), { max: 2, onnotice: () => {} })
  await letNobodyConfirm(sql)
  const sent = service.post('/v1/verify/send', { phone: '+14159990001' })
  await expect.poll(readiness, { timeout: feltMs, interval: 100 }).toEqual([503, 503, 503])
  expect(service.said()).toContain('its commits wait for a standby')
  await waitFor(sql, 'standby')
  await expect.poll(readiness, { timeout: feltMs, interval: 100 }).toEqual([200, 200, 200])
  await sent
  expect((await service.post('/v1/verify/send', { phone: '+14159990002' })).status).toBe(200)
  await sql.end()
})

/** Whether the API knows the new list: for some seconds it goes by the one before. @param phones that were asked for */
async function sendsBySms(phones: string[]): Promise<boolean> {
  const phone = `+1415999${1000 + phones.length}`
  phones.push(phone)
  expect((await service.post('/v1/verify/send', { phone })).status).toBe(200)
  return phones.some((one) => simulator.phone(one).messages.some(({ provider }) => provider !== null))
}

async function connectBy(entry: object): Promise<void> {
  const list = join(folders.lists, 'channels.yaml')
  await writeFile(list, JSON.stringify([entry]))
  expect(await run(service.settings, ['channels', 'apply', list])).toMatchObject({ exitCode: 0 })
}

async function waitFor(sql: postgres.Sql, names: string): Promise<void> {
  await sql.unsafe(`alter system set synchronous_standby_names = '${names}'`)
  await sql`select pg_reload_conf()`
}

async function letNobodyConfirm(sql: postgres.Sql): Promise<void> {
  await waitFor(sql, 'nobody')
  // The primary lets go of the standby a moment after it was told to: until then, the standby still confirms.
  const confirms = () => sql`select 1 from pg_stat_replication where sync_state <> 'async'`
  await expect.poll(async () => (await confirms()).length, { timeout: feltMs }).toBe(0)
}

async function readiness(): Promise<number[]> {
  return Promise.all(service.opsUrls().map(async (url) => (await fetch(`${url}/readyz`)).status))
}
