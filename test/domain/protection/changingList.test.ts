/** Sends that come together, some before and some after the list of their account was read again. */
import { createSecretKey } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJudgements } from '../../../src/domain/protection/judging/judgement.ts'
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
  const judgements = createJudgements({ commit, runtime, key, known, judgeMs: 60_000 })
  const owner = { accountId, mode: 'live' } as const
  const apply = (rules: WrittenRule[]) =>
    server.app.protections.apply(accountId, { rules, fail: 'open', budgets: [] }, 'we are being pumped')
  /** The list, once what is remembered of it is too old. */
  const readAgain = () => {
    runtime.advance(6)
    return known.of(owner)
  }
  const hour = new Date(Math.floor(runtime.now().getTime() / 3_600_000) * 3_600_000).toISOString()
  /** One send of the user in this hour. */
  const count = (user: string) =>
    server.query(sql`insert into protection_count (key, slot, part, sends, unchecked, verified, ends_at)
      values (${`${accountId}/live/user:3600/${user}`}, ${hour}::timestamptz, 0, 1, 0, 0, ${hour}::timestamptz + interval '2 days')`)
  const actsOf = async (user: string, lists: readonly RulesInForce[]) => {
    const judged = await judgements.of(
      lists.map((inForce) => sendToJudge({ ...owner, at: runtime.now(), country: 'US', signals: { user }, inForce })),
    )
    return judged.map(({ act }) => act)
  }
  return { apply, readAgain, count, actsOf }
}

it('a list that is read again and is the same has one count for all that come together', async () => {
  const { apply, readAgain, count, actsOf } = await accountWithList()
  await apply([oneADay])
  const [before, after] = [await readAgain(), await readAgain()]
  await count('eve')
  expect(await actsOf('eve', [before, after])).toEqual(['block', 'block'])
  expect(await actsOf('ada', [before, after])).toEqual(['send', 'block'])
})

it('a list that has changed meanwhile is judged by what was counted before', async () => {
  const { apply, readAgain, count, actsOf } = await accountWithList()
  await apply([oneADay])
  const before = await readAgain()
  await apply([{ ...oneADay, id: 'user-daily' }])
  const after = await readAgain()
  await count('eve')
  expect(await actsOf('eve', [before, after])).toEqual(['block', 'block'])
})
