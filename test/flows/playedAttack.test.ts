/** What the rules did to an attack when it came, and what a replay says of it afterwards. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHonest, type PlayedSend } from '../../scripts/attack/honest.ts'
import { createChance } from '../../scripts/attack/random.ts'
import { replay } from '../../src/domain/protection/replay/replay.ts'
import { writtenRule } from '../../src/domain/protection/rule.ts'
import { standardList } from '../../src/domain/protection/standardList.ts'
import { startServer, type TestServer } from '../support/server.ts'

const code = '135790'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  server.runtime.randomDigits = (count) => code.repeat(2).slice(0, count)
})
afterAll(() => server.close())

it('a replay finds of each recorded send exactly what was found when it was sent', async () => {
  const begin = server.runtime.now().getTime()
  const { id: accountId } = await server.app.accounts.require('default')
  await server.app.protections.apply(accountId, { rules: standardList.map(writtenRule), fail: 'open', budgets: [] })
  const sent: string[] = []
  for (const { at, phone, ip, user, verifiedAfter } of sendsFrom(begin)) {
    // The clock alone: nothing is sent here, and no job has to become due.
    server.runtime.advance((at - server.runtime.now().getTime()) / 1000)
    const body = { phone, signals: { ip, user_id: user } }
    const { status, data } = await server.live.post<{ request_id: string }>('/v1/verify/send', body)
    // Some people come back within a minute: the limits of their phone refuse that.
    if (status === 429) continue
    sent.push(data.request_id)
    if (verifiedAfter === undefined) continue
    expect(await server.live.check(data.request_id, code)).toMatchObject({ verified: true })
  }

  const rows = await server.query<{ id: string; findings: { rule: string }[] | null }>(
    sql`select id, findings from message where account_id = ${accountId} order by id`,
  )
  expect(rows.map(({ id }) => id)).toEqual(sent)
  const recorded = rows.flatMap(({ findings }) => (findings ?? []).map(({ rule }) => rule))
  const byCountry = ['country-day', 'country-hour']
  expect(new Set(recorded)).toEqual(new Set([...byCountry, 'prefix-hour', 'sequence', 'ip-hour', 'ip-day']))

  const reads = {
    codes: (span: Parameters<typeof server.app.replays.codes>[1]) => server.app.replays.codes(accountId, span),
    countryDays: (span: Parameters<typeof server.app.replays.countryDays>[1]) =>
      server.app.replays.countryDays(accountId, span),
    verifiedPhones: (span: Parameters<typeof server.app.replays.codes>[1]) =>
      server.app.replays.verifiedPhones(accountId, span),
  }
  const until = server.runtime.now().getTime() + 1000
  const { rules, codes } = await replay(reads, { rules: standardList, since: begin, until })
  expect(codes).toBe(sent.length)
  const found = Object.fromEntries(rules.map(({ rule, found }) => [rule, found]))
  const counted = standardList.map(({ id }) => [id, recorded.filter((rule) => rule === id).length])
  expect(found).toEqual(Object.fromEntries(counted))
})

/** An hour of honest people, and within it numbers that count up, from one address. */
function sendsFrom(begin: number): PlayedSend[] {
  const chance = createChance(3)
  const people = createHonest(chance).day(begin - (begin % 86_400_000))
  const honest = people.filter(({ at }) => at >= begin && at < begin + 3_600_000)
  const attack = Array.from({ length: 60 }, (_, index) => ({
    ...{ at: begin + 1_200_000 + index * 11_000, phone: `+9477123${4000 + index}`, country: 'LK' },
    ...{ ip: '192.0.2.1', user: `user-${index}`, verifiedAfter: undefined, isHonest: false },
  }))
  return [...honest, ...attack].toSorted((one, other) => one.at - other.at)
}
