import { inspect } from 'node:util'
import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { createLog, createRuntime, describeError, newUlid, randomDigits } from '../../src/kit/runtime.ts'
import { insertSandboxMessages } from '../../src/store/channels/sandboxMessage.ts'
import { type Commit, createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { execute } from '../support/statement.ts'

describe('an id', () => {
  const { newId } = createRuntime('silent')

  it("is 26 characters of Crockford's base32", () => {
    for (let i = 0; i < 200; i++) expect(newId()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  })

  it('sorts by its time', () => {
    const moment = fc.integer({ min: 1, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        fc.pre(one !== other)
        expect(newUlid(new Date(one)) < newUlid(new Date(other))).toBe(one < other)
      }),
    )
  })

  it('is made of the present time', () => {
    const before = newUlid(new Date(Date.now() - 1))
    const id = newId()
    expect(before < id).toBe(true)
    expect(id < newUlid(new Date(Date.now() + 1))).toBe(true)
  })

  it('cannot be guessed from others of its moment: every letter may stand in each of 16 places', () => {
    const moment = new Date()
    const ids = Array.from({ length: 2000 }, () => newUlid(moment))
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids.map((id) => id.slice(0, 10))).size).toBe(1)
    for (let place = 10; place < 26; place++) expect(new Set(ids.map((id) => id[place])).size).toBe(32)
  })
})

describe('random digits', () => {
  it.each([1, 4, 5, 6, 7, 8])('are %i when asked for that many, leading zeros kept', (count) => {
    for (let i = 0; i < 500; i++) expect(randomDigits(count)).toMatch(new RegExp(`^\\d{${count}}$`))
  })

  it('are each as likely as any other, in every place', () => {
    const drawn = 20_000
    const predictable = vi.spyOn(Math, 'random')
    const codes = Array.from({ length: drawn }, () => randomDigits(4))
    expect(predictable).not.toHaveBeenCalled()
    predictable.mockRestore()
    for (let place = 0; place < 4; place++) {
      for (const digit of '0123456789') {
        const seen = codes.filter((code) => code[place] === digit).length
        // Seven standard deviations of a fair draw (42 each): a fair one fails in less than one of a billion runs.
        expect(Math.abs(seen - drawn / 10)).toBeLessThan(300)
      }
    }
  })
})

describe('a trace id', () => {
  it('is 32 lower-case hexadecimal digits, another one each time', () => {
    const { newTraceId } = createRuntime('silent')
    const ids = Array.from({ length: 100 }, newTraceId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(100)
  })
})

describe('the log', () => {
  const phone = '+14155550123'
  const code = '918273'

  let postgres: TestDatabase
  const databases: Partial<Record<'postgres' | 'embedded', Database>> = {}
  beforeAll(async () => {
    postgres = await createDatabase()
    databases.postgres = await connect(postgres.settings)
    databases.embedded = await connect({ kind: 'memory' })
  })
  afterAll(async () => {
    for (const database of Object.values(databases)) await database.close()
    await postgres.drop()
  })
  const commitOf = (engine: 'postgres' | 'embedded'): Commit => {
    const database = databases[engine]!
    return createCommit(database, commitOptions(database))
  }

  function logged(error: unknown): { line: string; err: { code?: string; cause?: { code?: string } } } {
    const lines: string[] = []
    createLog('info', { write: (line) => void lines.push(line) }).error({ err: error }, 'failed')
    expect(lines).toHaveLength(1)
    return { line: lines[0]!, err: JSON.parse(lines[0]!).err }
  }

  const table = sql`create temporary table sms (phone text primary key, code text not null) on commit drop`
  const insert = (text: string | null) => sql`insert into sms values (${phone}, ${text})`
  const failures: { title: string; state: string; statements: SQL[] }[] = [
    { title: 'breaks a not-null constraint', state: '23502', statements: [table, insert(null)] },
    { title: 'breaks a unique index', state: '23505', statements: [table, insert(code), insert(code)] },
    { title: 'holds what is no number', state: '22P02', statements: [sql`select ${`${code} ${phone}`}::text::int`] },
    { title: 'holds what is no JSON', state: '22P02', statements: [sql`select ${`"${phone}" ${code}`}::text::jsonb`] },
    { title: 'is no SQL', state: '42601', statements: [sql`select ${sql.raw(code)} ${sql.raw(`'${phone}'`)}`] },
  ]

  describe.each(['postgres', 'embedded'] as const)('of a statement that fails (%s)', (engine) => {
    it.each(failures)('has its SQL state and none of its values, when it $title', async ({ state, statements }) => {
      const failing = commitOf(engine).transaction(async (tx) => {
        for (const statement of statements) await execute(tx, statement)
      })
      const error = await failing.then(
        () => expect.unreachable('the statement passed'),
        (error: unknown) => error,
      )
      // The error itself tells: so a log of it as it is would have, too.
      expect(inspect(error)).toContain(phone)
      const { line, err } = logged(error)
      expect(err.cause?.code ?? err.code).toBe(state)
      expect(line).not.toMatch(/4155550123|918273/)
    })

    it('has none of its values when the queue made it', async () => {
      const statement = `select '${phone}'::text, $1::text::int`
      const error = await databases[engine]!.queueDb.executeSql(statement, [code + phone]).then(
        () => expect.unreachable('the statement passed'),
        (error: unknown) => error,
      )
      expect(inspect(error)).toContain(phone)
      expect(logged(error).err.code).toBe('22P02')
      expect(logged(error).line).not.toMatch(/4155550123|918273/)
    })
  })

  it('of a message that cannot be written has neither its phone nor its code', async () => {
    const nobody = null as unknown as string
    const row = { accountId: nobody, id: 'req_1', phone, text: `Your code is ${code}`, at: new Date() }
    const error = await commitOf('postgres')
      .transaction((tx) => insertSandboxMessages(tx, [row]))
      .then(
        () => expect.unreachable('the statement passed'),
        (error: unknown) => error,
      )
    expect(inspect(error)).toContain(phone)
    expect(inspect(error)).toContain(code)
    expect(logged(error).err.code).toBe('23502')
    expect(logged(error).line).not.toMatch(/4155550123|918273/)
  })

  it('has no line of a value that looks like a line of a stack', async () => {
    const text = `Dear Ada,\n    at ${phone} you get ${code}`
    const error = await commitOf('postgres')
      .transaction((tx) => execute(tx, sql`select ${text}::int`))
      .catch((error: unknown) => error)
    expect((error as Error).stack).toContain(`\n    at ${phone}`)
    expect(logged(error).line).not.toMatch(/4155550123|918273/)
    expect(logged(error).line).toContain('runtime.test.ts')
  })

  it.each(['postgres', 'embedded'] as const)('names the constraint that a statement broke (%s)', async (engine) => {
    const failing = commitOf(engine).transaction(async (tx) => {
      for (const statement of [table, insert(code), insert(code)]) await execute(tx, statement)
    })
    expect(logged(await failing.catch((error: unknown) => error)).line).toContain('"sms_pkey"')
  })

  it('has nothing of a text that was taken for JSON', async () => {
    const error = await new Response(`code ${code}`).json().catch((error: unknown) => error)
    expect(String(error)).toContain(code)
    expect(logged(error).line).not.toContain(code)
  })

  it('says of another error what it is, where it happened, and what caused it', () => {
    const error = new TypeError('no such channel', { cause: new Error('refused', { cause: 'a thrown string' }) })
    expect(describeError(error)).toMatchObject({
      type: 'TypeError',
      message: 'no such channel',
      frames: expect.arrayContaining([expect.stringContaining('runtime.test.ts')]),
      cause: { type: 'Error', message: 'refused', cause: { type: 'string' } },
    })
    expect(JSON.stringify(describeError(error))).not.toContain('a thrown string')
  })

  it('is one JSON line, with its time and nothing about the machine', () => {
    expect(JSON.parse(logged(new Error('x')).line)).toEqual({
      level: 50,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      err: expect.any(Object),
      msg: 'failed',
    })
  })
})
