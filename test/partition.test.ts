import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from './support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ config: { retentionDays: 30 } })
})
afterEach(() => server.close())

const daySeconds = 24 * 3600
const tables = ['message', 'leg', 'sandbox_message', 'event', 'event_delivery', 'event_attempt']
/** What the schedule does every hour. */
const purge = async () => {
  await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
  await server.work()
}
/** What the purge has said of it, the last first. */
const told = () =>
  server.runtime.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'purged')
    .toReversed()
const partsOf = async (table: string) =>
  (
    await server.query<{ name: string }>(sql`select relid::regclass::text as name
      from pg_partition_tree(${table}::regclass) where isleaf order by 1`)
  ).map(({ name }) => name)
const partOf = async (id: string) => {
  const [row] = await server.query<{ part: string }>(
    sql`select tableoid::regclass::text as part from message where id = ${id}`,
  )
  return row?.part
}

it('parts are made ahead, and each message goes to that of its time', async () => {
  const before = await server.live.send(newPhone())
  await purge()
  const days = ['20261122', '20261123', '20261124'].map((day) => `${day}0000`)
  for (const table of tables) {
    expect(await partsOf(table)).toEqual([...days.map((day) => `${table}_${day}`), `${table}_default`])
  }
  expect(told()[0]).toMatchObject({ partsMade: 18, partsDropped: 0, partsHeld: 0 })
  await server.advance(15 * 3600 - 1)
  const last = await server.live.send(newPhone())
  await server.advance(1)
  const first = await server.live.send(newPhone())
  expect(await Promise.all([before, last, first].map(partOf))).toEqual([
    'message_default',
    'message_default',
    'message_202611220000',
  ])
})
