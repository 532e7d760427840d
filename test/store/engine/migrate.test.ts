/** Which databases a version works with, whatever other versions have made of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { findNeeded, type Migration, requireUsable, whenFree } from '../../../src/store/engine/migrate.ts'
import { createDatabase } from '../../support/database.ts'

describe.each(['postgres', 'memory'] as const)('a database (%s)', (kind) => {
  let database: Database
  let drop = async () => {}
  beforeAll(async () => {
    const test = kind === 'postgres' ? await createDatabase() : undefined
    database = await connect(test?.settings ?? { kind: 'memory' })
    drop = async () => test?.drop()
    await database.migrate()
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })
  const ask = async (text: string) => (await database.queueDb.executeSql(text)).rows
  const needs = () => ask('select migration::int as migration, queue from drizzle.needs')

  it('to which a newer version has added something is worked with', async () => {
    await ask(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer version', 9e15)`)
    await ask('alter table account add column of_a_newer_version text')
    await database.migrate()
    await requireUsable(database.reader)
    await ask(`delete from drizzle.__drizzle_migrations where hash = 'of a newer version'`)
  })

  it.each([
    ['tables', 'migration = 9e12'],
    ['the tables of the queue', 'queue = 9999'],
  ])('in which a newer version has changed %s for good is refused, and left as it is', async (_what, change) => {
    await ask(`update drizzle.needs set ${change}, made_by = '7.0.0'`)
    const before = await ask('select * from drizzle.needs')
    const refusal =
      /^Watchword 7\.0\.0 has changed the database so that .* Start Watchword 7\.0\.0 or a newer one, [^\n]*$/
    await expect(database.migrate()).rejects.toThrow(refusal)
    await expect(requireUsable(database.reader)).rejects.toThrow(refusal)
    expect(await ask('select * from drizzle.needs')).toEqual(before)
    await ask(`update drizzle.needs set migration = 0, queue = 1`)
  })

  it('of an older version, or from before this was written down, gets to know what it needs', async () => {
    await ask('update drizzle.needs set migration = 0, queue = 1')
    await database.migrate()
    const raised = await needs()
    expect(raised).toEqual([{ migration: expect.any(Number), queue: 40 }])
    await ask('drop table drizzle.needs')
    await database.migrate()
    expect(await needs()).toEqual(raised)
  })
})

it('a migration whose process is gone without a word keeps what it has locked for half a minute', async () => {
  const { sql, settings, drop } = await createDatabase()
  await sql.unsafe(`create table bound (statement text, idle text);
    create function tell() returns event_trigger language plpgsql as $$ begin insert into bound values
      (current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')); end $$;
    drop table drizzle.needs;
    create event trigger tell on ddl_command_end when tag in ('CREATE TABLE') execute function tell()`)
  const database = await connect(settings)
  await database.migrate()
  expect(await sql`select distinct * from bound`).toEqual([{ statement: '0', idle: '30s' }])
  await database.close()
  await drop()
})

describe('what a database needs', () => {
  const migration = (when: number, tag: string, text = ''): Migration => ({ when, tag, text })

  it('is nothing, where migrations only add', () => {
    expect(
      findNeeded([migration(1, 'start', 'create'), migration(2, 'more', '-- old code works: nobody reads it')]),
    ).toBe(0)
  })

  it('is the newest migration that another one cannot do without', () => {
    const [start, wide, later] = [migration(1, 'start'), migration(2, 'wide'), migration(3, 'later')]
    const narrow = migration(4, 'narrow', '-- old code needs wide: from there on nobody reads it\nALTER ...')
    expect(findNeeded([start, wide, later, narrow])).toBe(2)
    const last = migration(5, 'last', 'SELECT 1;\n-- old code needs start: …\n-- old code needs later: …\n')
    expect(findNeeded([start, wide, later, narrow, last])).toBe(3)
  })

  it('is not a migration that nobody knows', () => {
    expect(() => findNeeded([migration(1, 'start', '-- old code needs nothing: …')])).toThrow('which is not there')
  })
})

describe('a migration', () => {
  const failing = (code: string) => {
    let tries = 0
    const work = async () => {
      tries += 1
      throw new Error('a statement failed', { cause: Object.assign(new Error('of the database'), { code }) })
    }
    return { work, tries: () => tries }
  }

  it.each([
    ['is held by a backup', '55P03'],
    ['is locked in another order', '40P01'],
  ])('of a table that %s is given up after a while, and what to do is said', async (_what, code) => {
    await expect(whenFree(failing(code).work, 0)).rejects.toThrow(
      /locked them for a minute: .* Try again when that is over\.$/,
    )
  })

  it('that is wrong is not tried again', async () => {
    const { work, tries } = failing('42601')
    await expect(whenFree(work)).rejects.toThrow('a statement failed')
    expect(tries()).toBe(1)
  })
})
