/**
 * The same through providers: WhatsApp first, then SMS, and Telegram behind both, as the simulator has them, with faults of
 * their own at random. `FAULT_ROUNDS` says how often something is killed (8), `FAULT_SEED` repeats a run.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { run } from '../support/cli.ts'
import { freePort } from '../support/port.ts'
import { smsEntry, telegramEntry, whatsappEntry } from '../support/simulation.ts'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { expectHandOvers } from './handOvers.ts'
import { type Confidential, leaksIn, leaksInDatabase } from './leaks.ts'
import { countOpen, createLoad, expectWhole, settleMs } from './load.ts'
import { round } from './round.ts'
import { type Service, startService } from './service.ts'

const rounds = Number(process.env.FAULT_ROUNDS ?? 8)
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
/** Of a request to a provider to meet a fault. */
const chaos = { probability: 0.25, seed }
/** Milliseconds without anything killed, at the beginning. */
const calmMs = 3000

const providers = {
  whatsappToken: 'EAAG-token-that-nobody-may-see',
  appSecret: 'app-secret-that-nobody-may-see',
  verifyToken: 'verify-token-that-nobody-may-see',
  telegramToken: 'AAH-token-that-nobody-may-see',
}
const smsToken = 'sms-token-that-nobody-may-see'

/** The end of the address that reports of SMS come to. */
let reportToken: string

/** That of the database is its server's own. */
let folders: { database: string; lists: string }
let database: MortalDatabase
let simulator: Simulator
let service: Service
let sql: postgres.Sql
beforeAll(async () => {
  const newFolder = () => mkdtemp(join(tmpdir(), 'watchword-faults-'))
  folders = { database: await newFolder(), lists: await newFolder() }
  database = await openMortalDatabase(folders.database)
  const port = await freePort()
  const webhook = (connection: string) => `http://127.0.0.1:${port}/providers/acct_default/${connection}`
  simulator = await createSimulator({
    ...providers,
    whatsappWebhook: webhook('wa-eu'),
    telegramWebhook: webhook('tg'),
    smsSecrets: { 'twilio.auth_token': smsToken },
    retryMs: 50,
    attemptsMax: 20,
  })
  // Codes that come to nothing end within the run.
  const publicUrl = `http://127.0.0.1:${port}`
  service = await startService(database.url, { PORT: String(port), PUBLIC_URL: publicUrl, CODE_TTL_SECONDS: '60' })
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  await apply('channels', [
    whatsappEntry(simulator, {
      access_token: providers.whatsappToken,
      app_secret: providers.appSecret,
      verify_token: providers.verifyToken,
      failover_seconds: 5,
    }),
    smsEntry(simulator, { failover_seconds: 5 }),
    telegramEntry(simulator, { access_token: providers.telegramToken }),
  ])
  const { stdout } = await run(service.settings, ['channels', 'list', '--json'])
  reportToken = /\/sms\/([\w-]{22})"/.exec(stdout)?.[1] ?? ''
  expect(reportToken).not.toBe('')
  const whatsapp = { name: 'welcome', language: 'en_US', parameters: ['name'] }
  await apply('templates', [{ slug: 'welcome', text: 'Welcome, {{name}}!', whatsapp }])
})
afterAll(async () => {
  await sql?.end()
  await service?.stop()
  await simulator?.close()
  await database?.stop()
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true })
})

async function apply(what: 'channels' | 'templates', list: object[]): Promise<void> {
  const file = join(folders.lists, `${what}.yaml`)
  await writeFile(file, JSON.stringify(list))
  expect(await run(service.settings, [what, 'apply', file])).toMatchObject({ exitCode: 0 })
}

it(`ends every message, sends no wrong digits, and leaks nothing in ${rounds} rounds of faults (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  simulator.chaos(chaos)
  const codes = createLoad(service.post, {
    ask: (phone) => ({ path: '/v1/verify/send', body: { phone, length: 8 } }),
    callers: 4,
  })
  const notifications = createLoad(service.post, {
    ask: (phone) => ({ path: '/v1/notifications/send', body: notificationTo(phone) }),
    callers: 1,
    phonesFrom: 7_000_000,
  })
  await wait(calmMs)
  const settled = new Set((await sql`select id from message where delivery_attempts > 0`).map(({ id }) => id as string))
  const leaks: string[] = []
  for (const [index, faults] of fc.sample(round, { numRuns: rounds, seed }).entries()) {
    await wait(faults.afterMs)
    process.stdout.write(`  ${codes.acknowledged()} acknowledged; kills ${faults.killed.join(', ')}\n`)
    await faults.strike({ database, service })
    if (index === Math.floor(rounds / 2)) leaks.push(...(await leaksInDatabase(sql, confidential())))
  }
  const [acknowledged, notified] = [await codes.stop(), await notifications.stop()]
  expect(acknowledged.size).toBeGreaterThan(rounds)
  expect(notified.size).toBeGreaterThan(0)
  await expectVerifying(acknowledged)

  await expect.poll(openAfterHurry, { timeout: settleMs, interval: 500 }).toBe(0)
  await simulator.settled()
  for (const [id, phone] of [...acknowledged, ...notified]) {
    const [message] = await sql`select phone from message where account_id = 'acct_default' and id = ${id}`
    expect(message, id).toEqual({ phone })
  }
  const statuses = await sql`select status, count(*)::int from message group by status order by status`
  process.stdout.write(`  ${statuses.map(({ status, count }) => `${count} ${status}`).join(', ')}\n`)
  // What a fault has cost is time: a few codes run out of it.
  const arrived = statuses.filter(({ status }) => status === 'delivered' || status === 'read')
  expect(arrived.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0.9 * acknowledged.size)
  await expectWhole(sql)
  await expectHandOvers(sql, simulator, settled)

  // Each of them had its part.
  const wires = Map.groupBy(
    simulator.phones().flatMap(({ messages }) => messages),
    ({ wire }) => wire,
  )
  process.stdout.write(`  ${[...wires].map(([wire, list]) => `${list.length} by ${wire}`).join(', ')}\n`)
  expect(wires.get('sms')?.filter(({ taken }) => taken).length).toBeGreaterThan(0)

  // What is looked for would be found: the phones have it all.
  expect(
    leaksIn(JSON.stringify([providers, smsToken, reportToken, simulator.phones()]), confidential()).length,
  ).toBeGreaterThan(100)
  leaks.push(...(await leaksInDatabase(sql, confidential())))
  for (const text of [service.said(), ...(await pages())]) leaks.push(...leaksIn(text, confidential()))
  expect(leaks.slice(0, 20)).toEqual([])
})

const notificationTo = (phone: string) => ({
  phone,
  template: 'welcome',
  variables: { name: `Zyx-${phone.slice(-7)}-Qwertz` },
})

function confidential(): Confidential {
  const handed = simulator.phones().flatMap(({ messages }) => messages)
  return {
    secrets: [...Object.values(providers), smsToken, reportToken, service.settings.WATCHWORD_SECRET!],
    codes: new Set(handed.flatMap(({ code }) => code ?? [])),
    variables: /Zyx-\d+-Qwertz/,
    // No part of a random id, which is written in hex.
    phones: /(?<![\da-f])1?415[27]\d{6}(?![\da-f])/,
  }
}

/** The digits on the phones are those that were acknowledged: they verify, once. Of those, some that are good for a while yet. */
async function expectVerifying(acknowledged: Map<string, string>): Promise<void> {
  const young = Date.now() - 40_000
  const good = [...acknowledged].flatMap(([id, phone]) => {
    const found = simulator.phone(phone).messages.find(({ taken, at }) => taken && Date.parse(at) > young)
    return found ? [{ request_id: id, code: found.code }] : []
  })
  expect(good.length).toBeGreaterThan(0)
  for (const body of good.filter((_body, index) => index % Math.ceil(good.length / 40) === 0)) {
    const check = async () => (await service.post('/v1/verify/check', body)).json()
    expect(await check()).toMatchObject({ data: { verified: true } })
    expect(await check()).toMatchObject({ data: { verified: false, reason: 'already_verified' } })
  }
}

/** How many messages are open still, when nobody waits for the time of a try that is to come. */
async function openAfterHurry(): Promise<number> {
  await sql`update pgboss.job set start_after = now() where state < 'active' and name like 'deliver-%'`
  return countOpen(sql)
}

/** What the service answers to whoever asks, as far as it has no other place in the tests. */
async function pages(): Promise<string[]> {
  const asked = [
    ...service.opsUrls().flatMap((url) => [`${url}/metrics`, `${url}/readyz`, `${url}/nothing`]),
    ...['/nothing', '/v1/messages/nothing', '/providers/acct_default/wa-eu', '/providers/nobody/tg'].map(service.urlOf),
  ]
  const answers = await Promise.all([
    ...asked.map((url) => fetch(url)),
    ...asked.map((url) => fetch(url, { method: 'POST', body: '{"object":' })),
    service.post('/v1/verify/send', { phone: '+14152000000', length: 'eight' }),
    service.post('/v1/notifications/send', { phone: '+14152000000', template: 'none', variables: {} }),
  ])
  return Promise.all(answers.map((answer) => answer.text()))
}
