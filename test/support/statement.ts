/** Statements that tests write where they need them, on whichever database: the values go beside the text. */
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Link, write } from '../../src/store/engine/session.ts'

const dialect = new PgDialect()

/** Runs a statement of a test in a transaction. */
export function execute<Row = never>(tx: Pick<Link, 'run'>, statement: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  return tx.run(write<Row>(text, { isRare: true }), params)
}
