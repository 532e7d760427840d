/** What the rules in force say of sends before they are made, and what these add to their counts when they are. */
import type { KeyObject } from 'node:crypto'
import { inTime } from '../../../kit/inTime.ts'
import { createLateWork, type LateWork } from '../../../kit/lateWork.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { addVerified, type SendCount } from '../../../store/protection/addedCount.ts'
import { countKeyOf } from '../../../store/protection/count.ts'
import type { KeptFinding, KeptSignals, Mode } from '../../../store/schema/schema.ts'
import { hmacOf } from '../../access/secret.ts'
import { numberKindOf } from '../../sending/numberingPlan.ts'
import {
  type Counter,
  type CounterRow,
  isWritten,
  type JudgedSend,
  prefixOf,
  rowsOfSend,
  rowsOfVerified,
} from '../counter.ts'
import type { SendCounts } from '../counts.ts'
import { actOf, judge } from '../judge.ts'
import type { KnownRules, RulesInForce } from '../known.ts'
import { createApart } from './apart.ts'
import { countPartOf } from './counted.ts'
import { type CountryCounts, createCountryCounts } from './countryCounts.ts'
import { findGroupCounts, type GroupCounts, type GroupSend, ownCounts } from './groupCounts.ts'

/** A send that is about to be made. */
export interface SendToJudge {
  accountId: string
  mode: Mode
  /** Of its message. */
  id: string
  at: Date
  phone: string
  country?: string | undefined
  /** What is kept of its signals. */
  signals?: KeptSignals | undefined
  inForce: RulesInForce
  judging: Judging
}

/** What only the rules ask of a send. */
export interface Judging {
  /** As the library names it. */
  numberKind: string
  /** As it was given. */
  address: string | undefined
}

export interface Judgement {
  act: 'send' | 'challenge' | 'block' | 'wait'
  /** In the order of the rules. */
  findings: KeptFinding[]
  /** What it adds to the counts, once it is made. */
  counted: SendCount[]
  /** Adds it to what this process remembers of its country, once it is made. */
  remember: () => void
}

/** A verification whose code was right. */
export interface RightSend {
  accountId: string
  mode: Mode
  id: string
  /** When it was sent. */
  sentAt: Date
  phone: string
  country: string | undefined
  signals: KeptSignals | undefined
}

export interface Judgements {
  /** Asks the rules about sends that come together, each after those before it; for at most 50 milliseconds. */
  of: (list: readonly SendToJudge[]) => Promise<Judgement[]>
  /** Counts codes that were right. Goes with the commit. */
  addVerified: (tx: Tx, list: readonly (RightSend & { counters: readonly Counter[] })[]) => void
}

export interface JudgementParts {
  commit: Pick<Commit, 'shareReads' | 'reader'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'randomDigits'>
  /** Stays the same when secrets are rotated. */
  key: KeyObject
  known: Pick<KnownRules, 'of'>
  /** Milliseconds that a send waits for what the rules need to know. */
  judgeMs?: number | undefined
  /** Connections to the database that this process has at most; undefined where it has the database in itself. */
  connections?: number | undefined
}

const standardJudgeMs = 50

/** Of the hash of a prefix or a number: few are compared with one another. */
const hashBytes = 12
/**
 * Reads of counts that go on when nobody waits for them any more. Each has a connection, which sends need: with so many, or half
 * of the connections, no more is asked until one has ended.
 */
const lateReadsMax = 3
/** The finding of a send that could not be judged in time. */
const unjudged: KeptFinding = { rule: 'unjudged', did: 'record' }

interface Asked extends GroupSend {
  send: SendToJudge
  /** What it adds to the counts that the rest of its group is judged by. */
  rows: CounterRow[]
}

/** What was found of each. */
type Found = Map<SendToJudge, KeptFinding[]>

export function createJudgements(parts: JudgementParts): Judgements {
  const { commit, runtime, key, known } = parts
  const countries = createCountryCounts({ commit, runtime, known })
  const ask = createAsk(parts, countries)

  return {
    of: async (list) => {
      const all = list.map((send): Asked => {
        const { counters, needsNumbers } = send.inForce
        const judged = judgedSend(key, send, { ...send.judging, needsNumber: needsNumbers })
        return { send, judged, rows: rowsOfSend(counters, judged) }
      })
      const found = await ask(all.filter(({ send, judged }) => !judged.trusted && !send.inForce.isUnreadable))
      return all.map((one): Judgement => {
        const { send, judged } = one
        const adding = { counted: countedBy(one), remember: () => countries.last(send)?.add(one.rows) }
        const findings = judged.trusted ? [] : found.get(send)
        if (findings) return { act: actOf(findings), findings, ...adding }
        return { act: send.inForce.fail === 'closed' ? 'wait' : 'send', findings: [unjudged], ...adding }
      })
    },
    addVerified: (tx, list) => {
      const rows = list.flatMap(({ counters, sentAt, ...send }) => {
        const numberKind = counters.some(({ by }) => by === 'number_kind') ? numberKindOf(send.phone) : ''
        const judged = judgedSend(key, { ...send, at: sentAt }, { ...ofRightCode, numberKind })
        tx.afterCommit(() => countries.last(send)?.addVerified(judged))
        return rowsOfVerified(counters, judged).map((row) => ({
          ...slotOf(row, send),
          country: row.verifiedCountries[0],
        }))
      })
      addVerified(tx, rows, countPartOf(runtime))
    },
  }
}

/** @returns asks what the rules find of sends that come together */
function createAsk(
  { commit, runtime, judgeMs = standardJudgeMs, connections = Infinity }: JudgementParts,
  countries: CountryCounts,
): (list: readonly Asked[]) => Promise<Found> {
  const lateReads = createLateWork(Math.min(lateReadsMax, Math.floor(connections / 2)))
  const apart = createApart(runtime.elapsedMs)

  /** @returns nothing of those of which it is not known in time */
  async function ask(list: readonly Asked[]): Promise<Found> {
    const groups = Map.groupBy(list, ({ send }) => apart.lateReadsOf(send.accountId) ?? lateReads)
    const found = await Promise.all([...groups].map(([late, group]) => askTogether(group, late)))
    return found.length === 1 ? found[0]! : new Map(found.flatMap((one) => [...one]))
  }

  async function askTogether(list: readonly Asked[], late: LateWork): Promise<Found> {
    const nothing: Found = new Map()
    if (late.isTooMuch()) return nothing
    const reading = findGroupCounts(commit.reader, list, runtime.now())
    // Also of what comes late.
    reading.then(({ heavy }) => heavy.forEach(apart.note)).catch(() => {})
    const isLate = late.watch(reading)
    const found = Promise.all([reading, countriesOf(list)]).then(([counted, byCountry]) =>
      judgeAll(list, counted, byCountry),
    )
    const giveUp = () => {
      isLate()
      return nothing
    }
    return inTime(found, judgeMs, giveUp).catch(() => nothing)
  }

  /** Most groups have one country. */
  async function countriesOf(list: readonly Asked[]): Promise<Map<SendToJudge, SendCounts>> {
    const groups = Map.groupBy(list, ({ send: { accountId, mode, country } }) => `${accountId} ${mode} ${country}`)
    const found = [...groups.values()].map(async (group) => {
      const counts = await countries.of(group[0]!.send)
      return group.map(({ send }) => [send, counts] as const)
    })
    return new Map((await Promise.all(found)).flat())
  }

  return ask
}

function countedBy({ send, judged, rows }: Asked): SendCount[] {
  return rows.flatMap((row) => {
    if (!isWritten(row.counter)) return []
    const { countKey, slot, endsAt } = slotOf(row, send)
    const [country] = row.countries
    return [{ countKey, slot, endsAt, isUnchecked: judged.isUnchecked, country, number: row.numbers[0] }]
  })
}

/**
 * One after the other, each with those before it: of many that come at once, few pass. Whether one is made, a limit, a budget or a
 * key may still say otherwise: so what is remembered of its country is left as it is.
 */
function judgeAll(
  list: readonly Asked[],
  { counts, wereVerified }: GroupCounts,
  byCountry: ReadonlyMap<SendToJudge, SendCounts>,
): Found {
  const found: Found = new Map()
  for (const [index, { send, judged, rows }] of list.entries()) {
    const [own, ofCountry] = [ownCounts(counts, send), byCountry.get(send)!]
    const both: SendCounts = {
      slotsOf: (counterId, key) => {
        const ofGroup = own.slotsOf(counterId, key)
        return counterId.startsWith('country:') ? [...ofCountry.slotsOf(counterId, key), ...ofGroup] : ofGroup
      },
    }
    judged.wasVerified = wereVerified[index]!
    const { rules, counterIds } = send.inForce
    const findings = judge({ rules, counterIds, counts: both }, judged)
    if (actOf(findings) === 'send') own.add(rows)
    found.set(send, findings)
  }
  return found
}

/** A right code adds no number. */
const ofRightCode = { address: undefined, needsNumber: false }

function judgedSend(
  key: KeyObject,
  { accountId, at, phone, country, signals }: Omit<SendToJudge, 'inForce' | 'judging'>,
  { numberKind, address, needsNumber }: Judging & { needsNumber: boolean },
): JudgedSend {
  const hash = (what: string, text: string) => hmacOf(key, [what, accountId, text]).toString('base64url', 0, hashBytes)
  const { ip, network, user, device, trusted = false, unchecked = false, captcha = false } = signals ?? {}
  return {
    ...{ at: at.getTime(), phone, country, numberKind, ip, network, user, device, trusted, address },
    prefix: hash('prefix', prefixOf(phone)),
    number: needsNumber ? hash('number', phone) : '',
    isCaptchaSolved: captcha,
    wasVerified: false,
    isUnchecked: unchecked,
  }
}

function slotOf({ counter, key, from, seconds }: CounterRow, { accountId, mode }: { accountId: string; mode: Mode }) {
  const countKey = countKeyOf({ accountId, mode, counter: counter.id, key })
  return { countKey, slot: from, endsAt: from + (seconds + counter.keepSeconds) * 1000 }
}
