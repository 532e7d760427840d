/** What is kept of connections beside their settings. */
import { bigint, foreignKey, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { connection } from './schema.ts'
import type { TemplateFault, WatchedCategory } from './templateSchema.ts'

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

/** What is known of an account's templates at the provider of a connection: there is a row once something was wrong, or its list was read. */
export const connectionTemplates = pgTable(
  'connection_templates',
  {
    accountId: text('account_id').notNull(),
    connection: text('connection').notNull(),
    /** Of the connection: what was found out with other settings says nothing. */
    revision: text('revision').notNull(),
    /** Those that the provider would not send as they are. */
    faults: jsonb('faults').$type<TemplateFault[]>().notNull(),
    /** What the provider said last that each is, by slug and language. */
    categories: jsonb('categories').$type<Record<string, WatchedCategory>>().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.connection] }),
    foreignKey({
      columns: [row.accountId, row.connection],
      foreignColumns: [connection.accountId, connection.id],
    }).onDelete('cascade'),
  ],
)
