/** Where sends are judged: the rules alone, from memory, or the service. */
import { listCounters, prefixOf } from '../../src/domain/protection/counter.ts'
import { countryHistory } from '../../src/domain/protection/countryHistory.ts'
import { decideAct } from '../../src/domain/protection/judge.ts'
import { createCourse } from '../../src/domain/protection/replay/course.ts'
import type { ProtectionRule } from '../../src/domain/protection/rule.ts'
import { standardList } from '../../src/domain/protection/standardList.ts'
import { numberKindOf } from '../../src/domain/sending/numberingPlan.ts'
import type { CountryDay } from '../../src/store/protection/count.ts'
import type { PlayedSend } from './honest.ts'

export interface Stage {
  /** @returns the rules that stopped it; none when it was sent */
  send: (send: PlayedSend) => Promise<string[]>
  close: () => Promise<void>
}

/** @param before what was sent before, and was not judged */
export type OpenStage = (before: readonly PlayedSend[]) => Promise<Stage>

const dayMs = 86_400_000

/** The standard list, as if every rule of it blocked. */
export const blockingList: readonly ProtectionRule[] = standardList.map((rule) => ({ ...rule, do: 'block' }))

export const openMemory: OpenStage = async (before) => {
  const course = createCourse(blockingList)
  const verifiedAt = ({ at, verifiedAfter }: PlayedSend) =>
    verifiedAfter === undefined ? undefined : at + verifiedAfter
  // As the service knows it: what comes before the last days, by what the charts have counted, and by the phones that were verified.
  const lastAt = before.at(-1)?.at ?? 0
  const from = lastAt - (lastAt % dayMs) - dayMs
  const past = before.filter(({ at }) => at < from)
  course.add(countryHistory(listCounters(blockingList), countDays(past)))
  course.addVerified(past.filter(({ verifiedAfter }) => verifiedAfter !== undefined).map(({ phone }) => phone))
  for (const send of before.slice(past.length)) course.pass(toJudged(send), verifiedAt(send))
  return {
    send: async (send) => {
      const findings = course.judge(toJudged(send), verifiedAt(send))
      if (decideAct(findings) === 'send') return []
      return findings.filter(({ did }) => did !== 'record').map(({ rule }) => rule)
    },
    close: async () => {},
  }
}

function toJudged({ at, phone, country, ip, user }: PlayedSend) {
  return {
    ...{
      at,
      phone,
      country,
      numberKind: numberKindOf(phone),
      prefix: prefixOf(phone),
      number: phone,
      ip,
      user,
    },
    ...{ trusted: false, isCaptchaSolved: false, isUnchecked: false },
  }
}

function countDays(sends: readonly PlayedSend[]): CountryDay[] {
  const days = new Map<string, CountryDay>()
  for (const { at, country, verifiedAfter } of sends) {
    const from = at - (at % dayMs)
    const day = days.get(`${country} ${from}`) ?? { country, from, sends: 0, verified: 0 }
    day.sends += 1
    if (verifiedAfter !== undefined) day.verified += 1
    days.set(`${country} ${from}`, day)
  }
  return [...days.values()]
}
