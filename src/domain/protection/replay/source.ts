/** What a replay reads of the database, a page at a time: who replays may be another process than who has the database. */
import type { Commit } from '../../../store/engine/commit.ts'
import { findByCountry } from '../../../store/insight/figure.ts'
import type { CountryDay } from '../../../store/protection/count.ts'
import { type CodePage, findSentCodes, findVerifiedPhones, type SentCode } from '../../../store/protection/replay.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import { leastMessageId } from '../../sending/messageId.ts'

/** Times are milliseconds of Unix time. */
export interface ReplaySpan {
  from: number
  /** Its end, which is not in it. */
  to: number
  /** The last id of the page before; left out for the first. */
  after?: string | undefined
}

export interface ReplaySource {
  /** What was counted by country on whole days. */
  countryDays: (actor: Actor, accountId: string, span: Omit<ReplaySpan, 'after'>) => Promise<CountryDay[]>
  /** Codes with whole phones. */
  codes: (actor: Actor, accountId: string, span: ReplaySpan) => Promise<CodePage<SentCode>>
  /** Phones that were verified. */
  verifiedPhones: (actor: Actor, accountId: string, span: ReplaySpan) => Promise<CodePage<string>>
}

const dayMs = 86_400_000
const mode = 'live'

/** Each function throws Forbidden for who may not see the phones of the account. */
export function createReplaySource({ commit: { reader } }: { commit: Pick<Commit, 'reader'> }): ReplaySource {
  return {
    countryDays: async (actor, accountId, { from, to }) => {
      requireRole(actor, 'developer', accountId)
      const days: CountryDay[] = []
      for (let day = from; day < to; day += dayMs) {
        const range = { grain: 'day', from: new Date(day), to: new Date(day + dayMs) } as const
        const found = await findByCountry(reader, { accountId, mode }, range)
        days.push(
          ...found.map((sums) => ({ from: day, country: sums.country, sends: sums.created, verified: sums.verified })),
        )
      }
      return days
    },
    codes: async (actor, accountId, span) => {
      requireRole(actor, 'developer', accountId)
      return findSentCodes(reader, { accountId, ...idsOf(span) })
    },
    verifiedPhones: async (actor, accountId, span) => {
      requireRole(actor, 'developer', accountId)
      return findVerifiedPhones(reader, { accountId, ...idsOf(span) })
    },
  }
}

/** Ids sort by the time at which their messages were made. */
function idsOf({ from, to, after }: ReplaySpan) {
  return { afterId: after ?? leastMessageId(new Date(Math.max(0, from))), belowId: leastMessageId(new Date(to)) }
}
