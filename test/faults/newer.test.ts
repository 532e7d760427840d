/**
 * A version that is newer than this one changes the database: first it adds something, then it takes something away that this
 * one does not know to be gone. It is this code with two migrations more.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { launchProcess } from '../support/process.ts'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { createLoad, expectKept } from './load.ts'
import { type Ended, openSite, type Pair, type Site, type Version } from './site.ts'

const journal = 'src/store/migrations/meta/_journal.json'
const now: Version = { name: 'now', folder: join(import.meta.dirname, '../..') }
const refusal =
  /^Watchword 9\.0\.0 has changed the database so that this version \(\S+\) cannot work with it any more\. Start Watchword 9\.0\.0 or a newer one, or go back to a backup from before\.\n$/

describe('beside a newer version', () => {
  let folder: string
  let database: MortalDatabase
  let site: Site
  let newer: Checkout
  let later: Version
  let running: Pair
  let sql: postgres.Sql
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-faults-'))
    database = await openMortalDatabase(folder)
    site = await openSite(database.url)
    sql = postgres(database.url, { max: 2, onnotice: () => {} })
    newer = await copyCheckout()
    later = { name: 'later', folder: newer.folder }
    const { version } = JSON.parse(await newer.read('package.json')) as { version: string }
    await newer.replace('package.json', `"version": "${version}"`, '"version": "9.0.0"')
    running = await site.open(now)
  })
  afterAll(async () => {
    await sql?.end()
    await site?.stop()
    await database?.stop()
    await newer?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function addMigration(tag: string, text: string): Promise<void> {
    const { entries, ...rest } = JSON.parse(await newer.read(journal)) as { entries: { idx: number; when: number }[] }
    const last = entries.at(-1)!
    const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag }
    await newer.write(journal, JSON.stringify({ ...rest, entries: [...entries, next] }))
    await newer.write(`src/store/migrations/${tag}.sql`, text)
  }
  const readiness = async () => (await fetch(`${running.opsUrl}/readyz`)).status

  it('that waits for a table which a backup holds, everybody else goes on', async () => {
    await addMigration('0998_wide', 'ALTER TABLE "message" ADD COLUMN "of_later" text;')
    const load = createLoad(site.post, { callers: 2 })
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const backup = sql.begin('isolation level repeatable read, read only', async (tx) => {
      await tx`select count(*) from message`
      held.resolve()
      await over.promise
    })
    await held.promise
    let isDone = false
    const migrated = site.command(later, 'migrate').finally(() => {
      isDone = true
    })
    const waits = () => sql`select pid from pg_locks where not granted and relation = 'message'::regclass`
    // It comes and goes: the second time it has tried again.
    for (let tries = 0; tries < 2; tries++) {
      await expect.poll(async () => (await waits()).length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
      const before = load.acknowledged()
      await expect.poll(async () => (await waits()).length, { timeout: 60_000, interval: 20 }).toBe(0)
      await expect.poll(load.acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + 10)
    }
    expect(isDone).toBe(false)
    over.resolve()
    await backup
    expect(await migrated).toMatchObject({ code: 0 })
    const acknowledged = await load.stop()
    process.stdout.write(`  ${acknowledged.size} acknowledged, ${load.refused()} not\n`)
    await expectKept(database.url, acknowledged, site.post)
  })

  it('that has only added something, this one goes on, and starts anew', async () => {
    expect(await sql`select of_later from message limit 1`).toHaveLength(1)
    expect(await readiness()).toBe(200)
    const another = await site.open(now)
    expect((await another.post('/v1/verify/send', { phone: '+14156000001' })).status).toBe(200)
    expect(await site.shut(another)).toEqual([0, 0])
    expect(await site.command(now, 'keys', 'list')).toMatchObject({ code: 0, errors: '' })
    expect(await site.command(now, 'migrate')).toMatchObject({ code: 0, errors: '' })
  })

  it('that has taken something away, this one is not ready, and refuses to start in one line', async () => {
    await addMigration(
      '0999_narrow',
      '-- old code needs 0998_wide: it reads it no more\nALTER TABLE "message" DROP COLUMN "of_later";',
    )
    expect(await readiness()).toBe(200)
    expect(await site.command(later, 'migrate')).toMatchObject({ code: 0 })
    expect(await readiness()).toBe(503)
    for (const words of [['keys', 'list'], ['migrate']]) expectRefusal(await site.command(now, ...words))
    for (const role of ['serve', 'worker'] as const) expectRefusal(await endOf(role, site.settings))
    // It has done nothing to what the newer one has made, which goes on.
    const another = await site.open(later)
    expect((await another.post('/v1/verify/send', { phone: '+14156000002' })).status).toBe(200)
  })

  it('that has had the embedded database, this one refuses to start in one line', async () => {
    const { DATABASE_URL: _url, ...others } = site.settings
    const settings = { ...others, DATA_DIR: join(newer.folder, 'data') }
    const command = [process.execPath, 'src/cli.ts', 'migrate']
    expect(await endOf([], settings, { command, folder: newer.folder })).toMatchObject({ code: 0 })
    expectRefusal(await endOf('serve', settings))
  })
})

async function endOf(...launching: Parameters<typeof launchProcess>): Promise<Ended> {
  const launched = launchProcess(...launching)
  const { code } = await launched.ended
  return { code, output: launched.output(), errors: launched.errors() }
}

function expectRefusal(ended: Ended): void {
  expect(ended).toEqual({ code: 1, output: '', errors: expect.stringMatching(refusal) })
}
