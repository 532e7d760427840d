import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createUnlistedNote } from '../../../src/domain/sending/phones/unlisted.ts'

it('numbers that callers make up count under 51 beginnings, and bring a line an hour for each', () => {
  const counts = new Map<string, number>()
  let [lines, elapsed] = [0, 0]
  const log = pino({}, { write: () => lines++ })
  const note = createUnlistedNote({
    runtime: { log, elapsedMs: () => elapsed },
    count: ({ prefix }) => counts.set(prefix, (counts.get(prefix) ?? 0) + 1),
  })
  for (let index = 0; index < 3000; index++) note(`+1${200 + (index % 600)}5550100`)
  expect([counts.size, lines]).toEqual([51, 51])
  expect([counts.get('+1200'), counts.get('other')]).toEqual([5, 2750])
  elapsed += 3_600_000
  note('+12005550100')
  expect(lines).toBe(52)
})
