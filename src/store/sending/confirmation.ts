/** Codes that their callers or auth systems made: these tell that a code was right, where they have checked it themselves. */
import { batch } from '../engine/batch.ts'
import { inIdRange, isId } from '../engine/idRange.ts'
import { inPlaces } from '../engine/order.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { KeptSignals } from '../schema/schema.ts'
import type { PhoneKey } from './limit.ts'
import { isChecked, isOver, phoneColumns, type VerificationKey, verificationColumns } from './verification.ts'

/** A code that was not made here. */
export interface GivenCode {
  id: string
  /** It came through an inlet: no code is pending here. */
  isPosted: boolean
  verified: boolean
}

/** SQL for: the code of the message `m` was not made here. */
const isGiven = `m.signals -> 'ownCode' = 'true'`
const givenColumns = `m.id, not ${isChecked} as "isPosted", m.verified_at is not null as verified`

const keys = batch<VerificationKey>('g', verificationColumns, { ids: 'id' })
const byIds = read<GivenCode & { n: number }>(`
  select g.n::int as n, ${givenColumns}
  from ${keys.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and m.mode = g.mode and ${keys.inIdRange('m.id')} and ${isGiven}`)

/** Each code; undefined where the account has none in that mode. */
export async function findGivenCodes(
  reader: Reader,
  list: readonly VerificationKey[],
): Promise<(GivenCode | undefined)[]> {
  return inPlaces(list, await reader.run(byIds, keys.valuesOf(list)))
}

const phones = batch<PhoneKey>('g', phoneColumns, { isShort: true })
const byPhones = read<GivenCode & { n: number }>(`
  select g.n::int as n, m.*
  from ${phones.numbered} cross join lateral (
    select ${givenColumns} from message m
    where m.phone = g.phone and (m.account_id || '') = g.account_id and m.mode = g.mode and ${inIdRange('m.id', phones.next)}
      and ${isGiven}
    order by m.id desc limit 1
  ) m`)

/**
 * The newest code that was sent to each phone; undefined where there is none.
 *
 * @param span the least and the greatest id of the codes that are looked at
 */
export async function findGivenCodesByPhone(
  reader: Reader,
  list: readonly PhoneKey[],
  span: readonly [least: string, greatest: string],
): Promise<(GivenCode | undefined)[]> {
  return inPlaces(list, await reader.run(byPhones, [...phones.valuesOf(list), ...span]))
}

/** The send of a code that is confirmed now. */
export interface ConfirmedSend {
  phone: string
  country: string | null
  signals: KeptSignals | null
  /** Milliseconds of Unix time. */
  sentAt: number
}

type Timed = VerificationKey & { at: Date }
const timed = batch<Timed>('g', { ...verificationColumns, at: ['timestamptz', (one) => one.at] }, { ids: 'id' })

/**
 * Phones are locked in their order, and then messages. A message that another transaction confirms at the same moment is waited for
 * and looked at again: one of the two confirms it.
 */
const confirm = write<ConfirmedSend & { n: number }>(`
  with asked as materialized (
    select g.n, g.at, m.account_id, m.id, m.mode, m.phone
    from ${timed.numbered}
    join message m on m.account_id = g.account_id and ${isId('m.id', 'g.id')} and m.mode = g.mode
      and ${timed.inIdRange('m.id')} and not ${isChecked}
  ), held as materialized (
    select g.*
    from asked g
    join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    order by p.account_id collate "C", p.mode collate "C", p.phone collate "C" for update of p
  ), confirmed as (
    update message m set verified_at = g.at, content = null
    from (select * from held order by account_id collate "C", id collate "C") g
    where m.account_id = g.account_id and ${isId('m.id', 'g.id')} and ${timed.inIdRange('m.id')}
      and m.verified_at is null and m.expires_at > g.at and not ${isOver}
    returning g.n, g.mode, m.account_id, m.phone, m.country, m.signals, ${milliseconds('m.created_at')} as "sentAt"
  ), known as (
    update phone p set has_verified = true from confirmed g
    where p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone and not p.has_verified
  )
  select n::int as n, phone, country, signals, "sentAt" from confirmed`)

/**
 * Counts codes of inlets as right: each once, and while it has time left.
 *
 * @returns undefined for each that is not confirmed
 */
export async function confirmPosted(tx: Tx, list: readonly Timed[]): Promise<(ConfirmedSend | undefined)[]> {
  return inPlaces(list, await tx.run(confirm, timed.valuesOf(list)))
}
