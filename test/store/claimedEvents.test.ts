/** Which of the events that are due for an endpoint are taken first. */
import { expect, it } from 'vitest'
import { claimEvents, type EventClaim } from '../../src/store/webhooks/event.ts'
import { openCommit } from '../support/commit.ts'
import { deliveryStates, giveDeliveries, giveEndpoint, later } from '../support/endpoint.ts'

const { test, commit } = await openCommit()

/** Takes so many of eight events, of which three became due in the last seconds and one is due later. @returns since when they were due */
async function claimed(first: EventClaim['first'], count: number): Promise<number[]> {
  const endpoint = await giveEndpoint(commit)
  const dueSince = [-60, -5, -50, 5, -1, -3600, -3, -40]
  const eventOf = (seconds: number) => `evt_${endpoint.id}_${seconds}`
  const given = dueSince.map((seconds) => ({ event: eventOf(seconds), state: 'due', at: later(seconds) }) as const)
  await giveDeliveries(test.sql, endpoint, ...given)
  const wanted = [{ accountId: endpoint.accountId, endpointId: endpoint.id, count }]
  const got = await commit.transaction((tx) =>
    claimEvents(tx, wanted, { now: later(0), leasedUntil: later(30), first }),
  )
  const leased = (await deliveryStates(test.sql, endpoint)).filter(([, , dueAt]) => Number(dueAt) === Number(later(30)))
  expect(leased.map(([event]) => event).toSorted()).toEqual(got.map(({ eventId }) => eventId).toSorted())
  return got.map(({ eventId }) => Number(/_(-?\d+)$/.exec(eventId)?.[1])).toSorted((one, other) => one - other)
}

it.each([
  { count: 2, list: [-3600, -60] },
  { count: 5, list: [-3600, -60, -50, -40, -5] },
  { count: 9, list: [-3600, -60, -50, -40, -5, -3, -1] },
])('the oldest first: $count', async ({ count, list }) => {
  expect(await claimed('oldest', count)).toEqual(list)
})

it.each([
  { count: 2, list: [-5, -3] },
  { count: 5, list: [-3600, -60, -5, -3, -1] },
  { count: 9, list: [-3600, -60, -50, -40, -5, -3, -1] },
])('what became due in the last seconds first, in its order, then the oldest: $count', async ({ count, list }) => {
  expect(await claimed('recent', count)).toEqual(list)
})
