/** Tables in parts, when operators change settings and when others hold the tables for long. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createParts } from '../src/domain/partition.ts'
import { leastUlid } from '../src/runtime.ts'
import { listProofs } from '../src/store/partition.ts'
import { startServer, type TestServer } from './support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const until = (time: string) => server.advance((Date.parse(time) - server.runtime.now().getTime()) / 1000)

it('nothing is refused when a backup begins while a part is made, and takes half a day', async () => {
  if (!server.database) return
  await until('2026-11-21T21:00Z')
  const { commit, runtime } = server
  const backup = await server.database.sql.reserve()
  let isBegun = false
  const transaction: typeof commit.transaction = async (work) => {
    const done = await commit.transaction(work)
    if (!isBegun) await backup`begin isolation level repeatable read`
    if (!isBegun) await backup`select count(*) from leg, message`
    isBegun = true
    return done
  }
  await createParts({ commit: { ...commit, transaction }, runtime, retentionDays: 30 })(new Date(0), () => false)
  expect(await listProofs(commit.reader, 'leg')).toHaveLength(1)
  await until('2026-11-22T08:59Z')
  const id = `req_${leastUlid(new Date('2026-11-22T08:59Z'))}`
  const kept = server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
    values ('acct_default', ${id}, 'wa', 'first')`)
  const outcome = await kept.then(
    () => 'kept',
    (error: unknown) => error,
  )
  await backup`rollback`
  backup.release()
  expect(outcome).toBe('kept')
  expect(await createParts({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)).toMatchObject({
    partsHeld: 0,
  })
  expect(await listProofs(commit.reader, 'leg')).toEqual([])
}, 30_000)
