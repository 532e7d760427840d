/**
 * Opt-outs: who told a provider, the account or the operator so, or answered STOP, gets no more notifications, by any connection.
 * Codes are not concerned.
 */
import type { KeyObject } from 'node:crypto'
import type { Reader, Tx } from '../../../store/engine/session.ts'
import type { OptOutCategory, OptOutSource } from '../../../store/schema/requestSchema.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import type { Moved } from '../../../store/sending/change.ts'
import {
  areOptedOut,
  endOptOuts,
  findOptOuts,
  type KnownOptOut,
  type OptOutKey,
  type RecordedOptOut,
  recordOptOuts,
} from '../../../store/sending/optOut.ts'
import { computeHmac } from '../../access/hmac.ts'
import type { BlindIndex } from '../../access/keyring.ts'
import type { Events } from '../../webhooks/event.ts'
import { onePhone } from '../phoneForm.ts'
import { recipientOf } from './recipient.ts'

interface Recipient {
  accountId: string
  mode: Mode
  phone: string
}

/** That a phone opts out, or in again. */
export interface OptOutNews extends Recipient {
  /** What it opts out of, by default `all`; or in again, by default to what it had opted out of. */
  category?: OptOutCategory | undefined
  source: OptOutSource
  at: Date
}

export interface OptOuts {
  keyOf: (recipient: Recipient) => OptOutKey
  /** In one read; in none for an empty list. @returns those that have opted out of what their template says */
  among: <One extends Recipient & { template: string | null }>(
    reader: Reader,
    recipients: readonly One[],
  ) => Promise<ReadonlySet<One>>
  /** In one read. @returns of each, of what, who told first and when; undefined where it has not opted out */
  find: (reader: Reader, recipients: readonly Recipient[]) => Promise<(KnownOptOut | undefined)[]>
  /** At once, and tells of those that are new, unless the phone has opted in since. No two may be of one phone. @returns of each, what is known now */
  add: (tx: Tx, list: readonly OptOutNews[]) => Promise<KnownOptOut[]>
  /** As `add`. @returns how many had not opted out before, or of less */
  addNew: (tx: Tx, list: readonly OptOutNews[]) => Promise<number>
  /** At once, and tells of those that had opted out, and have not since. No two may be of one phone. @returns how many had */
  remove: (tx: Tx, list: readonly OptOutNews[]) => Promise<number>
  /** Remembers the phones of messages that a provider refused for an opt-out. */
  remember: (tx: Tx, moved: readonly Moved[]) => Promise<void>
}

/** Of a hash that is kept: enough that no two meet by chance. */
const keptBytes = 16

export interface OptOutParts {
  /** Its key stays the same when secrets are rotated. */
  lookup: Pick<BlindIndex, 'key'>
  events: Pick<Events, 'tellOptOuts'>
}

export function createOptOuts({ lookup: { key }, events }: OptOutParts): OptOuts {
  const keyOf = (recipient: Recipient) => toOptOutKey(key, recipient)
  const rowOf = (one: OptOutNews) => ({
    ...keyOf(one),
    ...{ category: one.category, source: one.source, since: one.at, recipient: recipientOf(key, one.accountId, one) },
  })
  const tell = (tx: Tx, list: readonly OptOutNews[], is: 'out' | 'in') =>
    events.tellOptOuts(
      tx,
      list.map(({ accountId, mode, phone, category = 'all', source, at }) => ({
        ...{ accountId, mode, category, source, at, is },
        recipient: recipientOf(key, accountId, { mode, phone }),
      })),
    )
  const find: OptOuts['find'] = async (reader, recipients) => findOptOuts(reader, recipients.map(keyOf))
  const record = async (tx: Tx, list: readonly OptOutNews[]): Promise<RecordedOptOut[]> => {
    if (list.length === 0) return []
    const recorded = await recordOptOuts(
      tx,
      list.map((one) => ({ ...rowOf(one), category: one.category ?? 'all' })),
    )
    tell(
      tx,
      list.filter((_one, place) => recorded[place]?.isNew),
      'out',
    )
    return recorded
  }
  const add: OptOuts['add'] = async (tx, list) => (await record(tx, list)).map(({ isNew: _isNew, ...known }) => known)
  return {
    ...{ keyOf, find, add },
    addNew: async (tx, list) => (await record(tx, list)).filter(({ isNew }) => isNew).length,
    among: async (reader, recipients) => {
      if (recipients.length === 0) return new Set()
      const isOptedOut = await areOptedOut(
        reader,
        recipients.map((one) => ({ ...keyOf(one), template: one.template })),
      )
      return new Set(recipients.filter((_recipient, place) => isOptedOut[place]))
    },
    remove: async (tx, list) => {
      if (list.length === 0) return 0
      const gone = await endOptOuts(tx, list.map(rowOf))
      const back = list.flatMap((one, place) => {
        const category = gone[place]
        return category ? [{ ...one, category }] : []
      })
      tell(tx, back, 'in')
      return back.length
    },
    remember: async (tx, moved) => {
      await add(tx, [...new Map(listRefused(moved).map((one) => [nameOf(keyOf(one)), one])).values()])
    },
  }
}

/** Those of everything last: of two of one phone, it counts. */
function listRefused(moved: readonly Moved[]): OptOutNews[] {
  const refused = moved.flatMap(({ accountId, mode, at, optedOut: phone, isMarketingAlone }) => {
    const category: OptOutCategory = isMarketingAlone ? 'marketing' : 'all'
    return phone === null ? [] : { ...{ accountId, mode, phone, at, category }, source: 'provider' as const }
  })
  return refused.toSorted((one, other) => Number(one.category === 'all') - Number(other.category === 'all'))
}

/** Of a phone of an account, in a mode. */
export function nameOf({ accountId, mode, phoneHash }: OptOutKey): string {
  return `${accountId} ${mode} ${phoneHash}`
}

/** The same for every number of a phone. @param key stays the same when secrets are rotated */
function toOptOutKey(key: KeyObject, { accountId, mode, phone }: Recipient): OptOutKey {
  const phoneHash = computeHmac(key, ['opt-out', accountId, mode, onePhone(phone)]).toString('base64url', 0, keptBytes)
  return { accountId, mode, phoneHash }
}
