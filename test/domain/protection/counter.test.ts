/** What a list of rules has counted: as few rows as can be, bounded, and no number in clear. */
import { describe, expect, it } from 'vitest'
import { listCounters, rowsOfSend, rowsOfVerified, withAdded } from '../../../src/domain/protection/counter.ts'
import { createCounts } from '../../../src/domain/protection/counts.ts'
import { standardList } from '../../../src/domain/protection/standardList.ts'
import { tallyUp } from '../../../src/domain/protection/tally.ts'
import { dayMs, hourMs, minuteMs, noon, repeat, rulesOfList, sendOf } from './sends.ts'

const counters = listCounters(standardList)

describe('the counters of a list', () => {
  it('are one for each thing that is looked at, and three for countries, as the charts have them', () => {
    expect(counters.map(({ id }) => id)).toEqual([
      ...['country:60', 'country:3600', 'country:86400', 'prefix:600', 'ip:3600', 'user:3600'],
    ])
  })

  it('are none for rules that are not there', () => {
    expect(listCounters(rulesOfList({ id: 'countries', by: 'country', allow: ['DE'], do: 'block' }))).toEqual([])
  })

  it('keep a day of each thing beside its hours where a rule asks for its history', () => {
    const over = { constant: 5, max14d: 0.2 }
    const rules = rulesOfList({ id: 'x', by: 'prefix', count: 'unverified', window: '1h', over, do: 'record' })
    expect(listCounters(rules).map(({ id, keepSeconds }) => [id, keepSeconds])).toEqual([
      ['prefix:3600', 25 * 3600],
      ['prefix:86400', 15 * 86_400],
    ])
  })

  it('have no row of a send for what its caller did not say', () => {
    expect(rowsOfSend(counters, sendOf()).map(({ counter }) => counter.by)).toEqual([
      ...['country', 'country', 'country', 'prefix'],
    ])
  })
})

describe('a row', () => {
  it('has the hash of a prefix and four digits, and nobody can put a number together from it', () => {
    const send = sendOf({ prefix: 'hash', number: 'short', ip: 'ip', user: 'user' })
    const text = JSON.stringify([...rowsOfSend(counters, send), ...rowsOfVerified(counters, send)])
    expect(text).not.toContain('151123')
    expect(text).toContain('"numbers":["0000"]')
  })

  it('keeps the newest 64 numbers of its slot, however many there were', () => {
    const rows = Array.from({ length: 5000 }, (_, index) =>
      rowsOfSend(counters, sendOf({ phone: `+49151123${4000 + index}` })),
    )
    const prefixRows = rows.map((list) => list.find(({ counter }) => counter.by === 'prefix')!)
    const { numbers, sends } = prefixRows.reduce((slot, row) => ({ ...row, ...withAdded(slot, row) }))
    expect([sends, numbers.length, numbers.at(-1)]).toEqual([5000, 64, '8999'])
  })

  it('counts a verification in the slot of its send', () => {
    const send = sendOf({ ip: 'i' })
    const [sent, verified] = [rowsOfSend(counters, send), rowsOfVerified(counters, send)]
    expect(verified.map(({ from, counter }) => [from, counter.id])).toEqual(
      sent.map(({ from, counter }) => [from, counter.id]),
    )
    expect(verified.map((row) => [row.sends, row.verified])).toEqual(sent.map(() => [0, 1]))
  })
})

describe('a window', () => {
  const slot = {
    seconds: 3600,
    sends: 60,
    unchecked: 0,
    verified: 30,
    countries: [],
    verifiedCountries: [],
    numbers: [],
  }

  it('has of the slot in which it begins as much as lies in it', () => {
    const slots = [
      { ...slot, from: noon - hourMs },
      { ...slot, from: noon, sends: 10, verified: 0 },
    ]
    expect(tallyUp(slots, noon + 30 * minuteMs, 3600)).toEqual({ sends: 40, unchecked: 0, verified: 15 })
    expect(tallyUp(slots, noon + 59 * minuteMs, 3600).sends).toBeCloseTo(11)
    expect(tallyUp(slots, noon + 30 * minuteMs, 86_400).sends).toBe(70)
  })
})

describe('counters in memory', () => {
  it('let go of what is too old', () => {
    const counts = createCounts(counters)
    repeat(3, (index) => counts.addSend(sendOf({ ip: `ip${index}`, at: noon + index * dayMs })))
    counts.forgetBefore(noon + 2 * dayMs)
    const kept = [0, 1, 2].map((index) => counts.slotsOf('ip:3600', `ip${index}`).length)
    expect(kept).toEqual([0, 1, 1])
    expect(counts.slotsOf('country:86400', 'DE')).toHaveLength(3)
  })
})
