/** Who has a turn when more is due than a connection may be asked for. */
import { beforeAll, expect, it } from 'vitest'
import type { OpenConnection } from '../../src/delivery/openConnections.ts'
import { createPace, type Slot } from '../../src/delivery/turns/pace.ts'
import { upsertConnections } from '../../src/store/channels/connection.ts'
import { reserveSlots } from '../../src/store/channels/pace.ts'
import { openCommit } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const waitingMax = 10
const perSecond = 2

const { test, commit } = await openCommit({ waitingMax })
const pace = createPace({ commit, runtime: { now: () => now } })
beforeAll(async () => {
  const rows = ['behind', 'beside', 'both', 'many', 'a-held', 'b-free'].map((id) => newConnection({ id }))
  await commit.transaction((tx) => upsertConnections(tx, rows))
})

/** Asks for so many turns at once. */
const turns = (id: string, kind: 'verification' | 'notification', count: number): Promise<Slot[]> => {
  const connection = { accountId: 'acct_default', id, channel: { perSecond } } as OpenConnection
  return Promise.all(Array.from({ length: count }, () => pace(connection, kind)))
}
const waitsOf = (slots: Slot[]) =>
  slots.map(({ waitMs, afterSeconds }) => (afterSeconds === undefined ? waitMs : 'none'))

it('a code has its turn though notifications have all that are near', async () => {
  expect(waitsOf(await turns('behind', 'notification', 6))).toEqual([0, 500, 1000, 1500, 'none', 'none'])
  expect(waitsOf(await turns('behind', 'verification', 2))).toEqual([2000, 2500])
  expect(waitsOf(await turns('behind', 'notification', 1))).toEqual(['none'])
  expect(waitsOf(await turns('behind', 'verification', 3))).toEqual([3000, 3500, 'none'])
})

it('codes come before the notifications of the same moment', async () => {
  const [notifications, codes] = await Promise.all([
    turns('beside', 'notification', 4),
    turns('beside', 'verification', 3),
  ])
  expect(waitsOf(codes)).toEqual([0, 500, 1000])
  expect(waitsOf(notifications)).toEqual([1500, 'none', 'none', 'none'])
})

it('a moment has codes and notifications of several connections', async () => {
  const [codes, notifications, others] = await Promise.all([
    turns('both', 'verification', 1),
    turns('both', 'notification', 1),
    turns('many', 'notification', 1),
  ])
  expect([codes, notifications, others].map(waitsOf)).toEqual([[0], [500], [0]])
})

it('a moment that waits for one connection keeps nobody from another', async () => {
  const held = Promise.withResolvers<void>()
  const wanted = { accountId: 'acct_default', id: 'a-held', perSecond, count: 1 }
  const holding = commit.transaction(async (tx) => {
    await reserveSlots(tx, [wanted], now, 1000)
    await held.promise
  })
  const waiting = Promise.all([turns('b-free', 'verification', 1), turns('a-held', 'notification', 1)])
  await expect.poll(() => test.stuckAt('next_at'), { interval: 10 }).toHaveLength(1)
  let isThrough = false
  const another = commit.transaction(async (tx) => {
    await reserveSlots(tx, [{ ...wanted, id: 'b-free' }], now, 1000)
    isThrough = true
  })
  try {
    await expect.poll(() => isThrough, { interval: 10 }).toBe(true)
  } finally {
    held.resolve()
    await Promise.all([holding, waiting, another])
  }
})

it('keeps the place in line of every message, also of more at once than may wait for the database', async () => {
  const slots = await turns('many', 'verification', 3 * waitingMax)
  expect(slots).toHaveLength(3 * waitingMax)
  expect(slots.at(-1)?.afterSeconds).toBeGreaterThan(10)
})
