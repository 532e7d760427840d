/** How verifications stand, for readers: by their ids, or the last ones of phones. */
import { accountId, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inIdRange } from '../engine/idRange.ts'
import { inPlaces } from '../engine/order.ts'
import { milliseconds, type Reader, read } from '../engine/session.ts'
import type { PhoneKey } from './limit.ts'
import { isChecked, isOver, type VerificationKey } from './verification.ts'

export interface VerificationStanding {
  id: string
  phone: string
  /** Of the connection that carries it, or did last; null where that is no connection of the account. */
  kind: string | null
  statusAt: Date
  expiresAt: Date
  /** It was neither right, cancelled nor replaced, and has time left. */
  isOpen: boolean
  hasAttempts: boolean
}

type Raw = Omit<VerificationStanding, 'statusAt' | 'expiresAt'> & { n: number; statusAt: number; expiresAt: number }
type At = { at: Date }

const at: Columns<At> = { at: ['timestamptz', (one) => one.at] }
const byIds = batch<VerificationKey & At>(
  'g',
  { ...keyColumns, mode: ['text', (one) => one.mode], ...at },
  { ids: 'id' },
)
const byPhones = batch<PhoneKey & At>(
  'g',
  { ...accountId, mode: ['text', (one) => one.mode], phone: ['text', (one) => one.phone], ...at },
  { isShort: true },
)

/** Materialized: a planner that was free to begin with the phones of an account might do so. */
const ofIds = read<Raw>(
  standing(`
  asked as materialized (
    select g.n, g.at, m.account_id, m.id, m.mode, m.phone, m.route[m.leg] as connection, m.status_at, m.expires_at,
      ${isOver} as is_over
    from ${byIds.numbered}
    join message m on m.account_id = g.account_id and m.id = g.id and m.mode = g.mode and m.kind = 'verification'
      and ${byIds.inIdRange('m.id')} and ${isChecked}
  )`),
)

const ofPhones = read<Raw>(
  standing(`
  latest as materialized (
    select g.n, g.at, p.account_id, p.mode, p.phone, p.verification_id
    from ${byPhones.numbered}
    join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
  ), asked as materialized (
    select l.n, l.at, m.account_id, m.id, m.mode, m.phone, m.route[m.leg] as connection, m.status_at, m.expires_at,
      ${isOver} as is_over
    from latest l
    join message m on m.account_id = l.account_id and m.id = l.verification_id and ${inIdRange('m.id', byPhones.next)}
  )`),
)

/** @param asked SQL that makes the table `asked`: the messages of verifications */
function standing(asked: string): string {
  return `
  with ${asked}
  select a.n::int as n, a.id, a.phone, c.kind, ${milliseconds('a.status_at')} as "statusAt",
    ${milliseconds('a.expires_at')} as "expiresAt", p.attempts < p.attempts_max as "hasAttempts",
    p.verification_id = a.id and p.verified_attempt is null and p.expires_at > a.at and not a.is_over as "isOpen"
  from asked a
  join phone p on p.account_id = a.account_id and p.mode = a.mode and p.phone = a.phone
  left join connection c on c.account_id = a.account_id and c.id = a.connection`
}

/** Each verification; undefined where the account has none in that mode. */
export async function findStandings(
  reader: Reader,
  keys: readonly (VerificationKey & At)[],
): Promise<(VerificationStanding | undefined)[]> {
  return inPlaces(keys, (await reader.run(ofIds, byIds.valuesOf(keys))).map(standingOf))
}

/**
 * The last verification of each phone; undefined where there is none.
 *
 * @param pendingSpan the least and the greatest id of what can be pending: others are not found
 */
export async function findStandingsByPhone(
  reader: Reader,
  keys: readonly (PhoneKey & At)[],
  pendingSpan: readonly [least: string, greatest: string],
): Promise<(VerificationStanding | undefined)[]> {
  return inPlaces(keys, (await reader.run(ofPhones, [...byPhones.valuesOf(keys), ...pendingSpan])).map(standingOf))
}

function standingOf(row: Raw): VerificationStanding & { n: number } {
  return { ...row, statusAt: new Date(row.statusAt), expiresAt: new Date(row.expiresAt) }
}
