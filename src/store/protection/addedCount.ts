/** What is added to the counts for the rules, in the commit of what is counted. */
import { type Batch, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inOrder } from '../engine/order.ts'
import { type Tx, write } from '../engine/session.ts'
import type { PhoneKey } from '../sending/limit.ts'
import { phoneColumns } from '../sending/verification.ts'
import { madeCodes, madeMessages } from './made.ts'

interface CountedSlot {
  /** By `countKeyOf`. */
  countKey: string
  /** Its beginning, and from when on it says nothing, in milliseconds of Unix time. */
  slot: number
  endsAt: number
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
  counted?: readonly SendCount[]
}

/** Digits of a part of a slot: two that add to a slot at one moment seldom draw the same part, and so seldom wait. */
export const countPartDigits = 1
/** Of each slot, so many distinct countries and numbers are kept in a part: the latest. */
const distinctKept = 64
/**
 * Sends of which one statement can tell which were made: each takes a bit of a number. A group has no more, so that one statement
 * is enough: two groups with two statements each could wait for each other's slots.
 */
export const countedSendsMax = 52

/** The places in the list of the sends that have something in common, as a sum of bits. */
type Places = number
/** Countries or numbers of sends of a slot, and the places of each. */
interface Members {
  names: string[]
  places: Places[]
}

/** What the sends of a list add to a slot. */
interface AddedBySends extends CountedSlot {
  places: Places
  uncheckedPlaces: Places
  countries: Members | undefined
  numbers: Members | undefined
}

interface AddedByCodes extends CountedSlot {
  verified: number
  countries: Set<string>
}

const slotColumns: Columns<CountedSlot> = {
  key: ['text', (row) => row.countKey],
  // Seconds: a list of numbers is read faster than one of times.
  slot: ['float8', (row) => row.slot / 1000],
  ends_at: ['float8', (row) => row.endsAt / 1000],
}

/** A name that is there already is not added again, so a few fewer may be kept than fit. The latest are at the end. */
const united = (
  column: string,
) => `case when excluded.${column} is null or excluded.${column} <@ c.${column} then c.${column}
      else (c.${column} || array(
        select one from unnest(excluded.${column}) as one where one <> all (coalesce(c.${column}, '{}'))
      ))[greatest(1, coalesce(cardinality(c.${column}), 0) + cardinality(excluded.${column}) - ${distinctKept - 1}):] end`

interface Adding {
  /** SQL for `sends, unchecked, verified, countries, verified_countries, numbers`. */
  added: string
  /** Which of them are sets that rows bring more for. */
  sets: ('countries' | 'verified_countries' | 'numbers')[]
  /** SQL for the rows `g`. */
  from: string
  /** Its parameter. */
  part: string | undefined
}

/** Rows are added in the order of the list, in which everybody locks them. */
const adding = ({ added, sets, from, part }: Adding) => `
  insert into protection_count as c (key, slot, part, sends, unchecked, verified, countries, verified_countries, numbers,
    ends_at)
  select g.key, to_timestamp(g.slot), ${part}::smallint, ${added}, to_timestamp(g.ends_at)
  from ${from}
  order by g.n
  on conflict (key, slot, part) do update set sends = c.sends + excluded.sends,
    unchecked = c.unchecked + excluded.unchecked, verified = c.verified + excluded.verified,
    ${sets.map((column) => `${column} = ${united(column)}`).join(', ')}`

const made = '(select places from made)'
const countOf = (places: string) => `bit_count((${places} & ${made})::bit(64))`
/** Most slots are of sends that were all made, or of one. */
const setOf = (column: string) => `case when g.${column}_places is null or g.places & ~ ${made} = 0
    then string_to_array(g.${column}, ' ')
    else (select array_agg(u.one) from unnest(string_to_array(g.${column}, ' '), string_to_array(g.${column}_places, ' ')::bigint[])
      as u (one, places) where u.places & ${made} <> 0) end`

/** @param ofMade SQL that keeps those of the sends `s` that were made: what limits have forbidden, counts nothing */
function addingSends(s: Batch<CountedSend>, ofMade: string) {
  const g = batch<AddedBySends>(
    'g',
    {
      ...slotColumns,
      places: ['bigint', (row) => row.places],
      unchecked_places: ['bigint', (row) => row.uncheckedPlaces],
      countries: ['text', (row) => row.countries?.names.join(' ')],
      countries_places: ['text', (row) => placesOf(row.countries, row)],
      numbers: ['text', (row) => row.numbers?.names.join(' ')],
      numbers_places: ['text', (row) => placesOf(row.numbers, row)],
    },
    { first: s.next, isShort: true },
  )
  const [part] = g.more()
  const added = `${countOf('g.places')}, ${countOf('g.unchecked_places')}, 0, ${setOf('countries')}, null, ${setOf('numbers')}`
  const statement = write(`
  with made as materialized (
    select coalesce(bit_or(1::bigint << (s.n - 1)::int), 0) as places from ${s.numbered} ${ofMade}
  )${adding({ added, sets: ['countries', 'numbers'], from: `${g.numbered} where g.places & ${made} <> 0`, part })}`)
  return (tx: Tx, list: readonly CountedSend[], ofPart: number): void => {
    const counting = list.filter(({ counted = [] }) => counted.length > 0)
    for (let from = 0; from < counting.length; from += countedSendsMax) {
      const some = counting.slice(from, from + countedSendsMax)
      tx.atCommit(statement, [...s.valuesOf(some), ...g.valuesOf(addedBySends(some)), ofPart])
    }
  }
}

const codeColumns: Columns<CountedSend> = { ...phoneColumns, id: ['text', (one) => one.id] }

/** Counts those of the codes of this transaction that were made. Goes with the commit, behind them. */
export const addSentCodes = addingSends(batch<CountedSend>('s', codeColumns, { isShort: true }), madeCodes('s', 'id'))

const texts = batch<CountedSend>('s', keyColumns, { ids: 'id' })

/** The same for texts that another system wrote. */
export const addSentTexts = addingSends(texts, madeMessages('s', texts, 'id'))

const codes = batch<AddedByCodes>(
  'g',
  {
    ...slotColumns,
    verified: ['int', (row) => row.verified],
    countries: ['text', ({ countries }) => (countries.size > 0 ? [...countries].join(' ') : null)],
  },
  { isShort: true },
)
const [partOfCodes] = codes.more()
const addCodes = write(
  adding({
    added: "0, 0, g.verified, null, string_to_array(g.countries, ' '), null",
    sets: ['verified_countries'],
    from: codes.numbered,
    part: partOfCodes,
  }),
)

/** Counts codes that were right, at the times when they were sent. Goes with the commit. */
export function addVerified(tx: Tx, list: readonly VerifiedCount[], part: number): void {
  if (list.length === 0) return
  const slots = new Map<string, AddedByCodes>()
  for (const count of list) {
    const row = rowOf(slots, count, (slot): AddedByCodes => ({ ...slot, verified: 0, countries: new Set() }))
    row.verified += 1
    if (count.country !== undefined) row.countries.add(count.country)
  }
  tx.atCommit(addCodes, [...codes.valuesOf(inSlotOrder(slots)), part])
}

function addedBySends(list: readonly CountedSend[]): AddedBySends[] {
  const slots = new Map<string, AddedBySends>()
  for (const [place, { counted = [] }] of list.entries()) {
    const bit: Places = 2 ** place
    for (const count of counted) {
      const row = rowOf(
        slots,
        count,
        (slot): AddedBySends => ({ ...slot, places: 0, uncheckedPlaces: 0, countries: undefined, numbers: undefined }),
      )
      row.places += bit
      if (count.isUnchecked) row.uncheckedPlaces += bit
      row.countries = withMember(row.countries, count.country, bit)
      row.numbers = withMember(row.numbers, count.number, bit)
    }
  }
  return inSlotOrder(slots)
}

function rowOf<Row>(
  slots: Map<string, Row>,
  { countKey, slot, endsAt }: CountedSlot,
  make: (slot: CountedSlot) => Row,
): Row {
  const name = `${countKey} ${slot}`
  const known = slots.get(name)
  if (known) return known
  const made = make({ countKey, slot, endsAt })
  slots.set(name, made)
  return made
}

/** The order in which every statement locks slots, so that no two wait for each other. */
function inSlotOrder<Row>(slots: ReadonlyMap<string, Row>): Row[] {
  return inOrder([...slots], ([name]) => name).map(([, row]) => row)
}

/** Looked for one by one: a group is small. */
function withMember(members: Members | undefined, name: string | undefined, bit: Places): Members | undefined {
  if (name === undefined) return members
  if (!members) return { names: [name], places: [bit] }
  const known = members.names.indexOf(name)
  if (known >= 0) members.places[known]! += bit
  else {
    members.names.push(name)
    members.places.push(bit)
  }
  return members
}

/** @returns undefined where each send of the slot has the same one: that is there whenever the slot is */
function placesOf(members: Members | undefined, slot: Pick<AddedBySends, 'places'>): string | undefined {
  return members && members.places[0] !== slot.places ? members.places.join(' ') : undefined
}
