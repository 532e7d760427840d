/** The table of inlets: where other systems post what is to be sent. */
import { foreignKey, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea, type Mode, moment } from './columns.ts'
import { account } from './schema.ts'

/** A post, as it is shown: nothing of its body. */
export interface KeptPost {
  /** ISO 8601 UTC. */
  at: string
  /** A word of a closed list. */
  outcome: string
  /** The id of the message that came of it. */
  message?: string
  /** What a post of another form lacks, without a value. */
  lacks?: string
  /** What is wrong with its phone, without a digit of it. */
  fault?: string
  /** Posts of that outcome in a row, where only the last of them is kept; 1 when left out. */
  count?: number
}

export const inlet = pgTable(
  'inlet',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    /** What the kind is opened with, and what is said where a post does not say it. */
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    /** Its secrets, a list as JSON, sealed. */
    sealed: bytea('sealed').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** The last posts, the latest first. */
    posts: jsonb('posts').$type<KeptPost[]>().notNull().default([]),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
  ],
)
