/** How often it is written down what a connection did last. */
import { expect, it } from 'vitest'
import { createPulses } from '../../src/delivery/pulse.ts'
import { findConnections, upsertConnections } from '../../src/store/channels/connection.ts'
import type { Commit } from '../../src/store/engine/commit.ts'
import { openCommit } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'
import { testRuntime } from '../support/runtime.ts'

const { test, database, commit } = await openCommit()
const { log, now } = testRuntime()

it('a thousand messages and reports cost two writes: one for what was taken, one for a report', async () => {
  const accountId = 'acct_1'
  await test.sql`insert into account (id, name, name_key, created_at) values (${accountId}, 'one', 'one', ${now()})`
  await commit.transaction((tx) => upsertConnections(tx, [newConnection({ accountId, id: 'sms' })]))
  const writes: Promise<unknown>[] = []
  const transaction: Commit['transaction'] = (work) => {
    const write = commit.transaction(work)
    writes.push(write)
    return write
  }
  const pulse = createPulses({ commit: { transaction }, log })({ accountId, id: 'sms', revision: 'first' })
  const row = async () => (await findConnections(database.reader, [accountId]))[0]![0]!
  for (let n = 0; n < 1000; n++) pulse.taken(now(), { channel: { isReported: true } })
  await Promise.all(writes)
  expect([writes.length, await row()]).toMatchObject([1, { takenAt: now(), unreportedCount: 1, reportedAt: null }])
  for (let n = 0; n < 1000; n++) {
    pulse.reported(now())
    pulse.taken(now(), { channel: { isReported: true } })
  }
  await Promise.all(writes)
  expect([writes.length, await row()]).toMatchObject([2, { unreportedCount: 0, reportedAt: now() }])
  await pulse.stop()
})
