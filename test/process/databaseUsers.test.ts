/** The two database users of the operators' page, by the SQL that stands there. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { jsonOf, refusalOf, run } from '../support/cli.ts'
import { createClient } from '../support/client.ts'
import { blocksOf, pageOf } from '../support/docs.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { launchProcess, printed, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

const [roles, grants, maintain] = blocksOf('sql', pageOf('docs/operators.md')) as [string, string, string]
const names = ['watchword', 'watchword_owner'] as const
const passwords = { watchword: 'another%20password', watchword_owner: 'one%20password' }
const server = inject('postgresUrl')
const superuser = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
const asPeople = { DATABASE_URL: buildUrl('watchword'), WATCHWORD_SECRET: 'a secret of this test that is long enough' }
const asOwner = { ...asPeople, DATABASE_URL: buildUrl('watchword_owner') }
const owner = postgres(asOwner.DATABASE_URL, { max: 1, onnotice: () => {} })

let folder: string
let receiver: EventReceiver
const running: Running[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-users-'))
  receiver = await startEventReceiver()
  for (const statement of roles.split(';').filter(Boolean)) await superuser.unsafe(statement)
})
afterAll(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  await receiver.close()
  await owner.end()
  await superuser.unsafe('drop database watchword with (force)')
  for (const name of names) await superuser.unsafe(`drop role ${name}`)
  await superuser.end()
  await rm(folder, { recursive: true, force: true })
})

function buildUrl(name: (typeof names)[number]): string {
  const url = new URL(`${server}/watchword`)
  return `postgres://${name}:${passwords[name]}@${url.host}/watchword`
}

const start = async (role: 'serve' | 'worker', settings: Record<string, string>) => {
  const started = await whenReady(launchProcess(role, { ...asPeople, DATA_DIR: folder, ...settings }))
  running.push(started)
  return started
}
/** Has the hourly purge done now. @returns the lines that it has written */
const purge = async (worker: Running) => {
  const before = worker.output().length
  await owner`insert into pgboss.job (name, policy) values ('purge', 'exclusive')`
  await expect.poll(() => worker.output().slice(before)).toContain('"msg":"purged"')
  return worker.output().slice(before)
}

it('a user without rights is told to migrate as the owner, and changes nothing', async () => {
  const { errors, ended } = launchProcess('serve', { ...asPeople, DATA_DIR: folder })
  expect((await ended).code).toBe(1)
  expect(errors()).toMatch(/^The database must be brought to this version, .*permission denied.*\n$/)
  expect(errors()).toContain('Run the command migrate as the user that owns the tables')
  expect(await owner`select from pg_namespace where nspname in ('drizzle', 'pgboss')`).toEqual([])
})

it('the service sends, tells endpoints and erases as a user that changes no tables', async () => {
  expect(jsonOf(await run(asOwner, ['migrate', '--json']))).toEqual({ migrated: true })
  await owner.unsafe(grants)
  if (inject('postgresMajor') >= 17) await owner.unsafe(maintain)
  const [api, worker] = [await start('serve', { WORKER: 'off' }), await start('worker', {})]
  const keys = ['keys', 'create', '--name', 'shop', '--mode', 'live', '--json']
  const client = createClient(api.url, jsonOf<{ key: string }>(await run(asPeople, keys)).key)
  jsonOf(await run(asPeople, ['endpoints', 'add', receiver.url, '--json']))
  await client.send(newPhone())
  await printed(worker, '"msg":"delivery"')
  await expect.poll(() => receiver.events().map(({ type }) => type)).toContain('message.sent')

  const told = await purge(worker)
  expect(told).toContain('run the command partitions as the owner')
  expect(told).not.toContain('"level":50')
  expect(refusalOf(await run(asPeople, ['partitions']))).toMatch(/^This database user does not own the tables/)
  expect(jsonOf(await run(asOwner, ['partitions', '--json']))).toEqual({ made: 18, dropped: 0, emptied: 0 })
  expect(await purge(worker)).not.toContain('run the command partitions')
  const [made] = await owner<{ mayWrite: boolean }[]>`
    select bool_and(has_table_privilege('watchword', oid, 'insert, select, update, delete')) as "mayWrite"
    from pg_class where relkind = 'r' and relname like 'message\\_20%'`
  expect(made).toEqual({ mayWrite: true })
  for (const text of [api, worker].map(({ output }) => output())) expect(text).not.toContain('permission denied')
})

it('may not change a table', async () => {
  const own = postgres(asPeople.DATABASE_URL, { max: 1, onnotice: () => {} })
  for (const change of [
    'alter table message add x int',
    'create table x ()',
    'drop table pgboss.job',
    'truncate message',
  ])
    await expect(own.unsafe(change), change).rejects.toThrow(/must be owner|permission denied/)
  await own.end()
})
