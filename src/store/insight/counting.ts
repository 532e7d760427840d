/**
 * Counts messages into the rows of `figure`. What it has counted it replaces, and passes on what differs to the coarser rows:
 * however often that is done, they hold each message once.
 */
import { accountId, batch } from '../engine/batch.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { figure, Grain } from '../schema/userSchema.ts'
import { dates, timesOf } from '../sending/limit.ts'

/** Numbers that `latencies` has: the first statement that names one more would find none. */
export const latencyPlaces = 16

export type Counts = Omit<typeof figure.$inferSelect, 'grain'>

/** How far messages are counted; as `counting` in `userSchema.ts` has it. */
export interface Progress {
  settledUntil: Date
  recountAt: Date
  countedAt: Date
  dueAt: Date
  hoursUntil: readonly Date[]
}

const progressColumns = `
  ${milliseconds('settled_until')} as "settledUntil", ${milliseconds('recount_at')} as "recountAt",
  ${milliseconds('counted_at')} as "countedAt", ${milliseconds('due_at')} as "dueAt", ${timesOf('hours_until')} as "hoursUntil"`

type RawProgress = Record<'settledUntil' | 'recountAt' | 'countedAt' | 'dueAt', number> & { hoursUntil: string }

const found = read<RawProgress>(`select ${progressColumns} from counting where what = 'messages'`)
/** By hashing, messages are counted in a third of the time, which the planner does not believe. */
const held = write<RawProgress>(`
  select ${progressColumns}, set_config('enable_sort', 'off', true) from counting where what = 'messages'
  for update skip locked`)

/** Undefined before anything was counted. */
export async function findProgress(reader: Reader): Promise<Progress | undefined> {
  const [row] = await reader.run(found, [])
  return row && progressOf(row)
}

/** Keeps everybody else from counting until the transaction ends. @returns undefined when somebody else counts now */
export async function holdProgress(tx: Tx): Promise<Progress | undefined> {
  const [row] = await tx.run(held, [])
  return row && progressOf(row)
}

function progressOf({ settledUntil, recountAt, countedAt, dueAt, hoursUntil }: RawProgress): Progress {
  return {
    settledUntil: new Date(settledUntil),
    recountAt: new Date(recountAt),
    countedAt: new Date(countedAt),
    dueAt: new Date(dueAt),
    hoursUntil: dates(hoursUntil),
  }
}

const begin = write(`
  insert into counting (what, settled_until, recount_at, counted_at, due_at, hours_until)
  values ('messages', $1::text::timestamptz, $2::text::timestamptz, $3::text::timestamptz, $4::text::timestamptz,
    $5::text[]::timestamptz[])
  on conflict do nothing`)

/** Unless somebody else has begun. */
export async function insertProgress(tx: Tx, progress: Progress): Promise<void> {
  await tx.run(begin, valuesOf(progress))
}

const keep = write(`
  update counting set settled_until = $1::text::timestamptz, recount_at = $2::text::timestamptz,
    counted_at = $3::text::timestamptz, due_at = $4::text::timestamptz, hours_until = $5::text[]::timestamptz[]
  where what = 'messages'`)

/** Whoever does so holds it. Goes with the commit. */
export function updateProgress(tx: Tx, progress: Progress): void {
  tx.atCommit(keep, valuesOf(progress))
}

function valuesOf({ settledUntil, recountAt, countedAt, dueAt, hoursUntil }: Progress): unknown[] {
  return [
    ...[settledUntil, recountAt, countedAt, dueAt].map((at) => at.toISOString()),
    hoursUntil.map((at) => at.toISOString()),
  ]
}

const next = read<{ at: number }>(`
  select ${milliseconds('created_at')} as at from message where created_at >= $1::text::timestamptz
  order by created_at limit 1`)

/** When the first message since then was made. */
export async function findNextMessage(reader: Reader, since: Date): Promise<Date | undefined> {
  const [row] = await reader.run(next, [since.toISOString()])
  return row && new Date(row.at)
}

/** Messages that all figures are the same of, and that took alike long. */
export interface Counted extends Omit<Counts, 'latencies' | 'at'> {
  /** Milliseconds of Unix time. */
  at: number
  /** The place of the time from creation to delivery; null for those that were not reported to have arrived. */
  place: number | null
}

const widths: Record<Grain, string> = { minute: '1 minute', hour: '1 hour', day: '1 day' }
const beginningOf = (column: string, width: string) => `date_bin(${width}, ${column}, '2000-01-01T00:00:00Z')`

/** A read message is delivered since the timeline says so; where it does not, since it was read. */
const arrivedAt = `case m.status when 'delivered' then m.status_at when 'read' then coalesce(
    (jsonb_path_query_first(m.timeline, '$[*] ? (@.status == "delivered")') ->> 'at')::timestamptz, m.status_at) end`

/** Also by its code alone: that was right, whatever was reported or ran out. */
const hasArrived = `(m.verified_at is not null or m.status in ('delivered', 'read'))`

const count = read<Counted>(`
  select m.account_id as "accountId", m.mode,
    ${milliseconds(beginningOf('m.created_at', '$3::text::interval'))} as at, m.kind, m.route[m.leg] as connection,
    coalesce(m.country, '') as country,
    width_bucket(1000 * date_part('epoch', ${arrivedAt} - m.created_at), $4::float8[]) as place,
    count(*)::int as created,
    (count(*) filter (where m.taken_at is not null or ${hasArrived}))::int as sent,
    (count(*) filter (where ${hasArrived}))::int as delivered,
    count(m.verified_at)::int as verified,
    (count(*) filter (where m.status = 'failed' and not ${hasArrived}))::int as failed,
    (count(*) filter (where m.status = 'expired' and not ${hasArrived}))::int as expired,
    (count(*) filter (where m.status = 'failed' and m.error_code = 'superseded' and not ${hasArrived}))::int as superseded
  from message m where m.created_at >= $1::text::timestamptz and m.created_at < $2::text::timestamptz
  group by 1, 2, 3, 4, 5, 6, 7`)

/** Of the messages that were made in a slice. @param bounds milliseconds at which the places begin, but for the first */
export function countMessages(
  reader: Reader,
  { grain, from, to }: Slice,
  bounds: readonly number[],
): Promise<Counted[]> {
  return reader.run(count, [from.toISOString(), to.toISOString(), widths[grain], bounds])
}

const key = 'account_id, mode, at, kind, connection, country'
const counts = ['created', 'sent', 'delivered', 'verified', 'failed', 'expired', 'superseded'] as const
const latencies = Array.from({ length: latencyPlaces }, (_, place) => `latencies[${place + 1}]`)
/** The same of each number that a row has. */
const each = (text: (column: string) => string) =>
  `${counts.map((column) => `${text(column)} as ${column}`).join(', ')}, array[${latencies.map(text).join(', ')}] as latencies`
const difference = (column: string) => `sum(sign * ${column})::int`
const total = (column: string) => `figure.${column} + excluded.${column}`

const g = batch<Counts>('g', {
  ...accountId,
  mode: ['text', (row) => row.mode],
  at: ['timestamptz', (row) => row.at],
  kind: ['text', (row) => row.kind],
  connection: ['text', (row) => row.connection],
  country: ['text', (row) => row.country],
  ...Object.fromEntries(counts.map((name) => [name, ['int', (row: Counts) => row[name]]] as const)),
  latencies: ['text', (row) => row.latencies.join(' ')],
})
const [ofGrain, since, until, changed, ofChanged] = g.more()

const replace = write(`
  with given as (
    select ${key}, ${counts.join(', ')},
      string_to_array(latencies, ' ')::int[] as latencies
    from ${g.rows}
  ), changed as materialized (
    select ${key}, ${ofGrain}::text as grain, bool_or(sign > 0) as stays, ${each(difference)}
    from (
      select ${key}, ${counts.join(', ')}, latencies, 1 as sign from given
      union all
      select ${key}, ${counts.join(', ')}, latencies, -1 from figure
      where at >= ${since}::text::timestamptz and at < ${until}::text::timestamptz and grain = ${ofGrain}::text
    ) as both_sides
    group by ${key}
    having ${[...counts, ...latencies].map((column) => `${difference(column)} <> 0`).join(' or ')}
  ), gone as (
    delete from figure f using changed c
    where not c.stays and f.account_id = c.account_id and f.mode = c.mode and f.grain = c.grain and f.at = c.at
      and f.kind = c.kind and f.connection = c.connection and f.country = c.country
  )
  insert into figure (account_id, mode, grain, at, kind, connection, country, ${counts.join(', ')}, latencies)
  select c.account_id, c.mode, w.grain, ${beginningOf('c.at', 'w.width::interval')}, c.kind, c.connection, c.country,
    ${each((column) => `sum(c.${column})::int`)}
  from changed c cross join unnest(${changed}::text[], ${ofChanged}::text[]) as w (grain, width)
  where c.stays or w.grain <> ${ofGrain}::text
  group by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, mode, grain, at, kind, connection, country) do update set
    ${counts.map((column) => `${column} = ${total(column)}`).join(', ')}, latencies = array[${latencies.map(total).join(', ')}]`)

/** From fine to coarse. */
const grains: readonly Grain[] = ['minute', 'hour', 'day']

/** A slice of time, in whole ones of its grain. */
export interface Slice {
  grain: Grain
  from: Date
  /** Its end, which is not in it. */
  to: Date
}

/**
 * Makes the rows of a slice these, and the coarser ones the sums that follow from it. Whoever does so holds the progress.
 */
export async function replaceFigures(tx: Tx, { grain, from, to }: Slice, rows: readonly Counts[]): Promise<void> {
  const changing = grains.slice(grains.indexOf(grain))
  const span = [grain, from.toISOString(), to.toISOString()]
  await tx.run(replace, [...g.valuesOf(rows), ...span, changing, changing.map((one) => widths[one])])
}

const drop = write(`
  delete from figure where grain = 'minute' and at >= $1::text::timestamptz and at < $2::text::timestamptz`)

/** Of an hour that has been counted as a whole, the minutes are of no use any more. */
export async function deleteMinutes(tx: Tx, from: Date, to: Date): Promise<void> {
  await tx.run(drop, [from.toISOString(), to.toISOString()])
}
