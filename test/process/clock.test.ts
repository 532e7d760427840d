/** Processes whose own clocks are wrong: the database's rules. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** Seconds by which the clocks of the processes are wrong. */
const skews = [-120, 0, 120]

describe.skipIf(!library)(
  `processes with wrong clocks${library ? '' : ' (skipped: install the package faketime)'}`,
  () => {
    let database: TestDatabase
    let dataDir: string
    let processes: Running[]
    let clients: Client[]

    beforeAll(async () => {
      database = await createDatabase()
      dataDir = await mkdtemp(join(tmpdir(), 'watchword-clock-'))
      const settings = {
        DATABASE_URL: database.settings.url,
        WATCHWORD_SECRET: 'a secret of the clock test that is long enough',
        DATA_DIR: dataDir,
        DEV_KEYS: 'on',
      }
      // One after the other: the first writes the keys.
      processes = []
      for (const skew of skews) {
        const wrong: Record<string, string> =
          // Timers go by the clock that nobody sets, and that one is right.
          skew === 0
            ? {}
            : { LD_PRELOAD: library!, FAKETIME: `${skew < 0 ? '' : '+'}${skew}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
        processes.push(await whenReady(launchProcess('serve', { ...settings, ...wrong })))
      }
      const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
      clients = processes.map(({ url }) => createClient(url, key))
    }, 120_000)
    afterAll(async () => {
      await Promise.all(processes.map(({ end }) => end('SIGTERM')))
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    })

    const sendAll = (phone: string) =>
      Promise.all(clients.map((client) => client.post<{ retry_after?: number }>('/v1/verify/send', { phone })))
    /** The code that the phone got. */
    const codeOf = async (id: string) => {
      const texts = () => database.sql<{ text: string }[]>`select text from sandbox_message where id = ${id}`
      await expect.poll(texts).toHaveLength(1)
      return (await texts())[0]!.text.slice(-6)
    }

    it('are wrong indeed', () => {
      const times = processes.map(({ output }) => Date.parse(JSON.parse(output().split('\n')[0]!).time))
      expect(times[1]! - times[0]!).toBeGreaterThan(100_000)
      expect(times[2]! - times[1]!).toBeGreaterThan(100_000)
    })

    it('send one code at once to one phone, and tell the others truly how long to wait', async () => {
      for (let round = 0; round < 3; round++) {
        const answers = await sendAll(newPhone())
        const refused = answers.filter(({ status }) => status === 429)
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        for (const { data } of refused) {
          expect(data.retry_after).toBeGreaterThanOrEqual(58)
          expect(data.retry_after).toBeLessThanOrEqual(60)
        }
      }
    })

    it('count their sends in the same slots, and agree on which is one too many for a rule', async () => {
      const [before] = await database.sql`select clock_timestamp() as now`
      const signals = { user_id: `user of ${newPhone()}` }
      const ids: string[] = []
      const slotsOfUser = () =>
        database.sql<{ slot: Date; sends: number }[]>`select slot, sends from protection_count
          where key like '%/user:3600/%' and slot > now() - interval '1 day'`
      const counted = async () => (await slotsOfUser()).reduce((sum, { sends }) => sum + sends, 0)
      for (let sent = 0; sent < 15; sent++) {
        ids.push(await clients[sent % 3]!.send(newPhone(), { signals }))
        // Its process has told the others, and has heard of them.
        await expect.poll(counted, { timeout: 10_000 }).toBe(sent + 1)
      }
      const slots = await slotsOfUser()
      // One, or two when an hour ends meanwhile.
      for (const { slot } of slots) {
        expect(slot.getTime()).toBeGreaterThan(before!.now.getTime() - 3_600_000)
        expect(slot.getTime()).toBeLessThanOrEqual(before!.now.getTime() + 90_000)
      }
      const findings = await Promise.all(
        ids.map((id) => clients[0]!.get<{ findings?: object[] }>(`/v1/messages/${id}`)),
      )
      const found = findings.map(
        ({ data }) => data.findings?.some((one) => 'rule' in one && one.rule === 'user-day') ?? false,
      )
      // More than ten, and the two that came to other processes since this one was asked last.
      expect(found).toEqual(ids.map((_id, place) => place >= 12))
    })

    it.each(skews.map((skew, index) => [skew, index] as const))(
      'verify a code in time, and no more when its time is over, that one sent which is wrong by %i s',
      async (_skew, index) => {
        const id = await clients[index]!.send(newPhone())
        const code = await codeOf(id)
        const [now] = await database.sql`select clock_timestamp() as now`
        const [message] = await database.sql`select expires_at from message where id = ${id}`
        expect(Math.abs(message!.expires_at - now!.now - 600_000)).toBeLessThan(12_000)

        await database.sql`update message set expires_at = clock_timestamp() - interval '1 s' where id = ${id}`
        await database.sql`update phone set expires_at = clock_timestamp() - interval '1 s' where verification_id = ${id}`
        for (const client of clients) expect(await client.check(id, code)).toMatchObject({ reason: 'expired' })
        await database.sql`update message set expires_at = clock_timestamp() + interval '30 s' where id = ${id}`
        await database.sql`update phone set expires_at = clock_timestamp() + interval '30 s' where verification_id = ${id}`
        const checked = await clients.at(-1 - index)!.check(id, code)
        expect(checked.verified).toBe(true)
        expect(Math.abs(Date.parse(checked.timestamp) - Date.now())).toBeLessThan(5000)
      },
    )
  },
)
