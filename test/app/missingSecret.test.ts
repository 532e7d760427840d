/** A process whose secrets do not open what its database holds: it does not start, and tells no caller what is false. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { codeOn } from '../support/code.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { testRuntime } from '../support/runtime.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const [older, newer] = ['an older secret of enough characters for it', 'a newer secret of enough characters for it']
const [olderId, newerId] = [older, newer].map((secret) => createSecrets([secret]).keyIds[0])
const send = (server: TestServer, phone: string, key: string) =>
  server.live.post('/v1/verify/send', { phone }, { 'Idempotency-Key': key })
const unavailable = { status: 503, data: { code: 'service_unavailable' } }

const started: TestServer[] = []
/** Ended after the test. */
async function start(options: Parameters<typeof startServer>[0]): Promise<TestServer> {
  const server = await startServer(options)
  started.push(server)
  return server
}
async function stopAll(): Promise<void> {
  for (let server = started.pop(); server; server = started.pop()) await server.close()
}

describe('on PostgreSQL', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(async () => {
    await stopAll()
    await database.drop()
  })
  const on = (secrets: string[], changes: object = {}) => start({ on: database, config: { secrets, ...changes } })
  const noted = async () =>
    (await database.sql`select key_id from keyring order by made_at`).map(({ key_id }) => key_id)

  it('a process without the secret of codes does not start, and with it the code is still good', async () => {
    const first = await on([older])
    const phone = newPhone()
    await send(first, phone, 'once')
    await first.work()
    const [{ id = '', text = '' } = {}] = await first.phone(phone)
    await stopAll()
    for (const wrong of [[newer], [newer, `${newer}, another`]]) {
      const refusal = await on(wrong).then(String, ({ message }: Error) => message)
      expect(refusal).toBe(
        `Secrets are missing that the database needs, with the key ids ${olderId} (codes: 1, kept answers: 1); those that are ` +
          `set have ${createSecrets(wrong).keyIds.join(', ')}. Set WATCHWORD_SECRET to the secrets from before, separated by ` +
          'commas. If they are lost, SECRETS_MISSING=accept goes on without what they open.',
      )
    }
    expect(await noted()).toEqual([olderId])
    const again = await on([newer, older])
    expect(await noted()).toEqual([olderId, newerId])
    expect(await again.live.check(id, codeOn(text))).toMatchObject({ verified: true })
  })

  it('a database that the version before filled tells it too', async () => {
    const first = await on([older])
    await send(first, newPhone(), 'once')
    await database.sql`delete from keyring`
    await stopAll()
    await expect(on([newer])).rejects.toThrow(olderId)
  })

  it('a secret that nothing needs any more may go, and is forgotten', async () => {
    const first = await on([older])
    await first.app.endpoints.add({ accountId: 'acct_default', mode: 'live', types: null, url: 'http://127.0.0.1:9/' })
    await send(first, newPhone(), 'once')
    await first.work()
    const second = await start({ beside: first, config: { secrets: [newer, older] } })
    await second.advance(24 * 3600 + 1)
    expect(await noted()).toEqual([olderId, newerId])
    await start({ beside: first, config: { secrets: [newer] } })
    expect(await noted()).toEqual([newerId])
  })

  it('while one process lacks the secret that another signs with, it answers 503 and counts nothing', async () => {
    const behind = await on([older])
    const ahead = await start({ beside: behind, config: { secrets: [newer, older] } })
    const phone = newPhone()
    const sent = await send(ahead, phone, 'once')
    await ahead.work()
    const [{ id = '', text = '' } = {}] = await ahead.phone(phone)
    const code = codeOn(text)
    const checks = Array.from({ length: 30 }, (_, index) =>
      behind.live.post('/v1/verify/check', { request_id: id, code: index % 2 ? code : '000000' }),
    )
    for (const answer of await Promise.all(checks)) expect(answer).toMatchObject(unavailable)
    expect(await database.sql`select attempts, wrong_at from phone`).toEqual([{ attempts: 0, wrong_at: [] }])
    const errors = behind.runtime.lines.filter((line) => line.includes('a secret is missing that another process'))
    expect(errors.map((line) => JSON.parse(line).key_id)).toEqual([newerId])

    const repeats = await Promise.all(Array.from({ length: 30 }, () => send(behind, phone, 'once')))
    const answers = new Set(repeats.map(({ data }) => (data as { code: string }).code))
    expect(answers.has('idempotency_key_reused')).toBe(false)
    expect(answers.has('service_unavailable')).toBe(true)
    expect((await send(ahead, phone, 'once')).text).toBe(sent.text)
    expect(await database.sql`select count(*)::int as n from message`).toEqual([{ n: 1 }])
    expect(await ahead.live.check(id, code)).toMatchObject({ verified: true })
  })

  it('a lost secret can be accepted: its codes are answered 503, and all else goes on', async () => {
    const first = await on([older])
    const lost = await first.test.send(newPhone())
    await stopAll()
    const second = await on([newer], { secretsMissing: 'accept' })
    const told = second.runtime.lines.filter((line) => line.includes('a secret is missing'))
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { key_id: olderId, what: 'waiting messages', count: 1, level: 50 },
      { key_id: olderId, what: 'codes', count: 1, level: 50 },
    ])
    expect(await second.test.post('/v1/verify/check', { request_id: lost, code: '000000' })).toMatchObject(unavailable)
    const id = await second.test.send(newPhone())
    expect(await second.test.check(id, '000000')).toMatchObject({ verified: true })
    expect(await second.query(sql`select attempts from phone where code_key_id = ${olderId}`)).toEqual([
      { attempts: 0 },
    ])
  })

  it('processes that start at once with any of the secrets find the same rows by their keys', async () => {
    const lists = [[older], [older], [older, newer], [older, newer]]
    const servers = await Promise.all(lists.map((secrets) => on(secrets)))
    const phone = newPhone()
    const answers = await Promise.all(servers.map((server) => send(server, phone, 'at-once')))
    const done = answers.map(({ status, headers }) => `${status} ${headers.get('idempotent-replayed')}`)
    expect(done.filter((one) => one === '200 null')).toEqual(['200 null'])
    expect(done.filter((one) => !/^(200|409) /.test(one))).toEqual([])
    expect(await database.sql`select count(*)::int as n from message`).toEqual([{ n: 1 }])
  })
})

it('the embedded database is not served without the secret of its data folder, and no other is made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ww-secret-'))
  const [dataDir, file] = [join(folder, 'data'), join(folder, 'data', 'secret')]
  const first = await start({ inFolder: dataDir, config: { secrets: undefined, dataDir } })
  const kept = await readFile(file, 'utf8')
  await send(first, newPhone(), 'once')
  await stopAll()
  const config = testConfig({ kind: 'embedded', dataDir }, { secrets: undefined, dataDir })
  // By the clock of the service that sent: a moment later.
  const begin = () => createApp(config, { runtime: testRuntime('2026-11-21T09:00:01.000Z') })
  await rename(file, `${file}.away`)
  await expect(begin()).rejects.toThrow(`Put the file ${file} back, or set WATCHWORD_SECRET`)
  expect(existsSync(file)).toBe(false)
  await rename(`${file}.away`, file)
  await (await begin()).close()
  expect(await readFile(file, 'utf8')).toBe(kept)
  await rm(folder, { recursive: true })
}, 60_000)
