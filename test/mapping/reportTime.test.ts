/** Times as gateways write them, read on a machine whose own zone is another one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReadTime, zoneFault } from '../../src/mapping/reportTime.ts'

const { TZ: zoneBefore } = process.env
beforeEach(() => {
  process.env.TZ = 'Asia/Tokyo'
})
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

const read = (text: string | undefined, zone?: string) => {
  const ms = createReadTime(zone)(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

describe('the time of a report', () => {
  it.each([
    ['1795860000', '2026-11-28T10:00:00.000Z'],
    ['1795860000.25', '2026-11-28T10:00:00.250Z'],
    ['1795860000250', '2026-11-28T10:00:00.250Z'],
    ['1795860000250999', '2026-11-28T10:00:00.250Z'],
    ['2026-11-28T10:00:00Z', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28T10:00:00.123456Z', '2026-11-28T10:00:00.123Z'],
    ['2026-11-28T13:00:00.000+0300', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28 13:00:00 +03', '2026-11-28T10:00:00.000Z'],
    ['Sat, 28 Nov 2026 13:00:00 +0300', '2026-11-28T10:00:00.000Z'],
    ['28 Nov 2026 10:00 GMT', '2026-11-28T10:00:00.000Z'],
  ])('that names its zone, or needs none, is the same in any: %s', (text, time) => {
    expect([read(text), read(text, 'America/Sao_Paulo')]).toEqual([time, time])
  })

  it.each([
    '2026-11-28 10:00:00',
    '2026-11-28T10:00:00',
    '2026-11-28T10:00',
    '2026/11/28 10:00:00',
    '2026-11-28 10:00:00,000',
    '20261128100000',
    '202611281000',
    '261128100000',
    '2611281000',
    '28 Nov 2026 10:00:00',
    'Sat, 28 Nov 2026 10:00:00',
  ])('that names none is of the zone that the file says, and UTC without one: %s', (text) => {
    expect(read(text)).toBe('2026-11-28T10:00:00.000Z')
    expect(read(text, '+03:00')).toBe('2026-11-28T07:00:00.000Z')
    expect(read(text, 'America/Sao_Paulo')).toBe('2026-11-28T13:00:00.000Z')
  })

  it.each([
    ['2026-07-01 12:00:00', '2026-07-01T10:00:00.000Z'],
    ['2026-12-01 12:00:00', '2026-12-01T11:00:00.000Z'],
    ['2026-03-29 01:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29 03:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 03:00:00', '2026-10-25T02:00:00.000Z'],
  ])('is in summer time where the zone has one: %s', (text, time) => expect(read(text, 'Europe/Berlin')).toBe(time))

  it.each([
    undefined,
    '',
    'yesterday',
    '11/12/2026 10:00:00',
    '12.11.2026 10:00',
    '2026-13-01 10:00:00',
    '10:00',
    '2026 UTC',
  ])('that can be read in two ways, or not at all, is none: %s', (text) =>
    expect(read(text, 'Europe/Berlin')).toBe(undefined),
  )
})

describe('a zone', () => {
  it.each(['UTC', '+03:00', '-09:30', 'America/Sao_Paulo', 'Asia/Kolkata'])('is taken: %s', (zone) =>
    expect(zoneFault(zone)).toBe(undefined),
  )
  it.each(['local', 'Brasilia', '3', 'UTC+3'])('that is none is refused in words: %s', (zone) =>
    expect(zoneFault(zone)).toBe('must be UTC, an offset like +03:00, or a time zone like America/Sao_Paulo'),
  )
})
