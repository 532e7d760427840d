/** What processes write down of a connection that they share: of those that take messages, and those that hear reports. */
import { expect, it } from 'vitest'
import { findMissingReports } from '../../src/domain/channels/missingReports.ts'
import {
  type ConnectionNews,
  findConnections,
  noteNews,
  upsertConnections,
} from '../../src/store/channels/connection.ts'
import { openCommit } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'

const { test, database, commit } = await openCommit()
const at = (second: number) => new Date(Date.parse('2026-11-21T09:00:00.000Z') + second * 1000)

let accounts = 0

async function newAccount() {
  accounts += 1
  const accountId = `acct_${accounts}`
  await test.sql`insert into account (id, name, name_key, created_at) values (${accountId}, ${accountId}, ${accountId}, ${at(0)})`
  await commit.transaction((tx) => upsertConnections(tx, [newConnection({ accountId, id: 'sms' })]))
  const note = (news: Partial<ConnectionNews>) =>
    commit.transaction((tx) =>
      noteNews(tx, {
        ...{ accountId, id: 'sms', revision: 'first', takenAt: undefined, balance: undefined, reportedAt: undefined },
        unreported: { count: 0, since: undefined },
        ...news,
      }),
    )
  const row = async () => (await findConnections(database.reader, [accountId]))[0]![0]!
  return {
    note,
    row,
    /** So many messages, taken in these seconds. */
    take: (count: number, from: number, to: number) =>
      note({ takenAt: at(to), unreported: { count, since: at(from) } }),
    report: (second: number) => note({ reportedAt: at(second) }),
    missing: async (second: number) => findMissingReports(await row(), at(second))?.messages,
  }
}

it('says that reports are missing after fifty messages that had two minutes for theirs', async () => {
  const { take, missing } = await newAccount()
  await take(49, 0, 50)
  expect(await missing(120)).toBe(undefined)
  await take(1, 110, 110)
  expect([await missing(119), await missing(120)]).toEqual([undefined, 50])
})

it('counts what processes took together at once, each message once', async () => {
  const { take, row } = await newAccount()
  await Promise.all(Array.from({ length: 20 }, (_, second) => take(3, second, second)))
  expect(await row()).toMatchObject({ takenAt: at(19), unreportedCount: 60, unreportedSince: expect.any(Date) })
})

it('begins anew with each report, whichever process hears it and whichever writes last', async () => {
  const { take, report, note, missing, row } = await newAccount()
  await take(60, 0, 50)
  await report(55)
  expect(await row()).toMatchObject({ reportedAt: at(55), unreportedCount: 0, unreportedSince: null })
  // Taken before that report, written later.
  await take(60, 5, 54)
  expect(await row()).toMatchObject({ unreportedCount: 0, unreportedSince: null })
  // Some of these before it, some after.
  await take(60, 30, 90)
  expect(await row()).toMatchObject({ unreportedCount: 60, unreportedSince: at(55) })
  // An older report than the one that is known, and what one process took after its own.
  await note({ takenAt: at(100), reportedAt: at(40), unreported: { count: 3, since: at(95) } })
  expect(await row()).toMatchObject({ reportedAt: at(55), unreportedCount: 3, unreportedSince: at(95) })
  expect([await missing(3694), await missing(3695)]).toEqual([undefined, 3])
})

it('takes a message for reported whose report has overtaken the answer', async () => {
  const { take, report, missing } = await newAccount()
  await report(0)
  await take(3, 2, 2)
  expect(await missing(86_400)).toBe(undefined)
})

it('keeps what it is not told, and writes nothing of settings that have changed', async () => {
  const { note, row } = await newAccount()
  await note({ takenAt: at(1), balance: 12.5, reportedAt: at(2) })
  await note({ takenAt: at(3) })
  await note({ takenAt: at(9), revision: 'older' })
  expect(await row()).toMatchObject({ takenAt: at(3), balance: 12.5, reportedAt: at(2) })
})
