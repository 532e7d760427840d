/** What processes add to the counts of the rules, and what they read of them. */
import { expect, it } from 'vitest'
import { type AddedSlot, addCounts, countKeyOf } from '../../../src/store/protection/count.ts'
import { openCommit } from '../../support/commit.ts'

const { test, commit } = await openCommit()
const from = Date.parse('2026-11-21T09:00:00Z')
const endsAt = Date.parse('2026-11-22T10:00:00Z')
const keyOf = (key: string) => countKeyOf({ accountId: 'acct_default', mode: 'live', counter: 'ip:3600', key })
const none = { unchecked: 0, verified: 0, countries: [], verifiedCountries: [], numbers: [] }

const slotOf = (key: string, given: Partial<AddedSlot> = {}): AddedSlot => ({
  ...{ countKey: keyOf(key), from, endsAt, sends: 1, ...none },
  ...given,
})
const add = (...added: AddedSlot[]) => commit.transaction((tx) => addCounts(tx, { added, asked: [] }))
const read = async (key: string, since = from) => {
  const asked = [{ countKey: keyOf(key), since }]
  const found = await commit.transaction((tx) => addCounts(tx, { added: [], asked }))
  return found.map(({ countKey: _key, ...slot }) => slot)
}

it('adds to what is there already, of each country and number once', async () => {
  await add(slotOf('there', { unchecked: 1, countries: ['DE'], numbers: ['0001'] }))
  await add(slotOf('there', { sends: 2, verified: 1, countries: ['AT', 'DE'], verifiedCountries: ['DE'] }))
  expect(await read('there')).toEqual([
    {
      ...{ from, sends: 3, unchecked: 1, verified: 1 },
      ...{ countries: ['DE', 'AT'], verifiedCountries: ['DE'], numbers: ['0001'] },
    },
  ])
})

it('keeps 64 numbers of a slot, the newest ones', async () => {
  const numbers = Array.from({ length: 100 }, (_, place) => String(place))
  await add(slotOf('sets', { numbers: numbers.slice(0, 60) }))
  await add(slotOf('sets', { numbers: numbers.slice(50, 80) }))
  const [slot] = await read('sets')
  expect(slot!.numbers.length).toBeGreaterThan(50)
  expect(slot!.numbers.length).toBeLessThanOrEqual(64)
  expect(slot!.numbers.slice(-20)).toEqual(numbers.slice(60, 80))
})

it('reads what was there before it adds, and nothing that is too old', async () => {
  await add(slotOf('both'), slotOf('both', { from: from - 3_600_000, sends: 7 }))
  const asked = [{ countKey: keyOf('both'), since: from }]
  const found = await commit.transaction((tx) => addCounts(tx, { added: [slotOf('both', { sends: 10 })], asked }))
  expect(found.map(({ sends }) => sends)).toEqual([1])
  expect((await read('both', from - 3_600_000)).map(({ sends }) => sends)).toEqual([7, 11])
})

it('reads also the parts in which the version before keeps a slot', async () => {
  await add(slotOf('parts'))
  await test.sql`insert into protection_count (key, slot, part, sends, unchecked, verified, ends_at)
    values (${keyOf('parts')}, ${new Date(from)}, 7, 4, 0, 2, ${new Date(endsAt)})`
  const slots = await read('parts')
  expect(slots.reduce((sum, { sends }) => sum + sends, 0)).toBe(5)
})

it('lets processes add to the same slots at once, in whatever order each has counted them', async () => {
  const keys = Array.from({ length: 30 }, (_, place) => `key ${place}`)
  const rounds = Array.from({ length: 20 }, (_, round) => (round % 2 ? keys : keys.toReversed()))
  await Promise.all(rounds.map((list) => add(...list.map((key) => slotOf(key)))))
  for (const key of keys) expect((await read(key)).map(({ sends }) => sends)).toEqual([20])
})
