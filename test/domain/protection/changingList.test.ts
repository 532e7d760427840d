/** Sends that come together, some before and some after the list of their account was read again. */
import { createSecretKey } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJudgements } from '../../../src/domain/protection/judging/judgement.ts'
import { createSharedCounts } from '../../../src/domain/protection/judging/sharedCounts.ts'
import { createKnownRules, type RulesInForce } from '../../../src/domain/protection/known.ts'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { oneADay } from './sends.ts'
import { sendToJudge } from './toJudge.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** An account with a list, of which another process knows. */
async function accountWithList() {
  const { id: accountId } = await server.app.accounts.create(`account ${newPhone().slice(1)}`)
  const { commit, runtime } = server
  const known = createKnownRules({ commit, runtime })
  const key = createSecretKey(Buffer.alloc(32))
  const counts = createSharedCounts({ commit, runtime, subjectsMax: 1000 })
  const judgements = createJudgements({ commit, runtime, key, counts })
  const owner = { accountId, mode: 'live' } as const
  const apply = (rules: WrittenRule[]) =>
    server.app.protections.apply(accountId, { rules, fail: 'open', budgets: [] }, 'we are being pumped')
  /** The list, once what is remembered of it is too old. */
  const readAgain = () => {
    runtime.advance(6)
    return known.of(owner)
  }
  const actsOf = async (user: string, lists: readonly RulesInForce[]) => {
    const send = (inForce: RulesInForce) =>
      judgements.of(sendToJudge({ ...owner, at: runtime.now(), country: 'US', signals: { user }, inForce }))
    const judged = await Promise.all(lists.map(send))
    for (const { made } of judged) made()
    return judged.map(({ act }) => act)
  }
  return { apply, readAgain, actsOf, exchange: counts.exchange }
}

it('sends that come while a list is read again have one count', async () => {
  const { apply, readAgain, actsOf } = await accountWithList()
  await apply([oneADay])
  const [before, after] = [await readAgain(), await readAgain()]
  expect(await actsOf('eve', [before, after])).toEqual(['send', 'block'])
})

it('a list that has changed meanwhile is judged by what was counted before', async () => {
  const { apply, readAgain, actsOf, exchange } = await accountWithList()
  await apply([oneADay])
  const before = await readAgain()
  await actsOf('eve', [before])
  // From then on, users are counted in slots of ten minutes.
  const burst = { ...oneADay, id: 'user-burst', window: '10m', over: { constant: 5 } } as const
  await apply([{ ...oneADay, id: 'user-daily' }, burst])
  const after = await readAgain()
  await actsOf('eve', [after])
  await exchange()
  expect(await actsOf('eve', [before, after])).toEqual(['block', 'block'])
})
