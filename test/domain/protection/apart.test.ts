/** An account of which very much was counted: what takes long to read of it, no other account waits for. */
import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { createJudgements } from '../../../src/domain/protection/judging/judgement.ts'
import { createKnownRules } from '../../../src/domain/protection/known.ts'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import type { Commit } from '../../../src/store/engine/commit.ts'
import type { ProtectionRow } from '../../../src/store/protection/list.ts'
import { testRuntime } from '../../support/runtime.ts'
import { sendToJudge } from './toJudge.ts'

const byUser: WrittenRule = {
  ...{ id: 'user-numbers', by: 'user', count: 'numbers', window: '1h', over: { constant: 40 } },
  do: 'record',
}
const row: ProtectionRow = { rules: [byUser], fail: 'closed', budgets: [], appliedAt: 0 }
const [greedy, quiet] = ['acct_greedy', 'acct_quiet']
const unjudged = [{ rule: 'unjudged', did: 'record' }]

/** Of the greedy account, thousands of numbers were counted. Once `isSlow`, to read them takes for ever. */
function database() {
  const state = { isSlow: false, reads: [] as string[][] }
  const from = Date.parse('2026-11-21T11:50:00Z')
  const ofGreedy = { n: 1, from, sends: 9000, unchecked: 0, verified: 0, countries: '', verifiedCountries: '' }
  const run = async (_: unknown, [keys]: [string[]]) => {
    const accounts = [...new Set(keys.map((key) => key.split('/')[0]!))]
    state.reads.push(accounts)
    if (!accounts.includes(greedy)) return []
    if (state.isSlow) await new Promise(() => {})
    return [{ ...ofGreedy, numbers: Array.from({ length: 9000 }, (_, at) => `n${at}`).join(' ') }]
  }
  return { state, commit: { reader: { run }, shareReads: () => async () => row } as unknown as Commit }
}

it('sends of other accounts are judged while one has counted so much that its own are not', async () => {
  const { state, commit } = database()
  const runtime = testRuntime()
  const known = createKnownRules({ commit, runtime })
  const judgements = createJudgements({ commit, runtime, key: createSecretKey(Buffer.alloc(32)), known, judgeMs: 1 })
  const judged = async (...accounts: string[]) => {
    const list = accounts.map(async (accountId) => {
      const owner = { accountId, mode: 'live' } as const
      return sendToJudge({ ...owner, at: runtime.now(), inForce: await known.of(owner) })
    })
    state.reads.length = 0
    return (await judgements.of(await Promise.all(list))).map(({ act, findings }) => [act, findings])
  }
  const [passed, waits] = [
    ['send', []],
    ['wait', unjudged],
  ]

  await judged(greedy)
  expect(state.reads).toEqual([[greedy]])
  state.isSlow = true
  expect(await judged(greedy, quiet, greedy)).toEqual([waits, passed, waits])
  expect(state.reads).toEqual([[greedy], [quiet]])
  for (let sent = 0; sent < 5; sent++) {
    expect(await judged(greedy, quiet)).toEqual([waits, passed])
    expect(state.reads).toEqual([[quiet]])
  }
  // Nor does it stay apart for ever.
  state.isSlow = false
  runtime.advance(61)
  await judged(greedy, quiet)
  expect(state.reads).toEqual([[greedy, quiet]])
})
