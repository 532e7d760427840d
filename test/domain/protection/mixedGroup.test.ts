/** A group in which rules refuse some sends and let others pass: what it locks, and in which order. */
import { createSecretKey } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import type { Budget } from '../../../src/domain/protection/budget/budget.ts'
import { createBudgets } from '../../../src/domain/protection/budget/dayBudgets.ts'
import type { Judgements } from '../../../src/domain/protection/judging/judgement.ts'
import { createSendRules } from '../../../src/domain/protection/judging/sendRules.ts'
import { createIdempotency } from '../../../src/domain/sending/idempotency.ts'
import type { SendDraft } from '../../../src/domain/sending/sendSteps.ts'
import { shareSends, unchecked } from '../../../src/domain/sending/verification.ts'
import { newUlid } from '../../../src/kit/runtime.ts'
import { openCommit } from '../../support/commit.ts'
import { testRuntime } from '../../support/runtime.ts'
import { newPhone } from '../../support/server.ts'
import { silence } from '../../support/silence.ts'

const soon = { timeout: 10_000, interval: 10 }
const { test, commit } = await openCommit()
const runtime = testRuntime()
const at = runtime.now()
const owner = { accountId: 'acct_default', mode: 'live' } as const
const [first, second] = [newPhone(), newPhone()]

/** Eve is refused. */
const judgements: Judgements = {
  of: async ({ signals }) => {
    const [act, findings] =
      signals?.user === 'eve' ? (['block', [{ rule: 'user', did: 'block' }]] as const) : (['send', []] as const)
    return { act, findings: [...findings], made: () => {}, end: () => {} }
  },
  addVerified: () => expect.unreachable(),
}

function open() {
  const secrets = createSecrets(['a secret of this test that is long enough'])
  const lookup = { key: createSecretKey(Buffer.alloc(32)), hashedFrom: new Date(0) }
  const idempotency = createIdempotency({ commit, secrets, lookup, runtime })
  const known = { of: () => expect.unreachable() }
  const rules = createSendRules({ known, judgements, events: silence, runtime })
  const budgets = createBudgets({ events: silence })
  const parts = { idempotency, rules, budgets, dispatch: async () => {} }
  return shareSends<SendDraft, { id: string }>(parts, { ...unchecked([]), doneOf: ({ id }) => ({ id }) })
}

function buildDraft(phone: string, user: string, budgets: Budget[] = []): SendDraft {
  return {
    ...{ ...owner, id: `req_${newUlid(at)}`, at, kind: 'notification', phone, keyId: null, route: ['sms'] },
    ...{ status: 'queued', content: Buffer.from('sealed'), expiresAt: null, signals: { user } },
    inForce: { rules: ['one'], budgets } as never,
    judging: { numberKind: 'MOBILE', address: undefined },
  }
}

/** Sends to the first phone, and is refused one to the second, while somebody has a row. @returns the phones that are free then */
async function freeWhile(held: string, budgets?: Budget[]): Promise<string[]> {
  const submit = open()
  const beside = await test.sql.reserve()
  await beside`begin`
  await beside.unsafe(`select from ${held} for update`)
  const sending = Promise.all([submit(buildDraft(second, 'eve', budgets)), submit(buildDraft(first, 'ada', budgets))])
  try {
    await expect.poll(() => test.stuckAt(held.split(' ')[0]!), soon).not.toEqual([])
    const free = await test.sql<{ phone: string }[]>`select phone from phone order by phone for update skip locked`
    return free.map(({ phone }) => phone)
  } finally {
    await beside`commit`
    beside.release()
    expect(await sending).toMatchObject([{ code: 'send_blocked' }, { id: expect.any(String) }])
  }
}

beforeAll(async () => {
  for (const phone of [first, second]) {
    await test.sql`insert into phone (account_id, mode, phone, sent_at) values (${owner.accountId}, ${owner.mode}, ${phone}, '{}')`
  }
})

it('locks the phones of all in their order, of those that it refuses and of the others', async () => {
  expect(await freeWhile(`phone where phone = '${first}'`)).toEqual([second])
})

it('holds its budgets before any phone', async () => {
  const day = at.toISOString().slice(0, 10)
  await test.sql`insert into budget_day (account_id, mode, day, budget, messages, told)
    values (${owner.accountId}, ${owner.mode}, ${`${day}T00:00:00Z`}::text::timestamptz, 'all', 0, 0)`
  expect(await freeWhile('budget_day', [{ id: 'all', messages: 10 }])).toEqual([first, second])
})
