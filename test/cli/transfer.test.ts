/** The operator's move to PostgreSQL, and his backups: what was under way goes on, and what was known is known. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { commandLine, jsonOf, refusalOf, run } from '../support/cli.ts'
import type { Client } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { isPackaged } from '../support/packaged.ts'
import { codeOf, enrol, type Joined, join as joinAccount, peopleOn, signIn } from '../support/people.ts'
import { person } from '../support/person.ts'
import { launchProcess, type Process } from '../support/process.ts'
import { startServer, type TestServer } from '../support/server.ts'

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 })

const secret = 'a-secret-that-has-enough-characters-0123'
const config = { secrets: [secret] }
const [phone, waiting] = ['+14152000001', '+14152000002']
const order = { phone: waiting, template: 'welcome', variables: { name: 'Ada' } }
const once = { 'Idempotency-Key': 'order-1' }

let folder: string
let dataDir: string
let receiver: EventReceiver
/** What was there before. */
let before: {
  otherId: string
  requestId: string
  code: string
  key: string
  answer: string
  ada: Joined
  totp: string
  waitingId: string
}
const databases: TestDatabase[] = []
const launched: Process[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ww-transfer-'))
  dataDir = join(folder, 'data')
  receiver = await startEventReceiver()
  const server = await startServer({ inFolder: dataDir, config })
  before = await live(server)
  await server.close()
  await writeFile(join(dataDir, 'secret'), `${secret}\n`)
})
afterAll(async () => {
  for (const { child } of launched) child.kill('SIGKILL')
  await Promise.all(launched.map(({ ended }) => ended))
  await receiver?.close()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Weeks in which everything is used, and a stop while a code is out and a notification waits. */
async function live(server: TestServer): Promise<typeof before> {
  const accountId = 'acct_default'
  // Of another account: beside a channel, the sandbox would carry nothing of this one.
  const { id: otherId } = await server.app.accounts.create('other')
  await server.app.connections.apply(otherId, [
    { id: 'tg', kind: 'telegram', access_token: 'AAH_the_token_of_telegram' },
  ])
  await server.app.endpoints.add({ accountId, mode: 'live', types: ['message.delivered'], url: receiver.url })
  // Whoever tells of events knows of it.
  server.runtime.advance(5)
  const people = peopleOn(server.commit, { runtime: server.runtime, secrets: [secret] })
  const ada = await joinAccount(server.commit, people, { accountId })
  const { secret: totp } = await enrol(people, ada.of)
  const { key } = await server.newKey({ mode: 'live' })
  const caller = server.as(key)
  const requestId = await caller.send(phone)
  await server.work()
  const code = (await codeOn(server, phone))!
  const { text, data } = await caller.post<{ request_id: string }>('/v1/notifications/send', order, once)
  return { otherId, requestId, code, key, answer: text, ada, totp, waitingId: data.request_id }
}

async function codeOn(server: TestServer, number: string): Promise<string | undefined> {
  const [first] = await server.phone(number)
  return first && /\d{6}/.exec(first.text)?.[0]
}

/** One that can be killed. */
function launchCommand(args: string[], settings: Record<string, string> = { DATA_DIR: dataDir }): Process {
  const started = launchProcess(args, settings, { command: commandLine(), folder: join(import.meta.dirname, '../..') })
  launched.push(started)
  return started
}

async function newPostgres(): Promise<TestDatabase> {
  const database = await createDatabase()
  databases.push(database)
  return database
}

/** Everything that was there before goes on. */
async function expectAll(server: TestServer): Promise<void> {
  const told = () => receiver.events().filter(({ data }) => JSON.stringify(data).includes(before.waitingId)).length
  const toldBefore = told()
  const caller: Client = server.as(before.key)
  expect(await caller.check(before.requestId, '999999' === before.code ? '000000' : '999999')).toMatchObject({
    verified: false,
    attempts_remaining: 4,
  })
  expect(await caller.check(before.requestId, before.code)).toMatchObject({ verified: true })
  const replayed = await caller.post('/v1/notifications/send', order, once)
  expect(replayed.text).toBe(before.answer)
  // The worker of a package's process begins by itself.
  if (!isPackaged()) expect(await caller.status(before.waitingId)).toBe('queued')
  await server.work()
  expect((await server.phone(waiting)).map(({ id, text }) => ({ id, text }))).toEqual([
    { id: before.waitingId, text: 'Welcome, Ada!' },
  ])
  expect(await caller.status(before.waitingId)).toBe('delivered')
  await expect.poll(told).toBe(toldBefore + 1)
  const owner = server.app.as(person('owner'))
  await expect(owner.backup(folder)).rejects.toThrow('Only who has the machine may do this.')
  expect(await server.app.connections.unreadable(before.otherId)).toEqual([])
  const people = peopleOn(server.commit, { runtime: server.runtime, secrets: [secret] })
  const half = await signIn(people, before.ada.email)
  expect(half.answer).toMatchObject({ kind: 'entered', isPending: true })
  const pending = (await people.pending(half.token!))!
  const totp = codeOf(before.totp, server.runtime.now().getTime() + 30_000)
  expect(await people.signIns.confirm(pending, totp)).toMatchObject({ kind: 'entered', isPending: false })
}

async function goesOn(on: Parameters<typeof startServer>[0]): Promise<void> {
  const server = await startServer({ ...on, config })
  try {
    await expectAll(server)
  } finally {
    await server.close()
  }
}

it('everything goes on after the move: codes, waiting messages, keys, answers, secrets, people', async () => {
  const database = await newPostgres()
  const { url } = database.settings
  const moved = await run({ DATA_DIR: dataDir }, ['move', '--to', url])
  expect(moved).toMatchObject({ exitCode: 0, stderr: '' })
  expect(moved.stdout).toMatch(/^message +2$/m)
  expect(moved.stdout).toMatch(/^Copied \d+ rows of \d+ tables; each was read back and is the same\.$/m)
  expect(moved.stdout).toContain(`  WATCHWORD_SECRET="$(cat ${join(dataDir, 'secret')})"\n`)
  expect(moved.stdout).not.toContain(secret)
  expect(refusalOf(await run({ DATA_DIR: dataDir }, ['move', '--to', url]))).toMatch(/^The PostgreSQL is in use/)
  await goesOn({ on: database })
})

it('a move that is killed in the middle leaves nothing, and a second one does it all', async () => {
  const database = await newPostgres()
  const { sql, settings } = database
  // Somebody who looks for long holds up what is done last: all rows are there by then.
  await sql`create function wait() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(77); return null; end $$`
  await sql`create trigger wait after insert on template execute function wait()`
  const held = await sql.reserve()
  await held`select pg_advisory_lock(77)`
  const first = launchCommand(['move', '--to', settings.url])
  await vi.waitFor(async () => expect(await database.stuckAt('insert into public.template')).toHaveLength(1), 60_000)
  first.child.kill('SIGKILL')
  await first.ended
  await held`select pg_advisory_unlock(77)`
  held.release()
  await vi.waitFor(async () => expect(await sql`select id from api_key`).toEqual([]), 20_000)
  expect(await sql`select id from message`).toEqual([])
  await sql`drop function wait cascade`
  jsonOf(await run({ DATA_DIR: dataDir }, ['move', '--to', settings.url, '--json']))
  expect(await sql`select id from message`).toHaveLength(2)
})

it('a backup is restored into either kind, and everything goes on', { timeout: 240_000 }, async () => {
  const file = join(folder, 'embedded.gz')
  const written = jsonOf<{ rows: number }>(await run({ DATA_DIR: dataDir }, ['backup', '--to', file, '--json']))
  const [first, second] = [await newPostgres(), join(folder, 'second')]
  const postgres = { DATABASE_URL: first.settings.url, WATCHWORD_SECRET: secret }
  const restored = jsonOf(await run(postgres, ['restore', '--from', file, '--json']))
  expect(restored).toMatchObject({ rows: written.rows, made_at: expect.stringMatching(/^20.*Z$/) })

  const again = join(folder, 'postgres.gz')
  const said = await run({ DATABASE_URL: first.settings.url }, ['backup', '--to', again])
  expect(said.stdout).toContain(
    'Keep the WATCHWORD_SECRET of its processes too, in another place: it is not in the backup',
  )
  expect(said.stdout).toContain(
    'It is NOT signed, because no secret is set here: only "restore --unverified" takes it.',
  )
  await goesOn({ on: first })

  expect(refusalOf(await run({ DATA_DIR: second }, ['restore', '--from', again]))).toMatch(
    /^No secret is set: set the WATCHWORD_SECRET .*, or put it into .*second\/secret\./,
  )
  const other = { DATA_DIR: second, WATCHWORD_SECRET: secret.toUpperCase() }
  const restore = ['restore', '--from', again]
  expect(refusalOf(await run(other, restore))).toMatch(/ is not signed, .* pass --unverified\.$/)
  expect(refusalOf(await run(other, ['restore', '--from', file]))).toMatch(
    / is signed with the secret whose key id is /,
  )
  expect(refusalOf(await run(other, [...restore, '--unverified']))).toMatch(
    /^The secret that is set here does not open: connections \(1\), endpoints \(1\), authenticators \(1\)/,
  )
  await writeFile(join(second, 'secret'), `${secret}\n`)
  expect((await run({ DATA_DIR: second }, [...restore, '--unverified'])).stdout).toContain(
    `Copied ${written.rows} rows`,
  )
  await goesOn({ inFolder: second })
})

it.each(['SIGINT', 'SIGTERM'] as const)('a backup that is ended by %s leaves no file behind', async (signal) => {
  const { sql, settings } = await newPostgres()
  const postgres = { DATABASE_URL: settings.url, WATCHWORD_SECRET: secret }
  await run(postgres, ['migrate'])
  const place = join(folder, signal)
  await mkdir(place)
  // Somebody has it for himself: the backup comes no further.
  const held = await sql.reserve()
  await held`begin`
  await held`lock table template in access exclusive mode`
  const { child, ended } = launchCommand(['backup', '--to', place], postgres)
  await vi.waitFor(async () => expect(await readdir(place)).toEqual([expect.stringMatching(/unfinished$/)]), 60_000)
  child.kill(signal)
  expect(await ended).toEqual({ code: signal === 'SIGINT' ? 130 : 143, signal: null })
  expect(await readdir(place)).toEqual([])
  await held`rollback`
  held.release()
})

it.each([
  [
    'a folder that was never started',
    {},
    'postgres://127.0.0.1:9/x',
    /^There is no embedded database in .*\. Set DATA_DIR/,
  ],
  ['a PostgreSQL', { DATABASE_URL: 'postgres://127.0.0.1:9/y' }, 'postgres://127.0.0.1:9/x', /^DATABASE_URL is set/],
])('nothing is moved from %s', async (_, settings, url, refusal) => {
  expect(refusalOf(await run({ DATA_DIR: join(folder, 'none'), ...settings }, ['move', '--to', url]))).toMatch(refusal)
})

it('a move to one that refuses the password is told so', async () => {
  const url = new URL((await newPostgres()).settings.url)
  url.password = 'opensesame'
  expect(refusalOf(await run({ DATA_DIR: dataDir }, ['move', '--to', url.href]))).toBe(
    'The database refuses this user and password. Are they right in --to, or in PGPASSWORD?',
  )
})

it.each([
  ['what is no PostgreSQL', 'localhost:5432', '--to must be a postgres:// URL.'],
  [
    'one that is away',
    'postgres://u:a-password@127.0.0.1:9/x',
    'The PostgreSQL of --to cannot be reached, or the connection was lost.',
  ],
])('a move to %s is refused in one line', async (_, url, refusal) => {
  const said = refusalOf(await run({ DATA_DIR: dataDir }, ['move', '--to', url]))
  expect(said).toContain(refusal)
  expect(said).not.toContain('a-password')
})
