/** What statements run on. Reads go anywhere; what writes needs a `Tx`, which only `commit.ts` makes. */

/** A statement with a fixed text, which every connection parses and plans once. */
interface Statement<Row, Does extends 'read' | 'write'> {
  /** Empty for one that no connection keeps. */
  readonly name: string
  readonly text: string
  readonly does: Does
  /** Milliseconds that it may take, where that is more than others may; the transaction has told the server so. */
  readonly patienceMs?: number | undefined
  /** Of the rows that it returns; only a type. */
  readonly row?: Row
}

export type Read<Row> = Statement<Row, 'read'>
export type Write<Row> = Statement<Row, 'write'>

export function read<Row>(text: string): Read<Row> {
  return { name: makeStatementName(text), text, does: 'read' }
}

/** @param isRare for a text of which there are ever new ones: no connection keeps it */
export function write<Row = never>(
  text: string,
  { patienceMs, isRare = false }: { patienceMs?: number; isRare?: boolean } = {},
): Write<Row> {
  return { name: isRare ? '' : makeStatementName(text), text, does: 'write', patienceMs }
}

/** The name of each text, in every connection of this process. */
const names = new Map<string, string>()

export function makeStatementName(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `watchword_${names.size}`
  names.set(text, name)
  return name
}

/** The database, or a transaction in it, for what only reads. */
export interface Reader {
  run: <Row>(statement: Read<Row>, values: readonly unknown[]) => Promise<Row[]>
}

/** How a transaction differs from others. */
export interface Manner {
  /** It sees one moment of the database, however long it reads, and writes nothing. */
  isStill?: boolean
  /** It goes through whole tables, and waits for whoever gives or takes their rows: it has no bound in time. */
  isLong?: boolean
}

/** A connection in an open transaction. */
export interface Link {
  run: <Row>(statement: Read<Row> | Write<Row>, values: readonly unknown[]) => Promise<Row[]>
  /**
   * Sends a statement together with the commit, in the order of the calls: one round trip for all that nobody waits for.
   * When it fails, so does the transaction.
   */
  atCommit: (statement: Write<unknown>, values: readonly unknown[]) => void
  /**
   * Sends a statement, all that was kept for the commit behind it, and the commit: one round trip for the whole. What it
   * resolves with is committed, and nothing may follow.
   */
  runLast: <Row>(statement: Write<Row>, values: readonly unknown[]) => Promise<Row[]>
}

declare const open: unique symbol

/** A link that `commit.ts` has opened, and will commit or roll back. Functions that write ask for one. */
export interface Tx extends Link {
  /** Called when the commit is acknowledged, and not at all when it fails: for hints, of which nothing hangs. */
  afterCommit: (hint: () => void) => void
  readonly [open]: true
}

/** What `milliseconds` gives, as a date. */
export function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

/** Milliseconds of Unix time, whatever DateStyle and TimeZone are; null stays null. */
export function milliseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`
}
