/** What a transaction promises beside its statements. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { ConnectionFailed } from '../../../src/store/engine/failure.ts'
import { connectPostgres } from '../../../src/store/engine/postgres/postgres.ts'
import { read, type Tx, write } from '../../../src/store/engine/session.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let opened: Database
let commit: Commit
beforeAll(async () => {
  database = await createDatabase()
  opened = await connect(database.settings)
  commit = createCommit(opened, commitOptions(opened))
  await database.sql`create table note (text text not null)`
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const insert = write('insert into note values ($1)')
const notes = async () => (await database.sql<{ text: string }[]>`select text from note`).map(({ text }) => text)

it('a hint comes when the commit is acknowledged, and not before', async () => {
  const hints: string[] = []
  await commit.transaction(async (tx) => {
    tx.atCommit(insert, ['kept'])
    tx.afterCommit(() => hints.push('one'))
    tx.afterCommit(() => hints.push('another'))
    await tx.run(insert, ['kept too'])
    expect(hints).toEqual([])
  })
  expect(hints).toEqual(['one', 'another'])
  expect((await notes()).toSorted()).toEqual(['kept', 'kept too'])
})

it('a hint does not come when the commit fails, and once when it is tried again', async () => {
  const hints: number[] = []
  const failing = commit.transaction(async (tx) => {
    tx.afterCommit(() => hints.push(0))
    tx.atCommit(insert, [null])
  })
  await expect(failing).rejects.toMatchObject({ code: '23502' })
  let tries = 0
  await commit.transaction(async (tx) => {
    tries += 1
    const number = tries
    tx.afterCommit(() => hints.push(number))
    if (number === 1) throw Object.assign(new Error('deadlock'), { code: '40P01', severity: 'ERROR' })
  })
  expect(hints).toEqual([2])
})

const insertReturning = write<{ text: string }>('insert into note values ($1) returning text')

it.each([false, true])(
  'a transaction that is still sees one moment, and writes nothing (behind a pooler: %s)',
  async (perTransaction) => {
    const beside = await connect({ ...database.settings, perTransaction })
    const { transaction } = createCommit(beside, commitOptions(beside))
    const countNotes = read<{ count: number }>('select count(*)::int as count from note')
    const still = { isStill: true }
    await transaction(async (tx) => {
      const before = await tx.run(countNotes, [])
      await database.sql`insert into note values ('meanwhile')`
      expect(await tx.run(countNotes, [])).toEqual(before)
    }, still)
    await expect(transaction((tx) => tx.run(insert, ['written']), still)).rejects.toMatchObject({ code: '25006' })
    await transaction((tx) => tx.run(insert, ['written']))
    await beside.close()
  },
)

it.each([false, true])(
  'a transaction that is long has no bound in time, nor has its commit (behind a pooler: %s)',
  async (perTransaction) => {
    const bounded = connectPostgres({ ...database.settings, perTransaction, statementMs: 300 })
    const { transaction } = createCommit(bounded, commitOptions(bounded))
    // Longer than the server waits, and the driver, which waits a second more.
    await database.sql.unsafe(`create or replace function rest() returns trigger language plpgsql as
      $$ begin perform pg_sleep(1.6); return null; end $$`)
    await database.sql.unsafe(`create constraint trigger rest after insert on note deferrable initially deferred
      for each row when (new.text = 'slow') execute function rest()`)
    const rest = read('select pg_sleep(1.6)')
    const resting = expect(transaction((tx) => tx.run(rest, []))).rejects.toMatchObject({ code: '57014' })
    // To what is done at the end PostgreSQL sets no bound.
    const slow = async (tx: Tx) => tx.atCommit(insert, ['slow'])
    await expect(transaction(slow)).rejects.toBeInstanceOf(ConnectionFailed)
    await resting
    const isLong = true
    await Promise.all([transaction((tx) => tx.run(rest, []), { isLong }), transaction(slow, { isLong })])
    await database.sql`drop trigger rest on note`
    expect(await notes()).toContain('slow')
    await database.sql`delete from note where text = 'slow'`
    await bounded.close()
  },
)

describe('what is sent last', () => {
  it('is committed when it is answered, with all that was kept for the commit behind it', async () => {
    await commit.transaction(async (tx) => {
      tx.atCommit(insert, ['behind'])
      expect(await tx.runLast(insertReturning, ['last'])).toEqual([{ text: 'last' }])
      expect((await notes()).slice(-2)).toEqual(['last', 'behind'])
    })
  })

  it('leaves nothing when any of it fails', async () => {
    const before = await notes()
    const failing = commit.transaction(async (tx) => {
      tx.atCommit(insert, [null])
      await tx.runLast(insert, ['lost'])
    })
    await expect(failing).rejects.toMatchObject({ code: '23502' })
    expect(await notes()).toEqual(before)
  })

  it('has nothing follow it', async () => {
    const following = commit.transaction(async (tx) => {
      await tx.runLast(insert, ['the last'])
      await tx.run(insert, ['one more'])
    })
    await expect(following).rejects.toThrow('the transaction is over')
    expect((await notes()).at(-1)).toBe('the last')
  })
})
