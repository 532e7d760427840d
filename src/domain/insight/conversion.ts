/** Conversion: which part of the codes came back as a right code, beside what is usual for their country or connection. */
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader } from '../../store/engine/session.ts'
import {
  findDailyCodes,
  findPrefixCodes,
  type NamedCodes,
  type SentAndVerified,
} from '../../store/insight/conversion.ts'
import { findByConnection, findByCountry, type Range, type Sums } from '../../store/insight/figure.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { leastMessageId } from '../sending/messageId.ts'

/** Codes beside what is usual for them. */
export interface Conversion extends NamedCodes {
  /** The median of the last 14 days, 0 to 1; undefined where too few of them have enough codes. */
  usual: number | undefined
}

/** Codes that come back far less than is usual. */
export interface FallenConversion extends SentAndVerified {
  /** ISO 3166-1 alpha-2; empty for numbers of no country. */
  country: string
  /** How the numbers begin; undefined where it is the whole country. */
  prefix: string | undefined
  usual: number
  /** For so long the codes were counted. */
  minutes: number
}

export interface Conversions {
  /** Of the last 24 hours; the one with the most codes first. @throws Forbidden */
  find: (actor: Actor, of: CodeOwner) => Promise<{ countries: Conversion[]; connections: Conversion[] }>
}

interface CodeOwner {
  accountId: string
  mode: Mode
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Days of which the median is taken: so many, of which at least some have enough codes. */
const usualDays = { days: 14, least: 3, codes: 10 }
/** Fewer codes say nothing. */
const codesMin = 20
/** Of chance: a fall by so many happens by itself about once in thirty thousand looks. */
const deviations = 4
/** Minutes that a code is given to come back before it counts. */
const youngMinutes = 2
/** Minutes that are looked at, the shorter time first: it tells sooner, the longer one tells of fewer codes. */
const windows = [10, 58] as const
/** Of each kind, the worst are told. */
const toldMax = 5

export function createConversions({
  commit: { reader },
  runtime,
}: {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
}): Conversions {
  return {
    find: async (actor, of) => {
      requireRole(actor, 'viewer', of.accountId)
      const now = runtime.now().getTime()
      const to = now - (now % hourMs) + hourMs
      const range: Range = { grain: 'hour', from: new Date(to - dayMs), to: new Date(to) }
      const [countries, connections, usualOfCountry, usualOfConnection] = await Promise.all([
        findByCountry(reader, of, range),
        findByConnection(reader, of, range),
        findUsual(reader, of, { now, by: 'country' }),
        findUsual(reader, of, { now, by: 'connection' }),
      ])
      return {
        countries: besideUsual(countries, ({ country }) => country, usualOfCountry),
        connections: besideUsual(connections, ({ connection }) => connection, usualOfConnection),
      }
    },
  }
}

/**
 * Countries, and beginnings of numbers, of which far fewer codes came back in the last minutes than is usual. Of how numbers
 * begin, the measure is what is usual for their country: hardly one has codes enough for a measure of its own.
 */
export async function findFallen(reader: Reader, of: CodeOwner, at: Date): Promise<FallenConversion[]> {
  const now = at.getTime()
  const to = now - (now % minuteMs) - youngMinutes * minuteMs
  const usual = await findUsual(reader, of, { now, by: 'country' })
  if (usual.size === 0) return []
  const since = (minutes: number) => new Date(to - minutes * minuteMs)
  const [prefixes, ...countries] = await Promise.all([
    findPrefixCodes(reader, of, {
      afterId: leastMessageId(since(windows[0])),
      belowId: leastMessageId(new Date(to)),
      least: codesMin,
    }),
    ...windows.map((minutes) => findByCountry(reader, of, { grain: 'minute', from: since(minutes), to: new Date(to) })),
  ])
  const found = countries.map((list, index) =>
    list.flatMap(({ country, verificationsSent: sent, verified }) =>
      toFallen({ country, prefix: undefined, sent, verified, minutes: windows[index]! }, usual),
    ),
  )
  const sooner = new Set(found[0]?.map(({ country }) => country))
  const ofCountries = found.flatMap((list, index) => list.filter(({ country }) => index === 0 || !sooner.has(country)))
  return [...worst(ofCountries), ...worst(prefixes.flatMap((one) => toFallen({ ...one, minutes: windows[0] }, usual)))]
}

function toFallen(codes: Omit<FallenConversion, 'usual'>, usualOf: ReadonlyMap<string, number>): FallenConversion[] {
  const usual = usualOf.get(codes.country)
  return usual !== undefined && isFallen({ ...codes, usual }) ? [{ ...codes, usual }] : []
}

/** Whether less than half came back of what is usual, and that is more than chance. */
export function isFallen({ sent, verified, usual }: SentAndVerified & Pick<Conversion, 'usual'>): boolean {
  if (usual === undefined || sent < codesMin) return false
  const missing = sent * usual - verified
  return verified < (sent * usual) / 2 && missing > deviations * Math.sqrt(sent * usual * (1 - usual))
}

function worst(list: readonly FallenConversion[]): FallenConversion[] {
  const missing = ({ sent, usual, verified }: FallenConversion) => sent * usual - verified
  return list.toSorted((one, other) => missing(other) - missing(one)).slice(0, toldMax)
}

function besideUsual<Row extends Pick<Sums, 'verificationsSent' | 'verified'>>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  usual: ReadonlyMap<string, number>,
): Conversion[] {
  return rows
    .filter(({ verificationsSent }) => verificationsSent > 0)
    .map((row) => {
      const name = nameOf(row)
      return { name, sent: row.verificationsSent, verified: row.verified, usual: usual.get(name) }
    })
    .toSorted((one, other) => other.sent - one.sent)
}

/** The median of the days before today (UTC); of those that have one. */
async function findUsual(
  reader: Reader,
  of: CodeOwner,
  { now, by }: { now: number; by: 'country' | 'connection' },
): Promise<Map<string, number>> {
  const today = now - (now % dayMs)
  const from = new Date(today - usualDays.days * dayMs)
  const days = await findDailyCodes(reader, of, { from, to: new Date(today), by })
  const told = days.filter(({ sent }) => sent >= usualDays.codes)
  return new Map(
    [...Map.groupBy(told, ({ name }) => name)]
      .filter(([, own]) => own.length >= usualDays.least)
      .map(([name, own]) => [name, computeMedian(own.map(({ sent, verified }) => verified / sent))]),
  )
}

/** @param values at least one */
function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
