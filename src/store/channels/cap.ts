/** The turns of connections with caps: so many in any minute, hour and day, over all processes together. */
import { batch, keyColumns } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import { type Connection, type ConnectionKey, held } from './connection.ts'

/**
 * Seconds from a turn to the end of its hand-over, at most. Turns are counted for so much longer: by the clock of the phone,
 * the last of one minute can be late and the first of the next one in time.
 */
export const handOverSeconds = 10

export interface WantedTurns extends ConnectionKey, Pick<Connection, 'perMinute' | 'perHour' | 'perDay'> {
  count: number
}

/** One of those that are wanted. */
export interface HandOverTurn {
  /** When it may be had, if all before it are taken; the time that it was asked for when it is granted. */
  freeAt: Date
  isGranted: boolean
  /** It is the cap of the day that keeps it waiting. */
  isOfDay: boolean
}

const locked = batch<ConnectionKey>('d', keyColumns)

interface Numbers {
  /** Of the last turn that was given out, and of the last one that was forgotten. */
  last: number
  forgotten: number
}

/** Its own statement: one that waits for the row sees the turns as they were before it waited. */
const lock = write<Numbers & { n: number }>(`
  with ${held(locked, 'c.turn as last, c.turn_forgotten as forgotten')}
  select g.n::int as n, g.last::float8 as last, g.forgotten::float8 as forgotten from g`)

const wanted = batch<WantedTurns & Numbers>('d', {
  ...keyColumns,
  per_minute: ['int', (row) => row.perMinute],
  per_hour: ['int', (row) => row.perHour],
  per_day: ['int', (row) => row.perDay],
  wanted: ['int', (row) => row.count],
  last: ['bigint', (row) => row.last],
  forgotten: ['bigint', (row) => row.forgotten],
})
const [atParameter] = wanted.more()
const now = `${atParameter}::text::timestamptz`

interface Window {
  cap: string
  interval: string
}

const windows = {
  minute: { cap: 'per_minute', interval: `interval '${60 + handOverSeconds} seconds'` },
  hour: { cap: 'per_hour', interval: `interval '${3600 + handOverSeconds} seconds'` },
  day: { cap: 'per_day', interval: `interval '${86_400 + handOverSeconds} seconds'` },
} as const satisfies Record<string, Window>

/** Turns that are older count for no cap. */
const keptFor = "interval '25 hours'"
/** By which the clocks of processes may differ: a turn that is later was given by one that has been set back since. */
const behind = "interval '60 seconds'"

/**
 * SQL for when the turn of that number was. Not by a join: while the table was never analyzed, a plan would go through all turns of
 * a connection.
 */
const atOf = (seq: string) =>
  `(select t.at from connection_turn t where t.account_id = d.account_id and t.connection = d.id and t.seq = ${seq})`

/** When the `k`th turn is free by one cap: as soon as the turn is over that is as many before it as the cap allows. */
const freeBy = ({ cap, interval }: Window) =>
  `case when k > d.${cap} then ${now} else ${atOf(`d.last + k - d.${cap}`)} end + ${interval}`

const take = write<{ n: number; freeAt: number; isGranted: boolean; isOfDay: boolean; isAhead: boolean }>(`
  with turn as (
    select d.n, d.account_id, d.id, d.last + k as seq, ${atOf('d.last')} as last_at, ${freeBy(windows.minute)} as minute_at,
      ${freeBy(windows.hour)} as hour_at, ${freeBy(windows.day)} as day_at
    from ${wanted.numbered} cross join lateral generate_series(1, d.wanted) k
  ), free as (
    select *, greatest(${now}, minute_at, hour_at, day_at) as at from turn
  ), taken as (
    insert into connection_turn (account_id, connection, seq, at)
    select account_id, id, seq, greatest(at, last_at) from free where at <= ${now}
    returning account_id, connection
  ), old as (
    delete from connection_turn t using ${wanted.rows}
    where t.account_id = d.account_id and t.connection = d.id and t.seq > d.forgotten
      and t.seq <= d.forgotten + 2 * d.wanted and t.at < ${now} - ${keptFor}
    returning t.account_id, t.connection
  ), counted as (
    update connection c set
      turn = c.turn + (select count(*) from taken t where t.account_id = c.account_id and t.connection = c.id),
      turn_forgotten = c.turn_forgotten + (select count(*) from old o where o.account_id = c.account_id and o.connection = c.id)
    from ${wanted.rows} where c.account_id = d.account_id and c.id = d.id
  )
  select n::int as n, ${milliseconds('at')} as "freeAt", at <= ${now} as "isGranted",
    coalesce(day_at > ${now}, false) as "isOfDay", coalesce(last_at > ${now} + ${behind}, false) as "isAhead"
  from free order by n, seq`)

/** For one connection: with several, a plan could begin with all turns. */
const repair = write(`
  update connection_turn t set at = $4::text::timestamptz
  where t.account_id = $1 and t.connection = $2 and t.seq > $3::bigint and t.at > $4::text::timestamptz + ${behind}`)

/**
 * Takes turns of connections with caps, as many as are free now.
 *
 * @param list no connection may be there twice
 * @param at the database's time
 * @returns for each connection, and for each turn that is wanted of it, when it is free; none of one that is gone
 */
export async function reserveTurns(tx: Tx, list: readonly WantedTurns[], at: Date): Promise<HandOverTurn[][]> {
  const found = inPlaces(list, await tx.run(lock, locked.valuesOf(list)))
  const there = list.flatMap((connection, index) => (found[index] ? { ...connection, ...found[index] } : []))
  const values = [...wanted.valuesOf(there), at.toISOString()]
  const rows = await tx.run(take, values)
  // They were before, whatever the clock said. From now on they age.
  const ahead = new Set(rows.flatMap(({ n, isAhead }) => (isAhead ? there[n - 1]! : [])))
  for (const { accountId, id, forgotten } of ahead) await tx.run(repair, [accountId, id, forgotten, at.toISOString()])
  const turnsOf = Map.groupBy(rows, ({ n }) => n)
  return list.map(({ accountId, id }) => {
    const n = there.findIndex((one) => one.accountId === accountId && one.id === id) + 1
    const turns = turnsOf.get(n) ?? []
    // Rounded up: a message that comes back is not to be too early.
    return turns.map(({ freeAt, isGranted, isOfDay }) => ({ freeAt: new Date(Math.ceil(freeAt)), isGranted, isOfDay }))
  })
}

const findUsed = (cap: string, interval: string) => `case when ${cap} is not null then
    (select count(*) from connection_turn t where t.account_id = $1 and t.connection = $2
      and t.seq > (select greatest(turn_forgotten, turn - ${cap}) from c)
      and t.at > $6::text::timestamptz - ${interval})::int else 0 end`

/** For one connection: with several, a plan could count all turns. */
const turnUse = read<{ minute: number; hour: number; day: number; freeAt: number | null }>(`
  with c as materialized (select turn, turn_forgotten from connection where account_id = $1 and id = $2)
  select ${findUsed('$3::int', windows.minute.interval)} as minute, ${findUsed('$4::int', windows.hour.interval)} as hour,
    ${findUsed('$5::int', windows.day.interval)} as day,
    (select ${milliseconds(`t.at + ${windows.day.interval}`)} from connection_turn t
      where t.account_id = $1 and t.connection = $2 and t.seq = (select turn + 1 - $5::int from c)) as "freeAt"`)

/** Turns of the last minute, hour and day; 0 where there is no cap. */
export interface TurnUse {
  minute: number
  hour: number
  day: number
  /** When the next turn of the day is free; null when it is already. */
  freeAt: Date | null
}

/** What a connection has used of its caps at `at`. */
export async function findTurnUse(
  reader: Reader,
  { accountId, id, perMinute, perHour, perDay }: Omit<WantedTurns, 'count'>,
  at: Date,
): Promise<TurnUse> {
  const [row] = await reader.run(turnUse, [accountId, id, perMinute, perHour, perDay, at.toISOString()])
  const { freeAt: free = null, minute = 0, hour = 0, day = 0 } = row ?? {}
  const freeAt = free === null ? null : new Date(Math.ceil(free))
  return { minute, hour, day, freeAt: freeAt && freeAt > at ? freeAt : null }
}
