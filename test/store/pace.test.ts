/** The pace of connections holds over all processes together. */
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { upsertConnections } from '../../src/store/channels/connection.ts'
import { reserveSlots, type Slots, type WantedSlots } from '../../src/store/channels/pace.ts'
import { openCommits } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'

const start = Date.parse('2026-11-21T09:00:00.000Z')
const horizonMs = 1000
const accountId = 'acct_default'

const { commits } = await openCommits()

async function addConnections(...ids: string[]): Promise<void> {
  await commits[0]!.transaction((tx) =>
    upsertConnections(
      tx,
      ids.map((id) => newConnection({ id })),
    ),
  )
}

function reserve(list: WantedSlots[], atMs: number, by = 0): Promise<(Slots | undefined)[]> {
  return commits[by]!.transaction((tx) => reserveSlots(tx, list, new Date(atMs), horizonMs))
}

const one = (id: string, perSecond: number, count: number): WantedSlots => ({ accountId, id, perSecond, count })

/** The moment of each slot, in milliseconds. */
function momentsOf({ granted, firstAt }: Slots, perSecond: number): number[] {
  return Array.from({ length: granted }, (_, index) => firstAt.getTime() + (index * 1000) / perSecond)
}

it('gives out as many slots as there are in the time ahead, one after the other', async () => {
  await addConnections('alone')
  expect(await reserve([one('alone', 4, 3)], start)).toEqual([{ granted: 3, firstAt: new Date(start) }])
  expect(await reserve([one('alone', 4, 3)], start)).toEqual([{ granted: 1, firstAt: new Date(start + 750) }])
  expect(await reserve([one('alone', 4, 3)], start)).toEqual([{ granted: 0, firstAt: new Date(start + 1000) }])
  expect(await reserve([one('alone', 4, 3)], start + 300)).toEqual([{ granted: 2, firstAt: new Date(start + 1000) }])
})

it('gives nobody the slots that went by unused', async () => {
  await addConnections('idle')
  await reserve([one('idle', 10, 1)], start)
  expect(await reserve([one('idle', 10, 100)], start + 60_000)).toEqual([
    { granted: 10, firstAt: new Date(start + 60_000) },
  ])
})

it('knows a pace of less than one in a second', async () => {
  await addConnections('slow')
  expect(await reserve([one('slow', 0.5, 5)], start)).toEqual([{ granted: 1, firstAt: new Date(start) }])
  expect(await reserve([one('slow', 0.5, 5)], start + 900)).toEqual([{ granted: 0, firstAt: new Date(start + 2000) }])
  expect(await reserve([one('slow', 0.5, 5)], start + 1100)).toEqual([{ granted: 1, firstAt: new Date(start + 2000) }])
})

it('gives nothing away twice to one who comes with a time of long ago', async () => {
  await addConnections('late')
  await reserve([one('late', 10, 5)], start + 30_000)
  expect(await reserve([one('late', 10, 5)], start)).toEqual([{ granted: 0, firstAt: new Date(start + 30_500) }])
})

it('goes on when the clock was set back', async () => {
  await addConnections('clock')
  await reserve([one('clock', 10, 5)], start + 86_400_000)
  expect(await reserve([one('clock', 10, 5)], start)).toEqual([{ granted: 5, firstAt: new Date(start) }])
})

it('has nothing to give for a connection that is gone', async () => {
  await addConnections('there')
  expect(await reserve([one('gone', 10, 5), one('there', 10, 5)], start)).toEqual([
    undefined,
    { granted: 5, firstAt: new Date(start) },
  ])
})

it('is kept by all processes together, however many ask for several connections in any order', async () => {
  const paces: Record<string, number> = { fast: 80, odd: 7, single: 1, huge: 1000 }
  const ids = Object.keys(paces)
  await addConnections(...ids)
  const moments = new Map(ids.map((id) => [id, [] as number[]]))
  const [callersMax, roundsMax, lengthMs] = [24, 20, 4000]
  let asked = 0
  const callers = Array.from({ length: callersMax }, async (_, caller) => {
    for (let round = 0; round < roundsMax; round++) {
      const wanted = (round % 3 === 0 ? ids.toReversed() : ids).filter(
        (_id, index) => (caller + round + index) % 4 !== 0,
      )
      const list = wanted.map((id) => one(id, paces[id]!, 1 + ((caller * 7 + round) % 50)))
      // Each clock is a little wrong, in its own way.
      const at = start + Math.floor((asked++ * lengthMs) / (callersMax * roundsMax)) + (caller % 5) - 2
      const given = await reserve(list, at, caller % commits.length)
      for (const [index, slots] of given.entries()) {
        const { id, perSecond } = list[index]!
        expect(slots!.granted).toBeLessThanOrEqual(list[index]!.count)
        const made = momentsOf(slots!, perSecond)
        expect(made.filter((moment) => moment < at || moment > at + horizonMs + 1)).toEqual([])
        moments.get(id)!.push(...made)
      }
      await setTimeout(0)
    }
  })
  await Promise.all(callers)
  for (const [id, list] of moments) {
    const sorted = list.toSorted((a, b) => a - b)
    const perSecond = paces[id]!
    // Moments are rounded to milliseconds: two can come nearer to each other by one.
    const crowded = sorted.filter((moment, index) => sorted[index + perSecond]! - moment < 999)
    expect({ id, crowded }).toEqual({ id, crowded: [] })
    expect(sorted.length).toBeGreaterThan((lengthMs / 1000) * perSecond * 0.9)
  }
})
