/** A process that judges sends, with what it knows and with its counts: several of them share a database. */
import { createSecretKey } from 'node:crypto'
import { createJudgements } from '../../../src/domain/protection/judging/judgement.ts'
import { createSharedCounts } from '../../../src/domain/protection/judging/sharedCounts.ts'
import { createKnownRules } from '../../../src/domain/protection/known.ts'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import type { Commit } from '../../../src/store/engine/commit.ts'
import type { ProtectionRow } from '../../../src/store/protection/list.ts'
import { testRuntime } from '../../support/runtime.ts'
import { newPhone } from '../../support/server.ts'
import { oneADay } from './sends.ts'
import { sendToJudge } from './toJudge.ts'

export const threeADay: WrittenRule = { ...oneADay, over: { constant: 3 } }

export interface ProcessOptions {
  commit?: Commit
  rules?: WrittenRule[]
}

export async function openJudging({ commit, rules = [threeADay] }: ProcessOptions & { commit: Commit }) {
  const runtime = testRuntime()
  const row: ProtectionRow = { rules, fail: 'open', budgets: [], appliedAt: 0 }
  const read = { ...commit, shareReads: () => async () => row } as unknown as Commit
  const owner = { accountId: 'acct_default', mode: 'live' } as const
  const inForce = await createKnownRules({ commit: read, runtime }).of(owner)
  const counts = createSharedCounts({ commit, runtime, subjectsMax: 1000 })
  const judgements = createJudgements({ commit, runtime, key: createSecretKey(Buffer.alloc(32)), counts })
  /** @param beforeMade after it was judged. @returns whether it is sent */
  const send = async (
    user: string,
    { beforeMade, ...given }: { phone?: string; country?: string; beforeMade?: () => Promise<unknown> } = {},
  ) => {
    const { act, made, end } = await judgements.of(
      sendToJudge({ ...owner, at: runtime.now(), signals: { user }, inForce, ...given }),
    )
    await beforeMade?.()
    if (act === 'send') made()
    end()
    return act === 'send'
  }
  const sendMany = async (user: string, count: number) => {
    const sent = await Promise.all(Array.from({ length: count }, () => send(user)))
    return sent.filter(Boolean).length
  }
  /** A code that was sent to that user is right. */
  const verify = (user: string) => {
    const right = { ...owner, phone: newPhone(), country: 'DE', signals: { user }, sentAt: runtime.now(), inForce }
    return commit.transaction(async (tx) => judgements.addVerified(tx, [right]))
  }
  return { runtime, send, sendMany, verify, exchange: counts.exchange, close: counts.close }
}
