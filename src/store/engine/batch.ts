/**
 * The rows that a statement takes as its parameters: one array for each column, so that the text is the same for any number of
 * them. Columns have names, in the SQL and in the code, and nobody counts positions.
 */
import { findIdRange, inIdRange } from './idRange.ts'

type Element = string | number | boolean | Date | null | undefined

/** Of each column its type, and what a row has in it. A time goes as ISO 8601, also where the type is `text`. */
export type Columns<Row> = Readonly<Record<string, readonly [type: string, of: (row: Row) => Element]>>

/** Columns that are those of most tables. */
export const accountId: Columns<{ accountId: string }> = { account_id: ['text', (row) => row.accountId] }
export const keyColumns: Columns<{ accountId: string; id: string }> = { ...accountId, id: ['text', (row) => row.id] }

export interface BatchOptions {
  /** Number of its first parameter; 1 when left out. */
  first?: number
  /** The column with the ids of a table that is kept in partitions: `inIdRange` names their span. */
  ids?: string
  /** Whether a plan may reckon with one row. With `ids` it does. */
  isShort?: boolean
}

export interface Batch<Row> {
  /** SQL for the rows, as a table of the batch's name. */
  rows: string
  /** The same with one more column: `n`, the place of a row in the list, from 1. */
  numbered: string
  /** SQL for: the column is in the span of the ids. */
  inIdRange: (column: string) => string
  /** Number of the parameter behind its own. */
  next: number
  /** The parameters behind its own, as many as are taken. */
  more: () => Iterable<string>
  /** Its parameters. */
  valuesOf: (list: readonly Row[]) => unknown[]
}

/** @param name of the table that its rows are in the statement */
export function batch<Row>(
  name: string,
  columns: Columns<Row>,
  { first = 1, ids, isShort = ids !== undefined }: BatchOptions = {},
): Batch<Row> {
  const names = Object.keys(columns)
  const entries = Object.values(columns)
  const behind = first + entries.length
  const next = ids === undefined ? behind : behind + 2
  const lists = entries.map(([type], index) => listOf(type, first + index))
  const idsAt = names.indexOf(ids ?? '')
  const table = (source: string, more: string[]) =>
    `${isShort ? reckonedAsOne(source, lists[0]!) : source} as ${name} (${[...names, ...more].join(', ')})`
  return {
    rows: table(`unnest(${lists.join(', ')})`, []),
    numbered: table(`unnest(${lists.join(', ')}) with ordinality`, ['n']),
    inIdRange: (column) => inIdRange(column, behind),
    next,
    more: () => parametersFrom(next),
    valuesOf: (list) => {
      const values = entries.map(([, of]) => list.map((row) => elementOf(of(row))))
      return idsAt < 0 ? values : [...values, ...findIdRange(values[idsAt] as string[])]
    },
  }
}

/** Drivers write times in ways of their own: a list of them goes as text. */
function listOf(type: string, number: number): string {
  return type === 'timestamptz' ? `$${number}::text[]::timestamptz[]` : `$${number}::${type}[]`
}

/**
 * A plan reckons with a tenth of a list that ends somewhere, and so with one row: then it never pays to go through small
 * partitions of a table in place of looking rows up one by one.
 */
function reckonedAsOne(source: string, list: string): string {
  return `(select * from ${source} limit cardinality(${list}))`
}

function* parametersFrom(number: number): Generator<string> {
  for (let at = number; ; at++) yield `$${at}`
}

function elementOf(element: Element): Exclude<Element, Date | undefined> {
  return element instanceof Date ? element.toISOString() : (element ?? null)
}
