/** The tables of the rules against SMS pumping: an account's list, what is counted for it, what it has found, and what its budgets have let pass. */
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { bytewise, type Mode, moment } from './columns.ts'
import { account } from './schema.ts'

/** The list of an account that has its own. */
export const protection = pgTable(
  'protection',
  {
    accountId: text('account_id').notNull(),
    /** As `rule.ts` writes them. */
    rules: jsonb('rules').$type<unknown[]>().notNull(),
    /** What became of a send that could not be judged in time. Only earlier versions read it. */
    fail: text('fail').$type<'open' | 'closed'>().notNull().default('open'),
    /** As `budget.ts` writes them. */
    budgets: jsonb('budgets').$type<unknown[]>().notNull().default([]),
    updatedAt: moment('updated_at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
  ],
)

/**
 * What was counted of sends that have something in common, in a slot of time. Each send adds to some of these rows, so there is one
 * key to compare, and no second index. The version before keeps a slot in parts; now there is but one.
 */
export const protectionCount = pgTable(
  'protection_count',
  {
    /** Account, mode, counter, and what the sends have in common: `acct_default/live/country:60/DE`, or a keyed hash in place of the country. */
    key: bytewise('key').notNull(),
    /** Its beginning. */
    slot: moment('slot').notNull(),
    part: smallint('part').notNull(),
    sends: integer('sends').notNull(),
    /** Of the sends: their codes are not checked here. */
    unchecked: integer('unchecked').notNull(),
    /** Of the sends: their codes were right, whenever that was. */
    verified: integer('verified').notNull(),
    countries: text('countries').array(),
    verifiedCountries: text('verified_countries').array(),
    /** By prefix, the last four digits; otherwise keyed hashes. */
    numbers: text('numbers').array(),
    /** From then on it says nothing any more. */
    endsAt: moment('ends_at').notNull(),
  },
  (row) => [primaryKey({ columns: [row.key, row.slot, row.part] })],
)

/** What each rule found in an hour, and what followed; with the latest numbers that it refused. However many those are, it is one row. */
export const protectionFinding = pgTable(
  'protection_finding',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    /** Its beginning. */
    hour: moment('hour').notNull(),
    rule: text('rule').notNull(),
    did: text('did').$type<'record' | 'challenge' | 'block'>().notNull(),
    part: smallint('part').notNull(),
    sends: integer('sends').notNull(),
    /** Refused numbers, the latest last. */
    phones: text('phones').array().notNull().default(sql`'{}'`),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.mode, row.hour, row.rule, row.did, row.part] }),
    index('protection_finding_hour').on(row.hour),
  ],
)

/** What a budget has let pass on a day: whoever sends within it holds the row until that is committed. */
export const budgetDay = pgTable(
  'budget_day',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    /** Its beginning, in UTC. */
    day: moment('day').notNull(),
    /** The id of the budget. */
    budget: text('budget').notNull(),
    messages: integer('messages').notNull(),
    /** The highest part that the account was told of, in percent; 0 for none. */
    told: smallint('told').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.mode, row.day, row.budget] }),
    index('budget_day_day').on(row.day),
  ],
)
