/** The figures of an account, as its charts and tables ask for them. */
import { batch } from '../engine/batch.ts'
import { milliseconds, type Reader, read } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'
import type { Grain } from '../schema/userSchema.ts'
import { latencyPlaces } from './counting.ts'

/** Of the messages that were made, each is in exactly one part. */
export interface MessageBreakdown {
  /** Delivered, read, or proved to have arrived by a right code. */
  delivered: number
  /** Whatever else may still come of it: it waits, or a channel took it and has said no more. */
  onTheWay: number
  /** But for the replaced. */
  failed: number
  expired: number
  /** A newer code replaced it before a channel took it. */
  replaced: number
}

/** Sums over messages. */
export interface Sums extends MessageBreakdown {
  created: number
  /** Verifications that are checked or confirmed here, and that a channel took or that arrived by what came after. */
  verificationsSent: number
  verified: number
}

export interface TimedSums extends Sums {
  /** How many took how long; the places are those of `domain/figure.ts`. */
  latencies: number[]
}

export interface Range {
  grain: Grain
  from: Date
  /** Its end, which is not in it. */
  to: Date
}

interface Owner {
  accountId: string
  mode: Mode
}

const sums = `
  coalesce(sum(f.created), 0)::int as created, coalesce(sum(f.delivered), 0)::int as delivered,
  coalesce(sum(f.created - f.delivered - f.failed - f.expired), 0)::int as "onTheWay",
  coalesce(sum(f.failed - f.superseded), 0)::int as failed, coalesce(sum(f.expired), 0)::int as expired,
  coalesce(sum(f.superseded), 0)::int as replaced,
  coalesce(sum(f.sent) filter (where f.kind = 'verification'), 0)::int as "verificationsSent",
  coalesce(sum(f.verified), 0)::int as verified`
const places = Array.from({ length: latencyPlaces }, (_, place) => `coalesce(sum(f.latencies[${place + 1}]), 0)`)
const latencies = `array_to_string(array[${places.join(', ')}], ' ') as latencies`
const ofRange = `f.account_id = $1 and f.mode = $2 and f.grain = $3 and f.at >= $4::text::timestamptz
  and f.at < $5::text::timestamptz`

const series = read<Sums & { at: number }>(`
  select ${milliseconds('f.at')} as at, ${sums} from figure f where ${ofRange} group by f.at order by f.at`)

/** One for each moment of the grain at which messages were made, in their order. */
export async function findSeries(reader: Reader, owner: Owner, range: Range): Promise<(Sums & { at: Date })[]> {
  const found = await reader.run(series, valuesOf(owner, range))
  return found.map(({ at, ...rest }) => ({ ...rest, at: new Date(at) }))
}

type Raw<Row extends TimedSums> = Omit<Row, 'latencies'> & { latencies: string }

const byCountry = read<Sums & { country: string }>(
  `select f.country, ${sums} from figure f where ${ofRange} group by f.country`,
)

/** What of it went to each country; empty for numbers of no country. */
export async function findByCountry(
  reader: Reader,
  owner: Owner,
  range: Range,
): Promise<(Sums & { country: string })[]> {
  return reader.run(byCountry, valuesOf(owner, range))
}

type OfConnection = TimedSums & { connection: string }

const byConnection = read<Raw<OfConnection>>(
  `select f.connection, ${sums}, ${latencies} from figure f where ${ofRange} group by f.connection`,
)

/** What of it went through each connection, as the last that was asked. */
export async function findByConnection(reader: Reader, owner: Owner, range: Range): Promise<OfConnection[]> {
  return (await reader.run(byConnection, valuesOf(owner, range))).map(timed<OfConnection>)
}

const ranges = batch<Range>('r', {
  grain: ['text', (range) => range.grain],
  since: ['timestamptz', (range) => range.from],
  until: ['timestamptz', (range) => range.to],
})
const [account, mode] = ranges.more()

const totals = read<Raw<TimedSums>>(`
  select s.* from ${ranges.numbered}
  cross join lateral (
    select ${sums}, ${latencies} from figure f
    where f.account_id = ${account} and f.mode = ${mode} and f.grain = r.grain and f.at >= r.since and f.at < r.until
  ) s
  order by r.n`)

/** The sums over each range. */
export async function findTotals(
  reader: Reader,
  { accountId, mode }: Owner,
  list: readonly Range[],
): Promise<TimedSums[]> {
  return (await reader.run(totals, [...ranges.valuesOf(list), accountId, mode])).map(timed<TimedSums>)
}

function valuesOf({ accountId, mode }: Owner, { grain, from, to }: Range): unknown[] {
  return [accountId, mode, grain, from.toISOString(), to.toISOString()]
}

function timed<Row extends TimedSums>({ latencies: text, ...row }: Raw<Row>): Row {
  return { ...row, latencies: text.split(' ').map(Number) } as unknown as Row
}
