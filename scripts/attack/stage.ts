/** Where sends are judged: the rules alone, from memory, or the service. */
import { prefixOf } from '../../src/domain/protection/counter.ts'
import { actOf } from '../../src/domain/protection/judge.ts'
import { createCourse } from '../../src/domain/protection/replay/course.ts'
import type { ProtectionRule } from '../../src/domain/protection/rule.ts'
import { standardList } from '../../src/domain/protection/standardList.ts'
import { numberKindOf } from '../../src/domain/sending/numberingPlan.ts'
import type { PlayedSend } from './honest.ts'

export interface Stage {
  /** @returns the rules that stopped it; none when it was sent */
  send: (send: PlayedSend) => Promise<string[]>
  close: () => Promise<void>
}

/** @param before what was sent before, and was not judged */
export type OpenStage = (before: readonly PlayedSend[]) => Promise<Stage>

/** The standard list, as if every rule of it blocked. */
export const blockingList: readonly ProtectionRule[] = standardList.map((rule) => ({ ...rule, do: 'block' }))

export const openMemory: OpenStage = async (before) => {
  const course = createCourse(blockingList)
  const verifiedAt = ({ at, verifiedAfter }: PlayedSend) =>
    verifiedAfter === undefined ? undefined : at + verifiedAfter
  for (const send of before) course.pass(judgedOf(send), verifiedAt(send))
  return {
    send: async (send) => {
      const findings = course.judge(judgedOf(send), verifiedAt(send))
      if (actOf(findings) === 'send') return []
      return findings.filter(({ did }) => did !== 'record').map(({ rule }) => rule)
    },
    close: async () => {},
  }
}

function judgedOf({ at, phone, country, ip, user }: PlayedSend) {
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
