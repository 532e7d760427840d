/** The package of an older commit, with what it has written, and this one in its place. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openEarlierPackage } from '../faults/earlier.ts'
import { createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const commit = 'c1a7ffb'
const isKnown = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0
const installed = inject('installed')!

describe.skipIf(!isKnown)(`an upgrade from ${commit}${isKnown ? '' : ' (skipped: no history here)'}`, () => {
  let old: Awaited<ReturnType<typeof openEarlierPackage>>
  let folder: string
  let database: TestDatabase
  const running: Running[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-upgrade-'))
    old = await openEarlierPackage(commit)
    database = await createDatabase()
    // As it was before anybody prepared it.
    await database.sql`drop schema public, pgboss, drizzle cascade`
    await database.sql`create schema public`
  }, 300_000)
  afterAll(async () => {
    for (const { end } of running) await end('SIGKILL')
    await database?.drop()
    await old?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(['embedded', 'postgres'])('keeps keys, codes and answers, and goes on with what waits: %s', async (kind) => {
    const DATA_DIR = join(folder, kind)
    const own: Record<string, string> =
      kind === 'postgres'
        ? { DATABASE_URL: database.settings.url, WATCHWORD_SECRET: 'a secret for tests of enough characters' }
        : {}
    const settings = { ...own, DATA_DIR, DEV_KEYS: 'on' }
    const start = async ({ command }: { command: string }, more = {}) => {
      const service = await whenReady(
        launchProcess('serve', { ...settings, ...more }, { command: [command], folder: tmpdir() }),
      )
      running.push(service)
      const key = async (mode: string) => (await readFile(join(DATA_DIR, `${mode}-key`), 'utf8')).trim()
      const [live, test] = [createClient(service.url, await key('live')), createClient(service.url, await key('test'))]
      return { service, live, test }
    }
    const [phone, once] = ['+14155552671', { 'Idempotency-Key': 'order-1' }]
    const before = await start(old)
    const answered = await before.live.post('/v1/verify/send', { phone }, once)
    const id = String(answered.data.request_id)
    await expect.poll(() => before.live.status(id)).toBe('delivered')
    const url = `${before.service.opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`
    const [{ text } = { text: '' }] = (await (await fetch(url)).json()) as { text: string }[]
    await before.service.end('SIGTERM')
    const idle = await start(old, { WORKER: 'off' })
    const waiting = await idle.test.send('+14155550100')
    await idle.service.end('SIGTERM')

    await run(installed.command, ['migrate'], { env: { PATH: process.env.PATH, ...settings } })
    const after = await start(installed)
    expect((await after.live.post('/v1/verify/send', { phone }, once)).data).toEqual(answered.data)
    expect(await after.live.check(id, /\d{6}/.exec(text)![0])).toMatchObject({ verified: true })
    await expect.poll(() => after.test.status(waiting)).toBe('delivered')
    expect(await after.test.check(waiting, '000000')).toMatchObject({ verified: true })
    await after.service.end('SIGTERM')
  })
})
