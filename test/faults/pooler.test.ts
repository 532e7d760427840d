/**
 * Behind PgBouncer in transaction mode, with fewer connections to the server than the service has to it, and a database that
 * has other settings than the service relies on. It needs Debian's package `pgbouncer`; without it, it is skipped and says so.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOf, run } from '../support/cli.ts'
import { freePort } from '../support/port.ts'
import { type Between, startBetween, versionOf } from './between.ts'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { createLoad, expectKept } from './load.ts'
import { type Service, startService } from './service.ts'

const version = await versionOf('pgbouncer')

/** What would break the reading of answers, or a promise, if it held. */
const theirs = {
  datestyle: 'SQL, DMY',
  timezone: 'America/New_York',
  search_path: 'elsewhere',
  default_transaction_isolation: 'serializable',
  synchronous_commit: 'off',
  bytea_output: 'escape',
}

describe.skipIf(!version)(`behind ${version} in transaction mode`, () => {
  let folder: string
  let database: MortalDatabase
  /** For a look at it beside the service, with settings that such a look needs. */
  let directUrl: string
  let pooler: Between
  let service: Service
  let sql: postgres.Sql
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-faults-'))
    await chmod(folder, 0o711)
    database = await openMortalDatabase(join(folder, 'data'))
    directUrl = `${database.url}?search_path=public&datestyle=ISO&timezone=UTC`
    sql = postgres(directUrl, { max: 2, onnotice: () => {} })
    for (const [name, value] of Object.entries(theirs)) {
      await sql.unsafe(`alter database faults set ${name} = ${value.includes(',') ? value : `'${value}'`}`)
    }
    const [port, server] = [await freePort(), new URL(database.url).port]
    pooler = await startBetween(
      'pgbouncer',
      port,
      `[databases]
      * = host=127.0.0.1 port=${server} user=postgres password=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = any
      pool_mode = transaction
      default_pool_size = 6
      max_client_conn = 200
      `.replaceAll(/^ +/gm, ''),
    )
    const url = new URL(database.url)
    url.port = String(port)
    // Its migrations are made through it too.
    service = await startService(url.href, { DATABASE_POOLER: 'transaction' })
  })
  afterAll(async () => {
    await sql?.end()
    await service?.stop()
    await pooler?.stop()
    await database?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('codes are sent, delivered and verified under load', async () => {
    const load = createLoad(service.post)
    await expect.poll(load.acknowledged, { timeout: 60_000 }).toBeGreaterThan(300)
    await expectKept(directUrl, await load.stop(), service.post)
    expect(load.refused()).toBe(0)
  })

  it('100 sends at once to one phone pass once', async () => {
    const phone = '+14153000001'
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => (await service.post('/v1/verify/send', { phone })).status),
    )
    expect(answers.toSorted()).toEqual([200, ...Array(99).fill(429)])
    expect(await sql`select id from message where phone = ${phone}`).toHaveLength(1)
  })

  it('a backup is written', async () => {
    const settings = { ...service.settings, DATABASE_POOLER: 'transaction' }
    const written = await run(settings, ['backup', '--to', join(folder, 'backup'), '--json'])
    expect(jsonOf(written)).toMatchObject({ rows: expect.any(Number) })
  })

  it('nothing of the service stays on connections that are others', async () => {
    const beside = postgres(database.url.replace(/:\d+\//, `:${new URL(service.settings.DATABASE_URL!).port}/`), {
      max: 6,
      prepare: false,
      onnotice: () => {},
    })
    const found = await Promise.all(
      Array.from({ length: 6 }, () => beside`select current_setting('search_path') as path, pg_sleep(0.1)`),
    )
    expect(new Set(found.map(([row]) => row?.path))).toEqual(new Set(['elsewhere']))
    expect(await beside`select 1 from pg_locks where locktype = 'advisory'`).toHaveLength(0)
    await beside.end()
  })
})
