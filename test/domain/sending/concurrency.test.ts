/** What must hold when everything comes at once: three processes' worth of the service on one PostgreSQL. */
import { createSecretKey } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import type { Channel } from '../../../src/delivery/channel.ts'
import { createReceipts } from '../../../src/delivery/receipts.ts'
import { createReportRoom } from '../../../src/delivery/reports/reportRoom.ts'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import { createBudgets } from '../../../src/domain/protection/budget/dayBudgets.ts'
import { createJudgements } from '../../../src/domain/protection/judging/judgement.ts'
import { createSendRules } from '../../../src/domain/protection/judging/sendRules.ts'
import { createSharedCounts } from '../../../src/domain/protection/judging/sharedCounts.ts'
import { createKnownRules } from '../../../src/domain/protection/known.ts'
import { createIdempotency } from '../../../src/domain/sending/idempotency.ts'
import { liveLimits } from '../../../src/domain/sending/limit.ts'
import { createMove } from '../../../src/domain/sending/message.ts'
import { createVerifications } from '../../../src/domain/sending/verification.ts'
import { noWording } from '../../../src/domain/sending/wordings/known.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Mode } from '../../../src/store/schema/schema.ts'
import type { CheckData, Client } from '../../support/client.ts'
import { countingDeadlocks } from '../../support/commit.ts'
import { testConfig } from '../../support/config.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { noOptOuts, silence } from '../../support/silence.ts'
import { execute } from '../../support/statement.ts'

/** A slow machine may take its time: what counts here is not how long it takes. */
const overrides = { groups: { waitMs: 20_000, workMs: 20_000 } }
/** All of it comes with the same key in a moment: what the rate of a key refuses is not what counts here. */
const config = { keyRatePerSecond: 10_000, keyBurst: 10_000 }

let server: TestServer
let other: TestServer
let third: TestServer
let lives: Client[]
let tests: Client[]
beforeAll(async () => {
  server = await startServer({ overrides, config })
  other = await startServer({ overrides, config, beside: server })
  third = await startServer({ overrides, config, beside: server })
  const [live, test] = [await server.key({ mode: 'live' }), await server.key()]
  lives = [server.as(live), other.as(live), third.as(live)]
  tests = [server.as(test), other.as(test), third.as(test)]
})
afterAll(async () => {
  await third.close()
  await other.close()
  await server.close()
})

/** Does it `count` times at once, in turns by the processes. */
function atOnce<T>(clients: Client[], count: number, work: (client: Client) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => work(clients[i % clients.length] as Client)))
}

function tally(values: unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}

const reasonOf = ({ verified, reason }: CheckData) => (verified ? 'verified' : reason)

it('200 wrong guesses at once count as exactly as many as are allowed', async () => {
  for (const [length, allowed] of [
    [6, 5],
    [4, 3],
  ] as const) {
    const id = await server.test.send(newPhone(), { length })
    const outcomes = await atOnce(tests, 200, (client) => client.check(id, '1'.repeat(length)))
    expect(tally(outcomes.map(reasonOf))).toEqual({
      incorrect_code: allowed - 1,
      attempts_exhausted: 200 - allowed + 1,
    })
    const left = outcomes.map((outcome) => outcome.attempts_remaining).filter((count) => count)
    expect(left.sort()).toEqual(Array.from({ length: allowed - 1 }, (_, i) => i + 1))
  }
})

it('200 right answers at once verify exactly once', async () => {
  const id = await server.test.send(newPhone())
  const outcomes = tally((await atOnce(tests, 200, (client) => client.check(id, '000000'))).map(reasonOf))
  expect(outcomes.verified).toBe(1)
  expect(outcomes.incorrect_code).toBe(undefined)
  const [row] = await server.query(sql`select cardinality(wrong_at) as wrong from phone p
    where verification_id = ${id}`)
  expect(row).toEqual({ wrong: 0 })
})

it('wrong guesses at once over the requests of one phone stop at ten', async () => {
  const phone = newPhone()
  const rounds: number[] = []
  for (let round = 0; round < 3; round++) {
    const id = await lives[0]?.send(phone)
    const answers = await atOnce(lives, 40, (client) =>
      client.post('/v1/verify/check', { request_id: id, code: `${round}99999`.slice(0, 6) }),
    )
    const compared = answers.filter(({ status, data }) => status === 200 && data.reason === 'incorrect_code')
    rounds.push(compared.length)
    await server.advance(60)
  }
  // The fifth wrong code of a request is told as attempts_exhausted.
  expect(rounds).toEqual([4, 4, 0])
})

it.each([
  ['over three processes', () => lives],
  ['in one process', () => lives.slice(0, 1)],
])('100 sends at once to one live phone pass exactly once (%s)', async (_where, clients) => {
  const phone = newPhone()
  const answers = await atOnce(clients(), 100, (client) => client.post('/v1/verify/send', { phone }))
  expect(tally(answers.map((answer) => answer.data.code ?? answer.status))).toEqual({ 200: 1, resend_cooldown: 99 })
  for (const { status, data } of answers) if (status === 429) expect(data.retry_after).toBeGreaterThan(50)
  const sent = await server.query(sql`select id from message where phone = ${phone}`)
  expect(sent).toHaveLength(1)
})

it('sends that are refused make no work for anybody, and say how long to wait', async () => {
  const phone = newPhone()
  await server.live.post('/v1/verify/send', { phone })
  const jobs = () => server.query(sql`select id from pgboss.job`)
  const before = await jobs()
  const answers = await atOnce([server.live], 20, (client) => client.post('/v1/verify/send', { phone }))
  expect(tally(answers.map(({ data }) => data.code))).toEqual({ resend_cooldown: 20 })
  for (const { data } of answers) expect(data.retry_after).toBeGreaterThan(50)
  expect(await jobs()).toEqual(before)
})

it('100 notifications at once to one live phone stop at 60', async () => {
  const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } }
  const answers = await atOnce(lives, 100, (client) => client.post('/v1/notifications/send', body))
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 60, 429: 40 })
  for (const { status, data } of answers) if (status === 429) expect(data.retry_after).toBeGreaterThan(3500)
})

it('100 sends at once with one idempotency key make exactly one message', async () => {
  const phone = newPhone()
  const answers = await atOnce(tests, 100, (client) =>
    client.post('/v1/verify/send', { phone }, { 'Idempotency-Key': 'at-once' }),
  )
  const sent = answers.filter(({ status }) => status === 200)
  expect(new Set(sent.map(({ text }) => text)).size).toBe(1)
  for (const { status, data } of answers) {
    if (status !== 200) expect({ status, code: data.code }).toEqual({ status: 409, code: 'idempotency_in_progress' })
  }
  expect(await server.query(sql`select id from message where phone = ${phone}`)).toHaveLength(1)
})

it('of 100 test sends at once to one phone, one code is pending and works', async () => {
  const phone = newPhone()
  const ids = await atOnce(tests, 100, (client) => client.send(phone))
  const carried = await server.query(sql`select id from message where phone = ${phone} and content is not null`)
  expect(carried).toHaveLength(1)
  const outcomes = await Promise.all(ids.map((id) => server.test.check(id, '000000')))
  expect(tally(outcomes.map(reasonOf))).toEqual({ verified: 1, superseded: 99 })
})

it('each code that others replace at once while workers die is delivered or ends as replaced', async () => {
  const listening = await listenTo(server)
  const phones = Array.from({ length: 12 }, newPhone)
  let isOver = false
  const workers = [server, other, third].map(async ({ app }) => {
    while (!isOver) await app.worker.runOnce()
  })
  /** Of a worker that claims a job, and dies. */
  const deaths = async () => {
    while (!isOver)
      await server.query(sql`update pgboss.job set state = 'active', started_on = now() where id in
        (select id from pgboss.job where state = 'created' and name = 'deliver-sandbox' limit 1 for update skip locked)`)
  }
  const dying = deaths()
  const ids = (await Promise.all(phones.map((phone) => atOnce(tests, 8, (client) => client.send(phone))))).flat()
  isOver = true
  await Promise.all([...workers, dying])
  const lost = await server.query(sql`update pgboss.job set state = 'retry', started_on = null
    where state = 'active' and name = 'deliver-sandbox' returning id`)
  expect(lost).not.toEqual([])
  await server.work()
  await listening.close()

  const rows = await server.query<{ id: string; phone: string; became: string; isTaken: boolean }>(sql`
    select id, phone, concat_ws(' ', status, error_code) as became, taken_at is not null as "isTaken" from message
    where id = any (string_to_array(${ids.join(' ')}, ' '))`)
  const told = Map.groupBy(listening.events(), ({ data }) => ('request_id' in data ? data.request_id : ''))
  for (const { id, became, isTaken } of rows) {
    expect(became).toBe(isTaken ? 'delivered' : 'failed superseded')
    const types = told.get(id)?.map(({ type }) => type)
    expect(types?.toSorted()).toEqual(isTaken ? ['message.delivered', 'message.sent'] : ['message.failed'])
  }
  const pending = await server.query<{ id: string }>(sql`select verification_id as id from phone
    where phone = any (string_to_array(${phones.join(' ')}, ' '))`)
  const delivered = new Set(rows.filter(({ isTaken }) => isTaken).map(({ id }) => id))
  expect(rows).toHaveLength(phones.length * 8)
  expect(pending.filter(({ id }) => !delivered.has(id))).toEqual([])
  expect(delivered.size).toBeLessThan(rows.length)
})

describe('of 20 at once, of which one is poisoned', () => {
  /** Has the seventh of the ids that are made next be one that is there already. */
  async function poison(): Promise<void> {
    const taken = (await server.test.send(newPhone())).slice('req_'.length)
    const { newId } = server.runtime
    let made = 0
    vi.spyOn(server.runtime, 'newId').mockImplementation(() => (++made === 7 ? taken : newId()))
  }
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each([
    ['sends', '/v1/verify/send', {}],
    ['notifications', '/v1/notifications/send', { template: 'welcome', variables: { name: 'Ada' } }],
  ])('that one fails alone, and has done nothing: %s', async (_what, path, more) => {
    const phones = Array.from({ length: 20 }, newPhone)
    await poison()
    const [{ kept: keptBefore } = { kept: 0 }] = await server.query<{ kept: number }>(
      sql`select count(*)::int as kept from idempotency`,
    )
    const answers = await Promise.all(
      phones.map((phone) =>
        server.live.post(path, { phone, ...more }, { 'Idempotency-Key': `poisoned-${phone.slice(1)}` }),
      ),
    )
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 19, 500: 1 })
    const guilty = phones[answers.findIndex(({ status }) => status === 500)] as string
    const counts = await server.query(sql`select
      (select count(*)::int from message where phone in ${phones}) as messages,
      (select count(*)::int from phone where phone in ${phones}) as phones,
      (select count(*)::int - ${keptBefore} from idempotency) as keys,
      (select count(*)::int from phone where phone = ${guilty}) as guilty`)
    expect(counts).toEqual([{ messages: 19, phones: 19, keys: 19, guilty: 0 }])
    await server.work()
    const [row] = await server.query(sql`select count(*)::int as count, max(delivery_attempts)::int as attempts
      from message where status = 'delivered' and phone in ${phones}`)
    expect(row).toEqual({ count: 19, attempts: 1 })
  })
})

it('workers side by side hand every message over once', async () => {
  const phones = Array.from({ length: 60 }, newPhone)
  await Promise.all(
    phones.map((phone) =>
      server.test.post('/v1/notifications/send', { phone, template: 'welcome', variables: { name: 'Ada' } }),
    ),
  )
  await Promise.all([server.work(), other.work(), server.work(), other.work()])
  await server.work()
  const [row] = await server.query(sql`select count(*)::int as count, max(delivery_attempts)::int as attempts
    from message where status = 'delivered' and phone in ${phones}`)
  expect(row).toEqual({ count: 60, attempts: 1 })
})

describe('who locks several rows at once waits for others, and never in a circle', () => {
  /** @returns how many deadlocks it met */
  async function deadlocksOf(work: (commit: Commit) => Promise<unknown>): Promise<number> {
    const { database, deadlocks } = countingDeadlocks(await connect(server.database!.settings))
    await work(createCommit(database, { ...commitOptions(database), ...overrides.groups }))
    await database.close()
    return deadlocks()
  }
  const accountId = 'acct_default'
  const move = createMove({ dispatch: async () => {}, events: silence, optOuts: noOptOuts })
  const settle = (commit: Commit, list: string[]) =>
    commit.transaction((tx) => {
      const at = server.runtime.now()
      return move(
        tx,
        list.map((id) => ({ accountId, id, status: 'delivered', at })),
      )
    })
  const verificationsOn = (commit: Commit) => {
    const secrets = createSecrets([...testConfig(server.database!.settings).secrets!])
    const { runtime } = server
    const lookup = { key: createSecretKey(Buffer.alloc(32)), hashedFrom: new Date(0) }
    const known = createKnownRules({ commit, runtime })
    const idempotency = createIdempotency({ commit, secrets, lookup, runtime })
    const counts = createSharedCounts({ commit, runtime, subjectsMax: 1000 })
    const judgements = createJudgements({ commit, runtime, key: lookup.key, counts })
    return createVerifications({
      idempotency,
      secrets,
      lookup,
      rules: createSendRules({ known, judgements, events: silence, runtime }),
      budgets: createBudgets({ events: silence }),
      runtime,
      policy: { limits: liveLimits } as never,
      commit,
      dispatch: async () => {},
      move: createMove({ dispatch: async () => {}, events: silence, optOuts: noOptOuts }),
      confirm: { isWished: async () => false, add: async () => {} },
      events: silence,
      wordingOf: async () => ({ ...noWording, brand: null, cooldownSeconds: null }),
      orderReceipt: async () => undefined,
    })
  }
  const sendMany = (client = server.test) => Promise.all(Array.from({ length: 40 }, () => client.send(newPhone())))

  it('who settles messages, and who reports of them', async () => {
    const ids = await sendMany()
    const at = server.runtime.now()
    const provider: Channel = {
      send: () => expect.unreachable(),
      verify: () => true,
      parse: (body) =>
        (JSON.parse(body.toString()) as string[]).map((id) => ({
          message: { accountId, id },
          status: 'delivered',
          at,
        })),
    }
    const deadlocks = await deadlocksOf((commit) => {
      const room = createReportRoom({ runtime: server.runtime, receiptsPerSecond: 1000 })
      const parts = { channelOf: async () => provider, queued: provider, room }
      const { accept } = createReceipts({ commit, queue: {} as never, move, ...parts })
      const report = (list: string[]) =>
        accept({ accountId, connection: 'sandbox' }, { headers: {}, body: Buffer.from(JSON.stringify(list)) })
      const orders = [ids, ids.toReversed(), [...ids.slice(20), ...ids.slice(0, 20)]]
      return Promise.all(
        orders.flatMap((list) => [settle(commit, list), report(list), settle(commit, list), report(list)]),
      )
    })
    expect(deadlocks).toBe(0)
  }, 60_000)

  it.each([
    ['none', () => false],
    ['every second one', (place: number) => place % 2 === 1],
  ])(
    'who checks codes, and who settles their messages, where the end of %s is told',
    async (_which, isTold) => {
      let deadlocks = 0
      for (let round = 0; round < 5; round++) {
        const ids = (await sendMany()).toSorted()
        const told = ids.filter((_id, place) => isTold(place)).join(' ')
        await server.query(sql`update message set awaited = true where id = any (string_to_array(${told}, ' '))`)
        deadlocks += await deadlocksOf(async (commit) => {
          const { check } = verificationsOn(commit)
          const caller = { accountId, keyId: 'k', mode: 'test' as const, scopes: [] }
          await Promise.all([
            ...ids.toReversed().map((id) => check({ caller, id, code: '000000' })),
            ...Array.from({ length: 4 }, () => settle(commit, ids)),
          ])
        })
      }
      expect(deadlocks).toBe(0)
    },
    60_000,
  )

  it('who checks codes of test keys and then of live keys, and who checks them the other way round', async () => {
    const callerOf = (mode: Mode) => ({ accountId, keyId: 'k', mode, scopes: [] })
    let deadlocks = 0
    for (let round = 0; round < 6; round++) {
      const [tested, live] = [await sendMany(), await sendMany(lives[0])]
      const guesses = [
        ...tested.map((id) => ({ caller: callerOf('test'), id, code: '111111' })),
        ...live.map((id) => ({ caller: callerOf('live'), id, code: '111111' })),
      ]
      const met = [guesses, guesses.toReversed()].map((list) =>
        deadlocksOf((commit) => Promise.all(list.map(verificationsOn(commit).check))),
      )
      for (const count of await Promise.all(met)) deadlocks += count
    }
    expect(deadlocks).toBe(0)
  }, 60_000)
})

it('two uses of a key after 24 hours, in two processes at once, get a new answer', async () => {
  const phone = newPhone()
  const headers = { 'Idempotency-Key': 'again-a-day-later' }
  const ask = () => tests[0]!.post('/v1/verify/send', { phone }, headers)
  expect((await ask()).status).toBe(200)
  await server.advance(24 * 3600)
  const { answer } = await server.commit.transaction(async (tx) => {
    // The other process has the key, and has written nothing that others see.
    await execute(
      tx,
      sql`select pg_try_advisory_xact_lock(hashtextextended(
      replace(json_build_array(account_id, mode, operation, 'again-a-day-later')::text, '", "', '","'), 0)) from idempotency`,
    )
    return { answer: await ask() }
  })
  expect(answer).toMatchObject({ status: 409, data: { code: 'idempotency_in_progress' } })
})
