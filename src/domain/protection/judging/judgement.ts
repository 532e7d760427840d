/** What the rules in force say of a send before it is made, and what it adds to their counts when it is. */
import type { KeyObject } from 'node:crypto'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { wereVerified } from '../../../store/protection/count.ts'
import type { PhoneKey } from '../../../store/sending/limit.ts'
import { computeHmac } from '../../access/hmac.ts'
import { numberKindOf } from '../../sending/numberingPlan.ts'
import type { Evaluation, JudgedDraft, Judging, RightSend } from '../../sending/protection.ts'
import {
  type Counter,
  type CountSlot,
  isWritten,
  type JudgedSend,
  prefixOf,
  rowsOfSend,
  rowsOfVerified,
} from '../counter.ts'
import type { SendCounts } from '../counts.ts'
import { decideAct, judge } from '../judge.ts'
import type { RulesInForce } from '../known.ts'
import { createCountryDays, type KnownDays } from './countryDays.ts'
import type { KnownCounts, SharedCounts } from './sharedCounts.ts'

/** A send that is about to be made, and that rules are asked about. */
export type SendToJudge = Omit<JudgedDraft, 'inForce' | 'judging' | 'id' | 'evaluation'> & {
  inForce: RulesInForce
  judging: Judging
}

export interface Judgements {
  /** Asks the rules about a send, after all that were judged before it: by what this process knows. */
  of: (send: SendToJudge) => Promise<Evaluation>
  /** Counts codes that were right, once that is committed. */
  addVerified: (tx: Tx, list: readonly (RightSend & { inForce: RulesInForce })[]) => void
}

export interface JudgementParts {
  commit: Pick<Commit, 'shareReads' | 'reader'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
  /** Stays the same when secrets are rotated. */
  key: KeyObject
  counts: Pick<SharedCounts, 'of' | 'add'>
}

const noDays: readonly CountSlot[] = []

/** Of the hash of a prefix or a number: few are compared with one another. */
const hashBytes = 12

export function createJudgements({ commit, runtime, key, counts }: JudgementParts): Judgements {
  const knownDays = createCountryDays({ commit, runtime })
  const wasVerified = commit.shareReads<PhoneKey, boolean>({
    ownerOf: ({ accountId }) => accountId,
    work: wereVerified,
  })

  return {
    of: async (send) => {
      const { rules, counterIds, counters, sparing } = send.inForce
      const judged = judgedSend(key, send, { ...send.judging, counters })
      const known = counts.of(send, send.inForce, judged)
      const state = { rules, counterIds, counts: withDays(known, send, knownDays) }
      let findings = judge(state, judged)
      // Seldom: so no other send waits for what the database knows of its phone.
      if (findings.some(({ rule }) => sparing.has(rule))) {
        judged.wasVerified = await wasVerified(send)
        findings = judge(state, judged)
      }
      const act = decideAct(findings)
      const rows = act === 'send' ? rowsOfSend(send.inForce.written, judged) : []
      return { act, findings, ...known.begin(rows) }
    },
    addVerified: (tx, list) =>
      tx.afterCommit(() => {
        for (const { inForce, sentAt, ...send } of list) {
          const { written: counters } = inForce
          const numberKind = counters.some(({ by }) => by === 'number_kind') ? numberKindOf(send.phone) : ''
          const judged = judgedSend(key, { ...send, at: sentAt }, { address: undefined, numberKind, counters })
          counts.add(send, rowsOfVerified(counters, judged))
        }
      }),
  }
}

/**
 * With the days before, by country. Until those are known, nothing is by country: a count without them would look like that of a
 * country to which nothing was ever sent.
 */
function withDays(
  known: KnownCounts,
  { accountId, mode, country = '', inForce }: SendToJudge,
  knownDays: KnownDays,
): SendCounts {
  const ofDays = inForce.counters.find((one) => !isWritten(one))
  if (!ofDays) return known
  const days = knownDays({ accountId, mode })
  return {
    slotsOf: (counterId) => {
      if (!counterId.startsWith('country:')) return known.slotsOf(counterId)
      if (!days) return []
      return counterId === ofDays.id ? (days.get(country) ?? noDays) : known.slotsOf(counterId)
    },
  }
}

/** @param counters for which it is judged, or counted */
function judgedSend(
  key: KeyObject,
  { accountId, at, phone, country, signals }: Omit<SendToJudge, 'inForce' | 'judging'>,
  { numberKind, address, counters }: Judging & { counters: readonly Counter[] },
): JudgedSend {
  const hash = (what: string, text: string) =>
    computeHmac(key, [what, accountId, text]).toString('base64url', 0, hashBytes)
  const { ip, network, user, device, trusted = false, unchecked = false, captcha = false } = signals ?? {}
  return {
    ...{ at: at.getTime(), phone, country, numberKind, ip, network, user, device, trusted, address },
    prefix: counters.some(({ by }) => by === 'prefix') ? hash('prefix', prefixOf(phone)) : '',
    number: counters.some(({ by, numbers }) => numbers && by !== 'prefix') ? hash('number', phone) : '',
    isCaptchaSolved: captcha,
    wasVerified: false,
    isUnchecked: unchecked,
  }
}
