/**
 * What a list of rules would have done: the codes that an account has sent, judged again in their order by the function that
 * judges them when they are sent.
 */
import type { CountryDay } from '../../../store/protection/count.ts'
import type { SentCode } from '../../../store/protection/replay.ts'
import { readNumber } from '../../sending/numberingPlan.ts'
import { historyDays, isWritten, listCounters, prefixOf } from '../counter.ts'
import { countryHistory } from '../countryHistory.ts'
import { decideAct } from '../judge.ts'
import type { ProtectionRule } from '../rule.ts'
import { type Course, type CourseSend, createCourse } from './course.ts'
import { createRuleReplay, type RuleReplay } from './ruleReplay.ts'
import type { ReplaySpan } from './source.ts'

/** The source of a replay, for one account. */
export interface ReplayReads {
  countryDays: (span: Omit<ReplaySpan, 'after'>) => Promise<CountryDay[]>
  codes: (span: ReplaySpan) => Promise<{ rows: SentCode[]; lastId: string | undefined }>
  verifiedPhones: (span: ReplaySpan) => Promise<{ rows: string[]; lastId: string | undefined }>
}

export interface ReplayInput {
  rules: readonly ProtectionRule[]
  /** Milliseconds of Unix time: codes that were made from then on, and before then. */
  since: number
  until: number
  /** Told after each page. @param about how many codes there are, by what was counted of whole days; what comes before `since` is among them */
  onProgress?: ((read: number, about: number) => void) | undefined
}

export interface Replayed {
  since: number
  until: number
  /** Codes that were judged. */
  codes: number
  /** Those that the rules would have stopped, and those of them that were verified. */
  stopped: number
  stoppedVerified: number
  /** When the first code was made that has signals; undefined when none has. Rules on signals find nothing before. */
  signalsSince: number | undefined
  rules: RuleReplay[]
}

const dayMs = 86_400_000
/** What is kept of messages is less, in any installation. */
const retentionDaysMax = 4000

export async function replay(reads: ReplayReads, { rules, since, until, onProgress }: ReplayInput): Promise<Replayed> {
  const course = createCourse(rules)
  const from = warmFrom(rules, since)
  course.add(
    countryHistory(listCounters(rules), await reads.countryDays({ from: from - historyDays * dayMs, to: from })),
  )
  await addVerifiedPhones(course, reads, from)
  const about = (await reads.countryDays({ from, to: until })).reduce((sum, { sends }) => sum + sends, 0)
  const results = new Map(rules.map((rule) => [rule.id, createRuleReplay(rule)]))
  const sums = { codes: 0, stopped: 0, stoppedVerified: 0 }
  let [read, signalsSince] = [0, undefined as number | undefined]
  for await (const codes of findPages((after) => reads.codes({ from, to: until, after }))) {
    for (const code of codes) {
      if (code.signals) signalsSince ??= code.at
      const verifiedAt = code.verifiedAt ?? undefined
      if (code.at < since) {
        course.pass(sendOfCode(code), verifiedAt)
        continue
      }
      const findings = course.judge(sendOfCode(code), verifiedAt)
      for (const { rule } of findings) results.get(rule)!.add(code)
      sums.codes += 1
      if (decideAct(findings) === 'send') continue
      sums.stopped += 1
      if (code.verifiedAt !== null) sums.stoppedVerified += 1
    }
    read += codes.length
    onProgress?.(read, about)
  }
  return { since, until, ...sums, signalsSince, rules: [...results.values()].map(({ result }) => result()) }
}

/** From when on codes are read, so that the first that is judged has a past: whole days, as the charts count them. */
function warmFrom(rules: readonly ProtectionRule[], since: number): number {
  const needed = listCounters(rules).filter(isWritten)
  const seconds = Math.max(0, ...needed.map(({ keepSeconds }) => keepSeconds))
  const at = since - seconds * 1000
  return at - (at % dayMs)
}

async function addVerifiedPhones(course: Course, reads: ReplayReads, to: number): Promise<void> {
  const span = { from: to - retentionDaysMax * dayMs, to }
  for await (const phones of findPages((after) => reads.verifiedPhones({ ...span, after }))) course.addVerified(phones)
}

async function* findPages<Row>(
  page: (after: string | undefined) => Promise<{ rows: Row[]; lastId: string | undefined }>,
): AsyncGenerator<Row[]> {
  for (let after: string | undefined; ; ) {
    const { rows, lastId } = await page(after)
    yield rows
    if (lastId === undefined) return
    after = lastId
  }
}

/** In memory, a number stands for itself. Of an address, only hashes are kept: rules except no network here. */
function sendOfCode({ phone, country, at, signals }: SentCode): CourseSend {
  const facts = readNumber(phone)
  return {
    ...{ at, phone, country: country ?? facts?.country, numberKind: facts?.kind ?? '' },
    ...{ prefix: prefixOf(phone), number: phone },
    ...{ ip: signals?.ip, network: signals?.network, user: signals?.user, device: signals?.device },
    ...{
      trusted: signals?.trusted === true,
      isCaptchaSolved: signals?.captcha === true,
      isUnchecked: signals?.unchecked === true,
    },
  }
}
