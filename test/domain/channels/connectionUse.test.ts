/** Which stored connections a process can use as it was started. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { entriesMax } from '../../../src/domain/channels/connectionEntry.ts'
import { createFindUnusable, readConnection } from '../../../src/domain/channels/connectionUse.ts'
import type { Connection } from '../../../src/store/channels/connection.ts'
import { countTurns } from '../../support/turns.ts'

let turns: ReturnType<typeof countTurns>
beforeAll(() => {
  turns = countTurns()
})
afterAll(() => turns.end())

const rowOf = (id: string, settings: object, revision = '1') =>
  ({ accountId: 'acct_default', id, kind: 'gate', revision, settings, byPerson: false }) as unknown as Connection

/** Notes in which turn of the process settings were read. */
function watchedReader() {
  const readIn: number[] = []
  const settings = z.strictObject({ url: z.literal('https://open.example'), from: z.literal('Acme') })
  const open = (row: Connection) => {
    readIn.push(turns.now())
    return { settings: row.settings as object }
  }
  return { parts: { kinds: { gate: { settings } }, open }, readIn }
}

const good = { url: 'https://open.example', from: 'Acme' }

it('a full list is read one connection in a turn, and again only what was applied since', async () => {
  const { parts, readIn } = watchedReader()
  const findUnusable = createFindUnusable(parts)
  const rows = Array.from({ length: entriesMax }, (_, n) => rowOf(`gate-${n}`, n === 3 ? { ...good, url: 'no' } : good))
  expect([...(await findUnusable(rows))]).toEqual([
    [rows[3], expect.stringMatching(/^its settings are refused: url: /)],
  ])
  expect(new Set(readIn).size).toBe(entriesMax)
  const mended = rowOf('gate-3', good, '2')
  expect((await findUnusable(rows.with(3, mended))).size).toBe(0)
  expect(readIn).toHaveLength(entriesMax + 1)
})

it('the reason that goes into each timeline names the first fault alone; a check is told all', () => {
  const found = readConnection(watchedReader().parts, rowOf('gate', {}))
  expect(found).toEqual({
    unusable: 'its settings are refused: url: is missing',
    inFull: 'its settings are refused: url: is missing; from: is missing',
  })
})
