/**
 * Counts messages into the rows of `figure`. What it has counted it replaces, and passes on what differs to the coarser rows:
 * however often that is done, they hold each message once.
 */
import { accountId, batch } from '../engine/batch.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { figure } from '../schema/userSchema.ts'
import { dates, writeTimes } from '../sending/limit.ts'
import { comesBack } from './conversion.ts'
import { beginningOf, replacing, replacingValues, type Slice, widths } from './replacing.ts'

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
  ${milliseconds('counted_at')} as "countedAt", ${milliseconds('due_at')} as "dueAt", ${writeTimes('hours_until')} as "hoursUntil"`

type RawProgress = Record<'settledUntil' | 'recountAt' | 'countedAt' | 'dueAt', number> & { hoursUntil: string }

const found = read<RawProgress>(`select ${progressColumns} from counting where what = 'messages'`)
/** By hashing, messages are counted in a third of the time, which the planner does not believe. */
const held = write<RawProgress>(`
  select ${progressColumns}, set_config('enable_sort', 'off', true) from counting where what = 'messages'
  for update skip locked`)

/** Undefined before anything was counted. */
export async function findProgress(reader: Reader): Promise<Progress | undefined> {
  const [row] = await reader.run(found, [])
  return row && toProgress(row)
}

/** Keeps everybody else from counting until the transaction ends. @returns undefined when somebody else counts now */
export async function holdProgress(tx: Tx): Promise<Progress | undefined> {
  const [row] = await tx.run(held, [])
  return row && toProgress(row)
}

function toProgress({ settledUntil, recountAt, countedAt, dueAt, hoursUntil }: RawProgress): Progress {
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
  await tx.run(begin, listValues(progress))
}

const keep = write(`
  update counting set settled_until = $1::text::timestamptz, recount_at = $2::text::timestamptz,
    counted_at = $3::text::timestamptz, due_at = $4::text::timestamptz, hours_until = $5::text[]::timestamptz[]
  where what = 'messages'`)

/** Whoever does so holds it. Goes with the commit. */
export function updateProgress(tx: Tx, progress: Progress): void {
  tx.atCommit(keep, listValues(progress))
}

function listValues({ settledUntil, recountAt, countedAt, dueAt, hoursUntil }: Progress): unknown[] {
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
    (count(*) filter (where ${comesBack} and (m.taken_at is not null or ${hasArrived})))::int as sent,
    (count(*) filter (where ${hasArrived}))::int as delivered,
    (count(m.verified_at) filter (where m.kind = 'verification'))::int as verified,
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

const counts = ['created', 'sent', 'delivered', 'verified', 'failed', 'expired', 'superseded'] as const

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

const replace = write(
  replacing({
    table: 'figure',
    key: ['account_id', 'mode', 'at', 'kind', 'connection', 'country'],
    sums: [
      ...counts.map((name) => ({ name, type: 'int' as const })),
      { name: 'latencies', type: 'int', places: latencyPlaces },
    ],
    rows: g,
    read: { latencies: "string_to_array(latencies, ' ')::int[] as latencies" },
  }),
)

/**
 * Makes the rows of a slice these, and the coarser ones the sums that follow from it. Whoever does so holds the progress.
 */
export async function replaceFigures(tx: Tx, slice: Slice, rows: readonly Counts[]): Promise<void> {
  await tx.run(replace, [...g.valuesOf(rows), ...replacingValues(slice)])
}

const drop = write(`
  with spent as (
    delete from spend where grain = 'minute' and at >= $1::text::timestamptz and at < $2::text::timestamptz
  )
  delete from figure where grain = 'minute' and at >= $1::text::timestamptz and at < $2::text::timestamptz`)

/** Of an hour that has been counted as a whole, the minutes are of no use any more, nor are those of what was spent. */
export async function deleteMinutes(tx: Tx, from: Date, to: Date): Promise<void> {
  await tx.run(drop, [from.toISOString(), to.toISOString()])
}
