/** What is added to the counts for the rules, in the commit of what is counted. */
import { accountId, type Batch, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inOrder } from '../engine/order.ts'
import { type Tx, write } from '../engine/session.ts'
import type { PhoneKey } from '../sending/limit.ts'
import { phoneColumns } from '../sending/verification.ts'
import type { CountOwner } from './count.ts'

interface CountedSlot extends CountOwner {
  slot: Date
  endsAt: Date
}

/** What a send adds to a slot. */
export interface SendCount extends CountedSlot {
  /** Its code is not checked here. */
  isUnchecked: boolean
  country: string | undefined
  number: string | undefined
}

/** What a right code adds to a slot. */
export interface VerifiedCount extends CountedSlot {
  country: string | undefined
}

/** A send of this transaction, with what it adds when it is made. */
export interface CountedSend extends PhoneKey {
  /** Of its message. */
  id: string
  counted: readonly SendCount[]
}

/** Parts of a slot: those that count the same at one moment seldom take the same one. */
export const countPartDigits = 1
/** Of each slot, so many distinct countries and numbers are kept in a part: the latest. */
const distinctKept = 64
/** Sends of which one statement knows which were made: the bits of a number. */
const sendsMax = 64

/** In the order in which slots are locked, everywhere: two that add to several of the same can not wait for each other. */
interface Ranked {
  rank: number
}

/** What sends of a list with one country and number add to a slot. */
interface AddedBySends extends Ranked, SendCount {
  /** Their places in the list, as bits; and of those whose codes are not checked here. */
  places: bigint
  uncheckedPlaces: bigint
}

interface AddedByCodes extends Ranked, VerifiedCount {
  verified: number
}

const slotColumns: Columns<CountedSlot & Ranked & { country: string | undefined }> = {
  ...accountId,
  mode: ['text', (row) => row.mode],
  counter: ['text', (row) => row.counter],
  key: ['text', (row) => row.key],
  // Seconds: a list of numbers is read faster than one of times.
  slot: ['float8', (row) => row.slot.getTime() / 1000],
  ends_at: ['float8', (row) => row.endsAt.getTime() / 1000],
  country: ['text', (row) => row.country],
  rank: ['int', (row) => row.rank],
}

const byCodes = batch<AddedByCodes>(
  'g',
  { ...slotColumns, verified: ['int', (row) => row.verified] },
  { isShort: true },
)

const [partOfCodes] = byCodes.more()

const setOf = (column: string) => `coalesce(array_agg(${column}) filter (where ${column} is not null), '{}')`
/** The latest are at the end. What is there already, is not there twice, and so a little fewer may be kept than fit. */
const united = (column: string) => `case when excluded.${column} <@ c.${column} then c.${column} else
      (c.${column} || array(select distinct one from unnest(excluded.${column}) as one where one <> all (c.${column})))[
        greatest(1, cardinality(c.${column}) + cardinality(excluded.${column}) - ${distinctKept - 1}):]
    end`

/** @param added SQL for `sends, unchecked, verified, countries, verified_countries, numbers` */
const adding = (added: string, source: string, part: string | undefined) => `
  insert into protection_count as c (account_id, mode, counter, key, slot, part, sends, unchecked, verified, countries,
    verified_countries, numbers, ends_at)
  select g.account_id, g.mode, g.counter, g.key, to_timestamp(g.slot), ${part}::smallint, ${added}, to_timestamp(g.ends_at)
  from ${source}
  group by g.rank, g.account_id, g.mode, g.counter, g.key, g.slot, g.ends_at
  order by g.rank
  on conflict (account_id, mode, counter, key, slot, part) do update set sends = c.sends + excluded.sends,
    unchecked = c.unchecked + excluded.unchecked, verified = c.verified + excluded.verified,
    countries = ${united('countries')}, verified_countries = ${united('verified_countries')},
    numbers = ${united('numbers')}`

const countOf = (places: string) => `sum(bit_count((${places} & made.places)::bit(64)))`

/** @param join SQL that finds those of the sends `s` that were made: limits may have forbidden one, and then it counts nothing */
function addingSends(s: Batch<CountedSend>, join: string) {
  const g = batch<AddedBySends>(
    'g',
    {
      ...slotColumns,
      number: ['text', (row) => row.number],
      places: ['bigint', (row) => bitsOf(row.places)],
      unchecked_places: ['bigint', (row) => bitsOf(row.uncheckedPlaces)],
    },
    { first: s.next, isShort: true },
  )
  const [part] = g.more()
  const added = `${countOf('g.places')}, ${countOf('g.unchecked_places')}, 0, ${setOf('g.country')}, '{}', ${setOf('g.number')}`
  const statement = write(`
  with made as materialized (
    select coalesce(bit_or(1::bigint << (s.n - 1)::int), 0) as places from ${s.numbered} ${join}
  )${adding(added, `made join ${g.rows} on g.places & made.places <> 0`, part)}`)
  return (tx: Tx, list: readonly CountedSend[], ofPart: number): void => {
    const counting = list.filter(({ counted }) => counted.length > 0)
    for (let from = 0; from < counting.length; from += sendsMax) {
      const some = counting.slice(from, from + sendsMax)
      tx.atCommit(statement, [...s.valuesOf(some), ...g.valuesOf(addedBySends(some)), ofPart])
    }
  }
}

const codeColumns: Columns<CountedSend> = { ...phoneColumns, id: ['text', (one) => one.id] }

/** Counts those of the codes of this transaction that were made. Goes with the commit, behind them. */
export const addSends = addingSends(
  batch<CountedSend>('s', codeColumns, { isShort: true }),
  'join phone p on p.account_id = s.account_id and p.mode = s.mode and p.phone = s.phone and p.verification_id = s.id',
)

const texts = batch<CountedSend>('s', keyColumns, { ids: 'id' })

/** The same for texts that another system wrote: of a text, the phone keeps no id. */
export const addSentTexts = addingSends(
  texts,
  `join message m on m.account_id = s.account_id and m.id = s.id and ${texts.inIdRange('m.id')}`,
)

const codes = write(adding(`0, 0, sum(g.verified), '{}', ${setOf('g.country')}, '{}'`, byCodes.rows, partOfCodes))

/** Counts codes that were right, at the times when they were sent. Goes with the commit. */
export function addVerified(tx: Tx, list: readonly VerifiedCount[], part: number): void {
  if (list.length === 0) return
  const merged = new Map<string, Named<AddedByCodes>>()
  for (const count of list) {
    const slotName = nameOf(count)
    const name = `${slotName} ${count.country}`
    const row = merged.get(name) ?? { ...count, slotName, rank: 0, verified: 0 }
    row.verified += 1
    merged.set(name, row)
  }
  tx.atCommit(codes, [...byCodes.valuesOf(ranked(merged.values())), part])
}

function addedBySends(list: readonly CountedSend[]): AddedBySends[] {
  const merged = new Map<string, Named<AddedBySends>>()
  for (const [place, { counted }] of list.entries()) {
    const bit = 1n << BigInt(place)
    for (const count of counted) {
      const slotName = nameOf(count)
      const name = `${slotName} ${count.country} ${count.number}`
      const row = merged.get(name) ?? { ...count, slotName, rank: 0, places: 0n, uncheckedPlaces: 0n }
      row.places |= bit
      if (count.isUnchecked) row.uncheckedPlaces |= bit
      merged.set(name, row)
    }
  }
  return ranked(merged.values())
}

type Named<Row> = Row & { slotName: string }

function nameOf({ accountId, mode, counter, key, slot }: CountedSlot): string {
  return `${accountId} ${mode} ${counter} ${key} ${slot.getTime()}`
}

function ranked<Row extends Ranked>(rows: Iterable<Named<Row>>): Named<Row>[] {
  const sorted = inOrder([...rows], ({ slotName }) => slotName)
  for (const [index, row] of sorted.entries()) {
    const before = sorted[index - 1]
    row.rank = before ? before.rank + (before.slotName === row.slotName ? 0 : 1) : 0
  }
  return sorted
}

/** As the database has it: the highest bit is the sign. */
function bitsOf(places: bigint): string {
  return String(BigInt.asIntN(sendsMax, places))
}
