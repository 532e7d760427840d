/** A process that is told to stop while its provider hangs, and clients do not end their requests. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { run } from '../support/cli.ts'
import { createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'
import { whatsappEntry } from '../support/simulation.ts'
import { sendHead, statusesIn } from '../support/wire.ts'

const soon = { interval: 50 }

let simulator: Simulator
let database: TestDatabase
let folder: string
let service: Running | undefined
beforeAll(async () => {
  simulator = await createSimulator({ slowMs: 4000 })
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'watchword-stop-'))
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await simulator.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

it('ends with 0 all the same, and has written down of each message what is known of it', async () => {
  const settings = {
    DATABASE_URL: database.settings.url,
    WATCHWORD_SECRET: 'a secret of the stop test that is long enough',
    DATA_DIR: folder,
    DEV_KEYS: 'on',
  }
  const list = join(folder, 'channels.yaml')
  await writeFile(list, JSON.stringify([whatsappEntry(simulator)]))
  expect(await run(settings, ['channels', 'apply', list])).toMatchObject({ exitCode: 0 })
  service = await whenReady(launchProcess('serve', settings))
  const key = (await readFile(join(folder, 'live-key'), 'utf8')).trim()
  const live = createClient(service.url, key)

  // As many as a provider is asked at once; the others wait for a place, and hang then.
  const send = async (fault: string, count: number) => {
    const phones = Array.from({ length: count }, newPhone)
    for (const phone of phones) simulator.setFault(phone, fault)
    await Promise.all(phones.map((phone) => live.send(phone)))
  }
  await send('slow', 64)
  await expect.poll(() => simulator.state().taken, soon).toBe(64)
  await send('hangs', 16)
  const unclaimed = () => database.sql`select id from pgboss.job where name = 'deliver-whatsapp' and state = 'created'`
  await expect.poll(unclaimed, soon).toEqual([])
  const form = 'Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10'
  const json = 'Content-Type: application/json\r\nContent-Length: 10'
  const endless = await Promise.all([
    sendHead(service.dashboardUrl, `POST /sign-in HTTP/1.1\r\n${form}`),
    sendHead(service.url, 'POST /providers/acct_default/wa-eu HTTP/1.1\r\nTransfer-Encoding: chunked'),
    sendHead(service.url, `POST /v1/verify/check HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${json}`),
  ])
  expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
  const refused = await Promise.all(endless.map(({ received }) => received))
  expect(refused.map(statusesIn)).toEqual([[400], [503], [503]])
  // As of every 503: nobody has to guess when to come again.
  for (const received of refused.slice(1)) expect(received).toMatch(/\r\nRetry-After: 1\r\n.*"retry_after":1\b/s)

  const notes =
    await database.sql`select timeline -> 1 ->> 'note' as note, count(*)::int from message group by 1 order by 1`
  // On a machine that is slow enough, the time of an answer is over before the process is told to stop.
  const told = [/^taken by wa-eu$/, /^wa-eu: attempt 1: (called off|no answer in time)$/]
  const counts = told.map((form) =>
    notes.filter(({ note }) => form.test(note ?? '')).reduce((sum, { count }) => sum + (count as number), 0),
  )
  expect(counts).toEqual([64, 16])
}, 90_000)
