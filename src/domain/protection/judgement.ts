/** What the rules in force say of a send before it is made, and what it adds to their counts when it is. */
import type { KeyObject } from 'node:crypto'
import { inTime } from '../../kit/inTime.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import { addVerified, countPartDigits, type SendCount } from '../../store/protection/addedCount.ts'
import { type AskedCount, findCounts } from '../../store/protection/count.ts'
import type { KeptFinding, KeptSignals, Mode } from '../../store/schema/schema.ts'
import { hmacOf } from '../access/secret.ts'
import {
  type Counter,
  type CounterRow,
  formerOf,
  type JudgedSend,
  keyOf,
  prefixOf,
  rowsOfSend,
  rowsOfVerified,
} from './counter.ts'
import { askedFor, createCountryCounts, rowOf } from './countryCounts.ts'
import { createCounts, type KeptCounts, type SendCounts } from './counts.ts'
import { actOf, judge } from './judge.ts'
import type { KnownRules, RulesInForce } from './known.ts'
import type { Signals } from './signals.ts'

/** A send that is about to be made. */
export interface SendToJudge {
  accountId: string
  mode: Mode
  /** Of its message. */
  id: string
  at: Date
  phone: string
  country: string | undefined
  /** As the library names it. */
  numberKind: string
  /** What is kept of its signals. */
  kept: KeptSignals | undefined
  /** As they were given. */
  given: Pick<Signals, 'ip'> | undefined
}

export interface Judgement {
  act: 'send' | 'challenge' | 'block' | 'wait'
  /** In the order of the rules. */
  findings: KeptFinding[]
  /** What it adds to the counts, once it is made. */
  counted: SendCount[]
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
  /** Asks the rules; for at most 50 milliseconds. @throws when the database is out of reach, and nothing is known of the rules */
  of: (send: SendToJudge) => Promise<Judgement>
  /** What a right code adds to, by an account's list. Before a transaction begins, as this may read. */
  countersOf: (owner: { accountId: string; mode: Mode }) => Promise<readonly Counter[]>
  /** Counts codes that were right. Goes with the commit. */
  addVerified: (tx: Tx, list: readonly (RightSend & { counters: readonly Counter[] })[]) => void
}

export interface JudgementParts {
  commit: Pick<Commit, 'shareReads' | 'reader'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'randomDigits'>
  /** Stays the same when secrets are rotated. */
  key: KeyObject
  known: KnownRules
}

/** Of the hash of a prefix or a number: few are compared with one another. */
const hashBytes = 12
/** A right code adds no number. */
const noNumbers = { needsNumbers: false }
/** What a send has that could not be judged in time. */
const unjudged: KeptFinding = { rule: 'unjudged', did: 'record' }

interface Asked {
  send: SendToJudge
  judged: JudgedSend
  inForce: RulesInForce
}

export function createJudgements({ commit, runtime, key, known }: JudgementParts): Judgements {
  const countries = createCountryCounts({ commit, runtime, known })
  const ask = commit.shareReads<Asked, KeptFinding[]>({
    ownerOf: ({ send }) => send.accountId,
    work: async (reader, list) => {
      const byCountry = await Promise.all(list.map(({ send }) => countries.of(send)))
      return judgeAll(list, await countsOf(reader, list, runtime.now()), byCountry)
    },
  })

  return {
    of: async (send) => {
      const inForce = await known.of(send)
      const judged = judgedSend(key, send, inForce)
      const counted = rowsOfSend(inForce.written, judged).map((row) => ({
        ...slotOf(row, send),
        isUnchecked: judged.isUnchecked,
        country: row.countries[0],
        number: row.numbers[0],
      }))
      if (judged.trusted || inForce.rules.length === 0) return { act: 'send', findings: [], counted }
      const late = (): KeptFinding[] | undefined => undefined
      const findings = await inTime<KeptFinding[] | undefined>(
        ask({ send, judged, inForce }),
        known.judgeMs,
        late,
      ).catch(late)
      if (findings) return { act: actOf(findings), findings, counted }
      return { act: inForce.fail === 'closed' ? 'wait' : 'send', findings: [unjudged], counted }
    },
    countersOf: async (owner) => (await known.of(owner)).written,
    addVerified: (tx, list) => {
      const rows = list.flatMap(({ counters, sentAt, signals, ...send }) => {
        const one = { ...send, at: sentAt, numberKind: '', kept: signals, given: undefined }
        const judged = judgedSend(key, one, noNumbers)
        tx.afterCommit(() => countries.last(send)?.addVerified(judged))
        return rowsOfVerified(counters, judged).map((row) => ({
          ...slotOf(row, one),
          country: row.verifiedCountries[0],
        }))
      })
      addVerified(tx, rows, Number(runtime.randomDigits(countPartDigits)))
    },
  }
}

/** What was counted for each of a list: those of an account share it, so that each sees those before it. */
interface Counted {
  counts: Map<RulesInForce, Map<string, KeptCounts>>
  wereVerified: boolean[]
}

async function countsOf(reader: Reader, list: readonly Asked[], now: Date): Promise<Counted> {
  const asked = new Map<string, AskedCount & { counts: KeptCounts; of: Counter }>()
  const counts: Counted['counts'] = new Map()
  for (const { send, judged, inForce } of list) {
    const own = ownCounts(counts, inForce, send)
    for (const [counter, slots] of askedCounters(inForce)) {
      const key = counter.by === 'country' ? undefined : keyOf(counter.by, judged)
      if (key === undefined) continue
      const { accountId, mode } = send
      const name = `${accountId} ${mode} ${slots.id} ${key}`
      if (!asked.has(name))
        asked.set(name, {
          ...askedFor({ ...counter, ...slots }, { accountId, mode, key }, now),
          counts: own,
          of: { ...counter, slotSeconds: slots.slotSeconds },
        })
    }
  }
  const all = [...asked.values()]
  const found = await findCounts(
    reader,
    all,
    list.map(({ send }) => send),
  )
  for (const one of found.counts) {
    const { counts: own, of, key } = all[one.place]!
    own.add([rowOf(of, key, one)])
  }
  return { counts, wereVerified: found.wereVerified }
}

/** The counters of a list, each with the slots to look at: its own, and while the list is new, those of the list before. */
function askedCounters({ counters, isNew }: RulesInForce): [Counter, Pick<Counter, 'id' | 'slotSeconds'>][] {
  return counters.flatMap((counter) => {
    const former = isNew ? formerOf(counter) : undefined
    return former
      ? [
          [counter, counter],
          [counter, former],
        ]
      : [[counter, counter]]
  })
}

function ownCounts(counts: Counted['counts'], inForce: RulesInForce, { accountId, mode }: SendToJudge): KeptCounts {
  const byOwner = counts.get(inForce) ?? new Map<string, KeptCounts>()
  counts.set(inForce, byOwner)
  const owner = `${accountId} ${mode}`
  const own = byOwner.get(owner) ?? createCounts(inForce.counters)
  byOwner.set(owner, own)
  return own
}

/** One after the other, each with those before it: of many that come at once, few pass. */
function judgeAll(
  list: readonly Asked[],
  { counts, wereVerified }: Counted,
  byCountry: readonly KeptCounts[],
): KeptFinding[][] {
  return list.map(({ send, judged, inForce }, index) => {
    const [own, ofCountry] = [ownCounts(counts, inForce, send), byCountry[index]!]
    const both: SendCounts = {
      slotsOf: (counterId, key) => (counterId.startsWith('country:') ? ofCountry : own).slotsOf(counterId, key),
    }
    const one = { ...judged, wasVerified: wereVerified[index]! }
    const findings = judge({ rules: inForce.rules, counts: both }, one)
    if (actOf(findings) === 'send') {
      own.addSend(one)
      ofCountry.addSend(one)
    }
    return findings
  })
}

function judgedSend(
  key: KeyObject,
  { accountId, at, phone, country, numberKind, kept, given }: SendToJudge,
  { needsNumbers }: Pick<RulesInForce, 'needsNumbers'>,
): JudgedSend {
  const hash = (what: string, text: string) => hmacOf(key, [what, accountId, text]).toString('base64url', 0, hashBytes)
  const { ip, network, user, device, trusted = false, unchecked = false } = kept ?? {}
  return {
    ...{ at: at.getTime(), phone, country, numberKind, ip, network, user, device, trusted },
    prefix: hash('prefix', prefixOf(phone)),
    number: needsNumbers ? hash('number', phone) : '',
    address: given?.ip,
    isCaptchaSolved: kept?.captcha ?? false,
    wasVerified: false,
    isUnchecked: unchecked,
  }
}

function slotOf({ counter, key, from, seconds }: CounterRow, { accountId, mode }: SendToJudge) {
  const endsAt = new Date(from + (seconds + counter.keepSeconds) * 1000)
  return { accountId, mode, counter: counter.id, key, slot: new Date(from), endsAt }
}
