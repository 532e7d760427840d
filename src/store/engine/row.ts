/**
 * Whole rows, as code has them: of each column the name in camel case, and the type. For tables whose rows are read and written
 * as they are; the compiler checks that every column is named, and how a time is read is said here alone.
 */
import { milliseconds } from './session.ts'

type TypeOf<Value> = [NonNullable<Value>] extends [Date]
  ? 'timestamptz'
  : [NonNullable<Value>] extends [Uint8Array]
    ? 'bytea'
    : [NonNullable<Value>] extends [string]
      ? 'text'
      : [NonNullable<Value>] extends [boolean]
        ? 'boolean'
        : [NonNullable<Value>] extends [number]
          ? 'int' | 'bigint' | 'float8'
          : [NonNullable<Value>] extends [readonly string[]]
            ? 'text[]'
            : 'jsonb'

/** A row as `columns` gives it: times in milliseconds. */
export type Raw<Row> = { [Name in keyof Row]: [NonNullable<Row[Name]>] extends [Date] ? Instead<Row[Name]> : Row[Name] }
type Instead<Time> = null extends Time ? number | null : number

export interface Rows<Row> {
  /** SQL for the columns of the table that has that name in a statement. */
  columns: (of: string) => string
  /** The row that `columns` gave, with whatever is beside them. */
  rowOf: <Found extends Raw<Row>>(found: Found) => Omit<Found, keyof Row> & Row
  /** SQL that inserts a row, for the parameters of `valuesOf`. */
  insert: string
  valuesOf: (row: Row) => unknown[]
  /** SQL that sets what is given, by parameters from that number on, and their values. */
  set: (changes: Partial<Row>, first: number) => { assignments: string; values: unknown[] }
}

export function toRows<Row>(table: string, types: { readonly [Name in keyof Row]-?: TypeOf<Row[Name]> }): Rows<Row> {
  const names = Object.keys(types) as (keyof Row & string)[]
  const times = names.filter((name) => types[name] === 'timestamptz')
  return {
    columns: (of) => names.map((name) => `${readAs(types[name], `${of}.${snake(name)}`)} as "${name}"`).join(', '),
    rowOf: (found) => {
      const row: Record<string, unknown> = { ...found }
      for (const name of times) row[name] = row[name] === null ? null : new Date(row[name] as number)
      return row as never
    },
    insert: `insert into ${table} (${names.map(snake).join(', ')})
      values (${names.map((name, index) => parameterOf(types[name], index + 1)).join(', ')})`,
    valuesOf: (row) => names.map((name) => parameterValue(types[name], row[name])),
    set: (changes, first) => {
      const given = names.filter((name) => name in changes)
      const assignments = given.map((name, index) => `${snake(name)} = ${parameterOf(types[name], first + index)}`)
      return {
        assignments: assignments.join(', '),
        values: given.map((name) => parameterValue(types[name], changes[name])),
      }
    },
  }
}

/** `accountId` is `account_id` in SQL. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function readAs(type: string, column: string): string {
  if (type === 'timestamptz') return milliseconds(column)
  // One driver gives it as a text.
  return type === 'bigint' ? `${column}::float8` : column
}

function parameterOf(type: string, number: number): string {
  return type === 'timestamptz' || type === 'jsonb' ? `$${number}::text::${type}` : `$${number}::${type}`
}

function parameterValue(type: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value
}
