import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arrayText } from '../../../src/store/engine/arrayText.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const element = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'NULL', '{', '}', ',', '"', '\\', '\\"', ' a '),
)
const storable = element.filter((text) => !text.includes('\0') && text.isWellFormed())

it('is read by PostgreSQL as the list that it was made of, whatever its elements hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(storable)), async (list) => {
      const [row] = await database.sql<{ read: unknown }[]>`select to_json(${arrayText(list)}::text::text[]) as read`
      expect(row?.read).toEqual(list)
    }),
    { numRuns: 300 },
  )
})

it('has numbers and truth values as PostgreSQL writes them', async () => {
  const [row] = await database.sql`select ${arrayText([1, -2.5, 1e21])}::text::float8[] as numbers,
    to_json(${arrayText([true, false, undefined])}::text::boolean[]) as booleans`
  expect(row).toEqual({ numbers: [1, -2.5, 1e21], booleans: [true, false, null] })
})
