/**
 * Input that means harm: each kind for itself, then all kinds at once. `HOSTILE_CASES` says how many of the latter there are, and
 * that they are others in each run; `HOSTILE_SEED` repeats one. `npm run test:hostile` has 20,000.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { askAtOnce } from './ask.ts'
import { kinds } from './cases.ts'

const { HOSTILE_CASES, HOSTILE_SEED } = process.env
const total = Number(HOSTILE_CASES ?? 500)
const seed = Number(HOSTILE_SEED ?? (HOSTILE_CASES === undefined ? 1 : Date.now() % 1_000_000_000))
/** Of each kind for itself. */
const ofEach = HOSTILE_CASES === undefined ? 12 : 30
const reportedEvery = 2000
/** Milliseconds for each case, many times what one takes. */
const caseMs = 50

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await server.key({ mode: 'live', scopes: [...scopes, ...extraScopes] })
})
afterAll(() => server.close())

it.each(kinds)('$title: answers as documented, at once, and writes nothing', async ({ cases }) => {
  await fc.assert(
    fc.asyncProperty(cases, (one) => askAtOnce(server, key, [one])),
    { numRuns: ofEach, seed },
  )
})

it(`answers as documented in ${total} cases of all kinds that come together (seed ${seed})`, {
  timeout: 30_000 + total * caseMs,
}, async () => {
  const batch = fc.array(fc.oneof(...kinds.map(({ cases }) => cases)), { minLength: 1, maxLength: 16, size: 'max' })
  const started = performance.now()
  let [asked, reported, round] = [0, 0, 0]
  while (asked < total) {
    await fc.assert(
      fc.asyncProperty(batch, async (cases) => {
        // A failure ends in few cases: those that shrinking leaves.
        await askAtOnce(server, key, cases)
        asked += cases.length
      }),
      { numRuns: 20, seed: seed + round++ },
    )
    if (asked - reported < reportedEvery) continue
    reported = asked
    process.stdout.write(
      `  ${asked} of ${total} hostile cases, ${Math.round((performance.now() - started) / 1000)} s\n`,
    )
  }
  expect(asked).toBeGreaterThanOrEqual(total)
})
