/** Sums over slices of time: what is counted again replaces what was counted, and what differs is passed on to the coarser rows. */
import type { Batch } from '../engine/batch.ts'
import type { Grain } from '../schema/userSchema.ts'

/** A slice of time, in whole ones of its grain. */
export interface Slice {
  grain: Grain
  from: Date
  /** Its end, which is not in it. */
  to: Date
}

/** From fine to coarse. */
const grains: readonly Grain[] = ['minute', 'hour', 'day']
export const widths: Record<Grain, string> = { minute: '1 minute', hour: '1 hour', day: '1 day' }

/** SQL for the beginning of what a time is in. */
export function beginningOf(column: string, width: string): string {
  return `date_bin(${width}, ${column}, '2000-01-01T00:00:00Z')`
}

/** A column of sums. */
export interface SumColumn {
  name: string
  type: 'int' | 'numeric'
  /** It is a list of so many numbers. */
  places?: number
}

interface Replaced<Row> {
  table: string
  /** The columns of the key, but for `grain`. */
  key: readonly string[]
  sums: readonly SumColumn[]
  rows: Batch<Row>
  /** SQL for a column of sums of `rows`, where it goes as something else. */
  read?: Readonly<Record<string, string>>
}

/** SQL that makes the rows of a slice those of `rows`, and the coarser ones the sums that follow from it. */
export function replacing<Row>({ table, key: columns, sums, rows, read = {} }: Replaced<Row>): string {
  const [ofGrain, since, until, changed, ofChanged] = rows.more()
  const key = columns.join(', ')
  const names = sums.map(({ name }) => name).join(', ')
  const each = (text: (column: string, type: string) => string) =>
    sums.map((sum) => `${toList(sum, text)} as ${sum.name}`).join(', ')
  const difference = (column: string, type: string) => `sum(sign * ${column})::${type}`
  const differs = sums.flatMap((sum) => partsOf(sum).map((part) => `${difference(part, sum.type)} <> 0`))
  const total = (column: string) => `${table}.${column} + excluded.${column}`
  return `
  with given as (
    select ${key}, ${sums.map(({ name }) => read[name] ?? name).join(', ')}
    from ${rows.rows}
  ), changed as materialized (
    select ${key}, ${ofGrain}::text as grain, bool_or(sign > 0) as stays, ${each(difference)}
    from (
      select ${key}, ${names}, 1 as sign from given
      union all
      select ${key}, ${names}, -1 from ${table}
      where at >= ${since}::text::timestamptz and at < ${until}::text::timestamptz and grain = ${ofGrain}::text
    ) as both_sides
    group by ${key}
    having ${differs.join(' or ')}
  ), gone as (
    delete from ${table} f using changed c
    where not c.stays and f.grain = c.grain and ${columns.map((column) => `f.${column} = c.${column}`).join(' and ')}
  )
  insert into ${table} (grain, ${key}, ${names})
  select w.grain, ${columns.map((column) => (column === 'at' ? beginningOf('c.at', 'w.width::interval') : `c.${column}`)).join(', ')},
    ${each((column, type) => `sum(c.${column})::${type}`)}
  from changed c cross join unnest(${changed}::text[], ${ofChanged}::text[]) as w (grain, width)
  where c.stays or w.grain <> ${ofGrain}::text
  group by ${Array.from({ length: columns.length + 1 }, (_, place) => place + 1).join(', ')}
  on conflict (grain, ${key}) do update set ${sums.map((sum) => `${sum.name} = ${toList(sum, total)}`).join(', ')}`
}

/** What follows the rows in the parameters of that statement. */
export function replacingValues({ grain, from, to }: Slice): unknown[] {
  const changing = grains.slice(grains.indexOf(grain))
  return [grain, from.toISOString(), to.toISOString(), changing, changing.map((one) => widths[one])]
}

function partsOf({ name, places }: SumColumn): string[] {
  return places === undefined ? [name] : Array.from({ length: places }, (_, place) => `${name}[${place + 1}]`)
}

function toList(sum: SumColumn, text: (column: string, type: string) => string): string {
  const parts = partsOf(sum).map((part) => text(part, sum.type))
  return sum.places === undefined ? parts[0]! : `array[${parts.join(', ')}]`
}
