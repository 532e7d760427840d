/** Reads of counts that take too long: sends go on without them, and leave the database's connections to what makes sends. */
import { createSecretKey } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createJudgements } from '../../../src/domain/protection/judging/judgement.ts'
import { createKnownRules } from '../../../src/domain/protection/known.ts'
import type { Commit } from '../../../src/store/engine/commit.ts'
import type { ProtectionRow } from '../../../src/store/protection/list.ts'
import { testRuntime } from '../../support/runtime.ts'
import { oneADay } from './sends.ts'
import { sendToJudge } from './toJudge.ts'

const row: ProtectionRow = { rules: [oneADay], fail: 'open', budgets: [], appliedAt: 0 }
const owner = { accountId: 'acct_default', mode: 'live' } as const

/** A database whose reads of counts wait until `release`, and then find nothing. */
function slowDatabase() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  let reads = 0
  const run = async () => {
    reads += 1
    await promise
    return []
  }
  const commit = { reader: { run }, shareReads: () => async () => row } as unknown as Commit
  return { commit, release, reads: () => reads }
}

it.each([
  ['three go on', 20, 3],
  ['with two connections, one goes on', 2, 1],
])(
  'of reads that nobody waits for any more, %s; then no send asks until they have ended',
  async (_, connections, most) => {
    const { commit, release, reads } = slowDatabase()
    const runtime = testRuntime()
    const known = createKnownRules({ commit, runtime })
    const key = createSecretKey(Buffer.alloc(32))
    const judgements = createJudgements({ commit, runtime, key, known, judgeMs: 1, connections })
    const inForce = await known.of(owner)
    const findings = async () => {
      const [judged] = await judgements.of([sendToJudge({ ...owner, at: runtime.now(), inForce })])
      return judged!.findings
    }

    for (let sent = 0; sent < 6; sent++) expect(await findings()).toEqual([{ rule: 'unjudged', did: 'record' }])
    expect(reads()).toBe(most)
    release()
    await nextTurn()
    expect(await findings()).toEqual([])
    expect(reads()).toBe(most + 1)
  },
)
