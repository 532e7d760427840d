/** The caps of connections hold over all processes together. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  findTurnUse,
  type HandOverTurn,
  handOverSeconds,
  reserveTurns,
  type WantedTurns,
} from '../../src/store/channels/cap.ts'
import { noCaps, upsertConnections } from '../../src/store/channels/connection.ts'
import { openCommits } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'

const start = Date.parse('2026-11-21T09:00:00.000Z')
const accountId = 'acct_default'
const minuteMs = 60_000
const handOverMs = handOverSeconds * 1000

const { test, commits } = await openCommits()

let count = 0
async function addConnection(): Promise<string> {
  const id = `sim-${++count}`
  await commits[0]!.transaction((tx) => upsertConnections(tx, [newConnection({ id })]))
  return id
}

type Wish = Partial<WantedTurns> & Pick<WantedTurns, 'id' | 'count'>

const take = (list: Wish[], atMs: number, by = 0): Promise<HandOverTurn[][]> =>
  commits[by]!.transaction((tx) =>
    reserveTurns(
      tx,
      list.map((one) => ({ accountId, ...noCaps, ...one })),
      new Date(atMs),
    ),
  )
const takeOne = async (wish: Wish, atMs: number) => (await take([wish], atMs))[0]!
const grantedIn = (turns: HandOverTurn[]) => turns.filter(({ isGranted }) => isGranted).length
const dayUse = (id: string, perDay: number, atMs: number) =>
  findTurnUse(commits[0]!.reader, { accountId, id, ...noCaps, perDay }, new Date(atMs))

it('gives at once what the minute allows, and says when each of the others is free', async () => {
  const id = await addConnection()
  const first = await takeOne({ id, perMinute: 3, count: 2 }, start)
  expect(first).toEqual([
    { freeAt: new Date(start), isGranted: true, isOfDay: false },
    { freeAt: new Date(start), isGranted: true, isOfDay: false },
  ])
  const second = await takeOne({ id, perMinute: 3, count: 4 }, start + 1000)
  expect(second.map(({ freeAt, isGranted }) => [freeAt.getTime() - start, isGranted])).toEqual([
    [1000, true],
    [minuteMs + handOverMs, false],
    [minuteMs + handOverMs, false],
    [minuteMs + handOverMs + 1000, false],
  ])
})

it('says that it is the day that is used up, how much of it is, and when a message is free again', async () => {
  const id = await addConnection()
  await takeOne({ id, perMinute: 10, perDay: 4, count: 3 }, start)
  expect(await dayUse(id, 4, start + 1)).toMatchObject({ day: 3, freeAt: null })
  const [granted, refused] = await takeOne({ id, perMinute: 10, perDay: 4, count: 2 }, start + minuteMs)
  const freeAt = new Date(start + 24 * 60 * minuteMs + handOverMs)
  expect([granted?.isGranted, refused]).toEqual([true, { freeAt, isGranted: false, isOfDay: true }])
  expect(await dayUse(id, 4, start + minuteMs)).toMatchObject({ day: 4, freeAt })
  expect(await dayUse(id, 4, freeAt.getTime())).toMatchObject({ day: 1, freeAt: null })
})

it('counts what was before a cap was raised, and forgets what is older than a day', async () => {
  const id = await addConnection()
  expect(grantedIn(await takeOne({ id, perDay: 3, count: 5 }, start))).toBe(3)
  expect(grantedIn(await takeOne({ id, perDay: 5, count: 5 }, start + minuteMs))).toBe(2)
  const later = start + 26 * 60 * minuteMs
  expect(grantedIn(await takeOne({ id, perDay: 5, count: 5 }, later))).toBe(5)
  const [kept] = await test.sql`select count(*)::int from connection_turn where connection = ${id}`
  expect(kept).toEqual({ count: 5 })
})

it('goes on when the clock was set back, after no longer than a window', async () => {
  const id = await addConnection()
  const wish = { id, perMinute: 2, count: 2 }
  await takeOne(wish, start + 30 * 24 * 60 * minuteMs)
  expect(grantedIn(await takeOne(wish, start))).toBe(0)
  expect(grantedIn(await takeOne(wish, start + minuteMs + handOverMs))).toBe(2)
})

it('has none for a connection that is gone, and keeps none of it', async () => {
  const id = await addConnection()
  const lists = await take(
    [
      { id: 'gone', perDay: 1, count: 1 },
      { id, perDay: 1, count: 1 },
    ],
    start,
  )
  expect(lists.map(grantedIn)).toEqual([0, 1])
  await test.sql`delete from connection where id = ${id}`
  expect(await test.sql`select from connection_turn where connection = ${id}`).toEqual([])
})

it('holds in any minute, hour and day, whichever processes ask at once, and whenever they do', async () => {
  const caps = fc.record({
    perMinute: fc.option(fc.integer({ min: 1, max: 6 })),
    perHour: fc.option(fc.integer({ min: 1, max: 20 })),
    perDay: fc.option(fc.integer({ min: 1, max: 40 })),
  })
  const waits = [0, 500, 30_000, minuteMs, 20 * minuteMs, 5 * 60 * minuteMs, 30 * 60 * minuteMs]
  const moments = fc.array(
    fc.record({
      afterMs: fc.constantFrom(...waits),
      counts: fc.array(fc.nat({ max: 8 }), { minLength: 3, maxLength: 3 }),
    }),
    { minLength: 10, maxLength: 25 },
  )
  await fc.assert(
    fc.asyncProperty(caps, moments, async (own, asked) => {
      const id = await addConnection()
      const given: number[] = []
      let at = start
      for (const { afterMs, counts } of asked) {
        at += afterMs
        const lists = await Promise.all(counts.map((wished, by) => take([{ id, ...own, count: wished }], at, by)))
        given.push(...lists.flatMap(([turns = []]) => Array.from({ length: grantedIn(turns) }, () => at)))
      }
      const windows = [
        [own.perMinute, minuteMs],
        [own.perHour, 60 * minuteMs],
        [own.perDay, 24 * 60 * minuteMs],
      ] as const
      for (const [cap, windowMs] of windows) {
        if (cap === null) continue
        const crowded = given.filter(
          (moment, index) => (given[index + cap] ?? Infinity) - moment < windowMs + handOverMs,
        )
        expect({ cap, windowMs, crowded }).toEqual({ cap, windowMs, crowded: [] })
      }
    }),
    { numRuns: 12 },
  )
})
