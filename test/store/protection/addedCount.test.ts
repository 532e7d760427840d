/** What a group of sends adds to the counts of the rules: exactly those that were made, however many they are. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import {
  addSentCodes,
  addVerified,
  type CountedSend,
  type SendCount,
} from '../../../src/store/protection/addedCount.ts'
import { countKeyOf } from '../../../src/store/protection/count.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { newPhone } from '../../support/server.ts'

let test: TestDatabase
let database: Database
let commit: Commit
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
  commit = createCommit(database, commitOptions(database))
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const owner = { accountId: 'acct_default', mode: 'live' } as const
const slot = Date.parse('2026-11-21T09:00:00Z')
const endsAt = Date.parse('2026-11-22T10:00:00Z')

interface Given extends Partial<SendCount> {
  key: string
}

const countKeyFor = (key: string) => countKeyOf({ ...owner, counter: 'ip:3600', key })

const countOf = ({ key, ...given }: Given): SendCount => ({
  ...{ countKey: countKeyFor(key), slot, endsAt, isUnchecked: false, country: undefined, number: undefined },
  ...given,
})

/** Sends of one transaction; those whose places are in `unmade` are forbidden by a limit of their phone. */
async function add(givens: readonly Given[][], unmade: readonly number[] = []): Promise<void> {
  const list = givens.map(
    (counts): CountedSend => ({ ...owner, phone: newPhone(), id: `req_${newPhone()}`, counted: counts.map(countOf) }),
  )
  for (const [place, { phone, id }] of list.entries()) {
    await test.sql`insert into phone (account_id, mode, phone, verification_id)
      values (${owner.accountId}, ${owner.mode}, ${phone}, ${unmade.includes(place) ? 'req_before' : id})`
  }
  await commit.transaction(async (tx) => addSentCodes(tx, list, 3))
}

const countsOf = async (key: string) => {
  const rows =
    await test.sql`select sends, unchecked, verified, countries, verified_countries as "verifiedCountries", numbers
    from protection_count where key = ${countKeyFor(key)}`
  return rows.map((row) => ({ ...row }))
}
const none = { unchecked: 0, verified: 0, countries: null, verifiedCountries: null, numbers: null }

it('counts each send of a group that was made, and none that a limit forbids', async () => {
  await add([[{ key: 'a' }], [{ key: 'a' }, { key: 'b' }], [{ key: 'a' }, { key: 'c' }]], [1])
  expect(await countsOf('a')).toEqual([{ ...none, sends: 2 }])
  expect(await countsOf('b')).toEqual([])
  expect(await countsOf('c')).toEqual([{ ...none, sends: 1 }])
})

it('adds to what is there already', async () => {
  await add([[{ key: 'there', isUnchecked: true, country: 'DE' }]])
  await add([[{ key: 'there', country: 'AT' }], [{ key: 'there', country: 'DE' }]])
  expect(await countsOf('there')).toEqual([{ ...none, sends: 3, unchecked: 1, countries: ['DE', 'AT'] }])
})

it('keeps the countries and numbers of sends that were made, and of no others', async () => {
  const sent = (country: string, number: string) => [{ key: 'sets', country, number }]
  await add([sent('DE', '0001'), sent('AT', '0002'), sent('FR', '0003'), sent('DE', '0004')], [2])
  const [row] = await countsOf('sets')
  expect(row).toMatchObject({ sends: 3 })
  const { countries, numbers } = row as unknown as { countries: string[]; numbers: string[] }
  expect(new Set(countries)).toEqual(new Set(['DE', 'AT']))
  expect(new Set(numbers)).toEqual(new Set(['0001', '0002', '0004']))
})

it('keeps no country of a send that was not made, also beside one to a number of no country', async () => {
  await add([[{ key: 'nowhere', country: 'DE' }], [{ key: 'nowhere' }]], [0])
  expect(await countsOf('nowhere')).toMatchObject([{ sends: 1, countries: null }])
})

it('counts 150 sends that come at once, of which some are not made, and some not checked here', async () => {
  const all = Array.from({ length: 150 }, (_, place) => place)
  const unmade = all.filter((place) => place % 3 === 0)
  await add(
    all.map((place) => [{ key: 'many', isUnchecked: place % 2 === 0 }, { key: `own ${place}` }]),
    unmade,
  )
  expect(await countsOf('many')).toEqual([{ ...none, sends: 100, unchecked: 50 }])
  const [own] =
    await test.sql`select count(*)::int as rows from protection_count where key like ${`${countKeyFor('own')} %`}`
  expect(own).toEqual({ rows: 100 })
})

it('counts right codes where their sends were counted', async () => {
  await add([[{ key: 'right', country: 'DE' }]])
  const right = (country?: string) => ({ countKey: countKeyFor('right'), slot, endsAt, country })
  await commit.transaction(async (tx) => addVerified(tx, [right('DE'), right('DE'), right('AT'), right()], 3))
  const [row] = await countsOf('right')
  expect(row).toMatchObject({ sends: 1, verified: 4, countries: ['DE'] })
  expect(new Set((row as unknown as { verifiedCountries: string[] }).verifiedCountries)).toEqual(new Set(['DE', 'AT']))
})
