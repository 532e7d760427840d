/** What a statement fails with when its connection breaks under it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { problemIn } from '../../../src/store/engine/failure.ts'
import { read } from '../../../src/store/engine/session.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { startTcpProxy } from '../../support/tcpProxy.ts'

const text = 'select pg_sleep(60), $1::int'
const script = 'select pg_sleep(60)'
const waysToAsk: Record<string, (database: Database) => Promise<unknown>> = {
  'a read': ({ reader }) => reader.run(read(text), [1]),
  'a transaction': ({ transact }) => transact((link) => link.run(read(text), [1])),
  'a statement of the queue': ({ queueDb }) => queueDb.executeSql(text, [1]),
  'a script of the queue': ({ queueDb }) => queueDb.executeSql(script),
}

let beside: TestDatabase
beforeAll(async () => {
  beside = await createDatabase()
})
afterAll(() => beside.drop())

describe.each([
  ['on connections of its own', false],
  ['behind a pooler', true],
])('%s', (_name, perTransaction) => {
  it.each(Object.entries(waysToAsk))(
    '%s whose connection breaks fails as a database that is away',
    async (_way, ask) => {
      const wire = await startTcpProxy(beside.settings.url)
      const database = await connect({ ...beside.settings, url: wire.url, perTransaction })
      const failed = ask(database).catch(problemIn)
      await expect.poll(sleepers).toBe(1)
      wire.cut()
      expect(await failed).toMatchObject({ code: 'service_unavailable' })
      await expect.poll(wake).toBe(0)
      await database.close()
      await wire.close()
    },
  )
})

it('a server that asks for a password says so to who has none, as to who has a wrong one', async () => {
  for (const password of ['', 'wrong']) {
    const url = Object.assign(new URL(beside.settings.url), { password }).href
    const database = await connect({ ...beside.settings, url })
    expect(await database.reader.run(read('select $1::int'), [1]).catch((error) => error)).toMatchObject({
      code: '28P01',
    })
    await database.close()
  }
})

const asleep = 'from pg_stat_activity where datname = current_database() and wait_event = $$PgSleep$$'

async function sleepers(): Promise<number> {
  return (await beside.sql.unsafe(`select 1 ${asleep}`)).length
}

/** The server notices that its client is gone only when it has something to say to it. */
async function wake(): Promise<number> {
  return (await beside.sql.unsafe(`select pg_terminate_backend(pid) ${asleep}`)).length
}
