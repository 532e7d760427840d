/** The tables of events: where customers want to be told what happened, what is told, and what came of it. */
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { bytea, type Mode, moment } from './columns.ts'
import { account } from './schema.ts'

/** Where a customer wants to be told what happened. */
export const endpoint = pgTable(
  'endpoint',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    url: text('url').notNull(),
    /** Of events; null is for all. */
    types: text('types').array(),
    /** Its secrets as JSON, the newest first, each with its end; sealed. */
    sealed: bytea('sealed').notNull(),
    createdAt: moment('created_at').notNull(),
    /** Null while it is enabled. */
    disabledAt: moment('disabled_at'),
    /** `failing` and `gone` as the event says them; `manual` is by somebody's command. */
    disabledReason: text('disabled_reason').$type<'failing' | 'gone' | 'manual'>(),
    /** When the run of nothing but failures began; null when the last attempt did not fail. */
    failingSince: moment('failing_since'),
    /** Attempts in that run. */
    failures: integer('failures').notNull().default(0),
    /** Whether its last answer came soon; null before the first attempt has ended. */
    pace: text('pace').$type<'quick' | 'slow'>(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
  ],
)

/** What happened, as it is told: the body is made once, and sent byte for byte at every attempt. */
export const event = pgTable(
  'event',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
    /** Of the message that it tells of; null when it is about none. */
    messageId: text('message_id'),
    at: moment('at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    index('event_at').on(row.at),
    index('event_message').on(row.accountId, row.messageId).where(sql`message_id is not null`),
  ],
)

/** An event for one of the endpoints. */
export const eventDelivery = pgTable(
  'event_delivery',
  {
    accountId: text('account_id').notNull(),
    eventId: text('event_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    /** `held` for an endpoint that is disabled. */
    state: text('state').$type<'due' | 'held' | 'delivered' | 'failed'>().notNull(),
    /** When it is tried next, or is taken to be lost with the process that tries it; null when it is not to be tried. */
    dueAt: moment('due_at'),
    /** Since it was made, or offered again. */
    attempts: smallint('attempts').notNull().default(0),
    at: moment('at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.eventId, row.endpointId] }),
    index('event_delivery_due').on(row.accountId, row.endpointId, row.dueAt).where(sql`due_at is not null`),
    // Partial, so that a planner that knows of no rows does not take it for the key: a statement must name a time.
    index('event_delivery_at').on(row.accountId, row.endpointId, row.at).where(sql`at is not null`),
    index('event_delivery_over')
      .on(row.accountId, row.endpointId, row.state, row.at)
      .where(sql`state <> 'due' and at is not null`),
  ],
)

/** What came of one attempt to bring an event to an endpoint. */
export const eventAttempt = pgTable(
  'event_attempt',
  {
    accountId: text('account_id').notNull(),
    eventId: text('event_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    at: moment('at').notNull(),
    /** Of the answer; null when none came. */
    status: smallint('status'),
    /** Why it failed, in words of our own. */
    error: text('error'),
    durationMs: integer('duration_ms').notNull(),
    /** The beginning of the answer's body. */
    answer: text('answer'),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.eventId, row.endpointId, row.at] })],
)
