/** What is kept of connections beside their settings. */
import { bigint, foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { connection } from './schema.ts'

/** The turns of a connection with caps: when each of its messages of the last day was handed over. */
export const connectionTurn = pgTable(
  'connection_turn',
  {
    accountId: text('account_id').notNull(),
    connection: text('connection').notNull(),
    /** One more than that of the turn before. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    /** Not before that of the turn before. */
    at: moment('at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.connection, row.seq] }),
    foreignKey({
      columns: [row.accountId, row.connection],
      foreignColumns: [connection.accountId, connection.id],
    }).onDelete('cascade'),
  ],
)
