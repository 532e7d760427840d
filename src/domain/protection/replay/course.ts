/** Sends one after the other, with the verifications between them, judged as the service judges them: from memory alone. */
import type { KeptFinding } from '../../../store/schema/schema.ts'
import { type CounterRow, type JudgedSend, listCounterIds, listCounters } from '../counter.ts'
import { createCounts } from '../counts.ts'
import { decideAct, judge } from '../judge.ts'
import type { ProtectionRule } from '../rule.ts'
import { createSchedule } from './schedule.ts'

/** Whether the phone was verified before, the course knows. */
export type CourseSend = Omit<JudgedSend, 'wasVerified'>

export interface Course {
  /**
   * Judges a send, and makes it if nothing stops it.
   *
   * @param verifiedAt when its code is verified, if it is sent; milliseconds of Unix time
   */
  judge: (send: CourseSend, verifiedAt: number | undefined) => KeptFinding[]
  /** Makes a send without judging it. */
  pass: (send: CourseSend, verifiedAt: number | undefined) => void
  /** Puts in what was counted before. */
  add: (rows: readonly CounterRow[]) => void
  /** Puts in phones that were verified before, in E.164 form. */
  addVerified: (phones: readonly string[]) => void
}

/** Milliseconds of the course between two looks for what is too old to be counted. */
const tidyMs = 6 * 3_600_000

/** @param rules the sends must come in the order of their times */
export function createCourse(rules: readonly ProtectionRule[]): Course {
  const [counts, counterIds] = [createCounts(listCounters(rules)), listCounterIds(rules)]
  const codes = createSchedule<JudgedSend>()
  // As numbers, they take a third of the memory: fifteen digits are exact.
  const verified = new Set<number>()
  let tidiedAt = 0

  function comeTo(at: number): void {
    for (const send of codes.takeUntil(at)) {
      counts.addVerified(send)
      verified.add(Number(send.phone))
    }
    if (at < tidiedAt + tidyMs) return
    tidiedAt = at
    counts.forgetBefore(at)
  }

  function make(send: JudgedSend, verifiedAt: number | undefined): void {
    counts.addSend(send)
    if (verifiedAt !== undefined) codes.put(verifiedAt, send)
  }

  const known = (send: CourseSend): JudgedSend => ({ ...send, wasVerified: verified.has(Number(send.phone)) })

  return {
    judge: (given, verifiedAt) => {
      comeTo(given.at)
      const send = known(given)
      const findings = judge({ rules, counterIds, counts }, send)
      if (decideAct(findings) === 'send') make(send, verifiedAt)
      return findings
    },
    pass: (given, verifiedAt) => {
      comeTo(given.at)
      make(known(given), verifiedAt)
    },
    add: counts.add,
    addVerified: (phones) => {
      for (const phone of phones) verified.add(Number(phone))
    },
  }
}
