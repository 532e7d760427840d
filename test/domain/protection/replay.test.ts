/** A list of rules, tried on codes that were sent. */
import { beforeAll, describe, expect, it } from 'vitest'
import { commandLine } from '../../../src/domain/access/actor.ts'
import { createCostSum } from '../../../src/domain/protection/replay/cost.ts'
import { createCourse } from '../../../src/domain/protection/replay/course.ts'
import { type Replayed, replay } from '../../../src/domain/protection/replay/replay.ts'
import { createReplaySource } from '../../../src/domain/protection/replay/source.ts'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import type { Commit } from '../../../src/store/engine/commit.ts'
import { openCommit } from '../../support/commit.ts'
import type { TestDatabase } from '../../support/database.ts'
import { insertCodes, type PastCode } from '../../support/sentCodes.ts'
import { dayMs, hourMs, minuteMs, noon, rulesOfList, sendOf } from './sends.ts'

let test: TestDatabase
let commit: Commit
beforeAll(async () => {
  ;({ test, commit } = await openCommit())
})

let accounts = 0
/** Tries rules on codes of an account of their own. */
async function replayOf(rules: WrittenRule[], codes: PastCode[], since = noon - dayMs): Promise<Replayed> {
  const accountId = `acct_${accounts++}`
  await insertCodes(test.sql, accountId, codes)
  return replayed(accountId, rules, since)
}

function replayed(accountId: string, rules: WrittenRule[], since = noon - dayMs): Promise<Replayed> {
  const source = createReplaySource({ commit })
  const reads = {
    codes: (span: Parameters<typeof source.codes>[2]) => source.codes(commandLine, accountId, span),
    countryDays: (span: Parameters<typeof source.countryDays>[2]) => source.countryDays(commandLine, accountId, span),
    verifiedPhones: (span: Parameters<typeof source.codes>[2]) => source.verifiedPhones(commandLine, accountId, span),
  }
  return replay(reads, { rules: rulesOfList(...rules), since, until: noon + dayMs })
}

const block = (count: number): WrittenRule => ({
  ...{ id: 'block', by: 'prefix', count: 'unverified', window: '1h', over: { constant: count }, do: 'block' },
})
/** To one block of numbers, a minute apart. */
const inBlock = (count: number, given: Partial<PastCode> = {}, from = noon): PastCode[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ at: from + index * minuteMs, phone: `+4915112340${String(100 + index * 30)}`, ...given },
  }))

describe('a replay', () => {
  it('says what a rule would have stopped, who of them was real, and what the rest cost', async () => {
    const price = { amount: '0.075', currency: 'EUR' }
    const codes = inBlock(10, { price }).map((code, index) => (index === 8 ? { ...code, verifiedAfter: 30_000 } : code))
    const { rules, ...sums } = await replayOf([block(3)], codes)
    expect(sums).toMatchObject({ codes: 10, stopped: 7, stoppedVerified: 1, signalsSince: undefined })
    expect(rules).toEqual([
      {
        ...{
          rule: 'block',
          do: 'block',
          found: 7,
          verified: 1,
          costs: [{ currency: 'EUR', messages: 6, amount: '0.45' }],
        },
        ...{ firstHour: noon, worstHour: { at: noon, found: 7 } },
        examples: expect.any(Array),
      },
    ])
    const [first, ...others] = rules[0]!.examples
    expect(first).toEqual({
      id: expect.stringMatching(/^req_/),
      phone: '+4915•••••••40',
      at: noon + 8 * minuteMs,
      isVerified: true,
    })
    expect(others).toHaveLength(6)
  })

  it('counts what a rule stops for nothing, and what it only records as sent', async () => {
    const codes = inBlock(10)
    expect((await replayOf([block(3)], codes)).stopped).toBe(7)
    const recorded = await replayOf([{ ...block(3), do: 'record' }], codes)
    expect([recorded.stopped, recorded.rules[0]!.found]).toEqual([0, 7])
    // An hour later those that were stopped are not there: again three pass.
    const later = inBlock(3, {}, noon + 2 * hourMs)
    expect((await replayOf([block(3)], [...codes, ...later])).stopped).toBe(7)
  })

  it('counts a code as verified from the moment on when it was', async () => {
    const codes = inBlock(6).map((code, index) => (index < 3 ? { ...code, verifiedAfter: 3.5 * minuteMs } : code))
    // The fourth comes when nothing was verified; the fifth comes when the first was.
    expect((await replayOf([block(3)], codes)).stopped).toBe(1)
  })

  it('knows what was sent before the time that it judges', async () => {
    const codes = [...inBlock(3, {}, noon - 30 * minuteMs), ...inBlock(1)]
    const { codes: judged, stopped } = await replayOf([block(3)], codes, noon)
    expect([judged, stopped]).toEqual([1, 1])
  })

  it('lets phones pass that were verified long before', async () => {
    const before = { at: noon - 40 * dayMs, phone: '+4915112340999', verifiedAfter: 1000 }
    const codes = [
      before,
      ...inBlock(4),
      { at: noon + 20 * minuteMs, phone: before.phone },
      ...inBlock(1, {}, noon + 30 * minuteMs),
    ]
    expect((await replayOf([block(3)], codes)).stopped).toBe(2)
  })

  it('takes the best day of a country from the figures of the charts, without the codes of inlets', async () => {
    const accountId = `acct_${accounts++}`
    await test.sql`insert into figure (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed,
        expired, superseded, latencies)
      values (${accountId}, 'live', 'day', ${new Date(noon - 5.5 * dayMs)}, 'verification', 'sms', 'DE', 1120, 120, 1110, 100, 0, 0, 0, '{}')`
    const rule: WrittenRule = {
      ...{
        id: 'c',
        by: 'country',
        count: 'unverified',
        window: '24h',
        over: { constant: 2, max14d: 0.1 },
        do: 'block',
      },
    }
    await insertCodes(test.sql, accountId, inBlock(14))
    expect((await replayed(accountId, [rule])).stopped).toBe(4)
  })

  it('judges by what was kept of signals, and says since when there are any', async () => {
    const rules: WrittenRule[] = [
      { id: 'ip', by: 'ip', count: 'sends', window: '1h', over: { constant: 2 }, do: 'block' },
      { id: 'user', by: 'user', count: 'sends', window: '1h', over: { constant: 2 }, do: 'challenge' },
    ]
    const codes = [
      ...inBlock(2),
      ...inBlock(4, { signals: { ip: 'hash', network: 'net' } }, noon + 5 * minuteMs),
      ...inBlock(1, { signals: { ip: 'hash', network: 'net', trusted: true } }, noon + 10 * minuteMs),
      ...inBlock(4, { signals: { user: 'hash', captcha: true } }, noon + 15 * minuteMs),
    ]
    const { rules: found, stopped, signalsSince } = await replayOf(rules, codes)
    expect(found.map((rule) => [rule.rule, rule.found])).toEqual([
      ['ip', 2],
      ['user', 2],
    ])
    // Somebody had solved the captcha: that would have answered the challenge.
    expect([stopped, signalsSince]).toEqual([2, noon + 5 * minuteMs])
  })

  it('looks at codes of live keys alone', async () => {
    const accountId = `acct_${accounts++}`
    const ids = await insertCodes(test.sql, accountId, inBlock(6))
    await test.sql`update message set mode = 'test' where id = ${ids[0]!}`
    await test.sql`update message set kind = 'notification' where id = ${ids[1]!}`
    expect((await replayed(accountId, [block(3)])).codes).toBe(4)
  })

  it('reads many pages, and each code once', async () => {
    const codes = Array.from({ length: 25_000 }, (_, index) => ({
      ...{ at: noon + index * 100, phone: `+49151${10_000_000 + index * 20_000}`, country: 'DE' },
    }))
    const rule: WrittenRule = {
      id: 'c',
      by: 'country',
      count: 'sends',
      window: '1h',
      over: { constant: 0 },
      do: 'record',
    }
    const { codes: judged, rules } = await replayOf([rule], codes)
    expect([judged, rules[0]!.found]).toEqual([25_000, 25_000])
  })
})

describe('a course of sends', () => {
  it('is judged in the order of time, verifications between them', () => {
    const course = createCourse(rulesOfList(block(2)))
    const to = (minute: number, verifiedAfter?: number) => {
      const at = noon + minute * minuteMs
      return course.judge(sendOf({ at }), verifiedAfter === undefined ? undefined : at + verifiedAfter * minuteMs)
        .length
    }
    // All go to one phone: once it was verified, it passes.
    expect([to(0), to(1, 5), to(2), to(3), to(6), to(7)]).toEqual([0, 0, 1, 1, 0, 0])
  })
})

describe('the sum of prices', () => {
  it('is exact, by currency', () => {
    const sum = createCostSum()
    for (let index = 0; index < 10; index++) sum.add({ sms: { amount: '0.1', currency: 'EUR' } })
    sum.add({ a: { amount: '0.00000000000000000001', currency: 'USD' }, b: { amount: '3', currency: 'EUR' } })
    sum.add(null)
    expect(sum.costs()).toEqual([
      { currency: 'EUR', messages: 11, amount: '4' },
      { currency: 'USD', messages: 1, amount: '0.00000000000000000001' },
    ])
  })
})
