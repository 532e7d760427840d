/** The tables of the dashboard: its people, how they are let in, what they did, and the figures that its charts are of. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { bytea, type Mode, moment } from './columns.ts'
import { account } from './schema.ts'

export type Role = 'viewer' | 'developer' | 'owner'

/** A person of an account. `user` alone is a word of SQL. */
export const user = pgTable(
  'dashboard_user',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    /** What a sign-in is looked up by: the address without regard to case. One of a kind in the whole installation. */
    emailKey: text('email_key').notNull(),
    role: text('role').$type<Role>().notNull(),
    /** argon2id with its parameters and salt; null for who signs in through a company's provider alone. */
    passwordHash: text('password_hash'),
    /** The secret of an authenticator app, sealed; null while there is none. */
    totpSealed: bytea('totp_sealed'),
    /** The last step of it that was used: none is good twice. */
    totpStep: bigint('totp_step', { mode: 'number' }),
    /** SHA-256 of the recovery codes that are left, in base64. */
    recoveryHashes: text('recovery_hashes').array().notNull().default(sql`'{}'`),
    /** Issuer and subject, as a company's provider names the person. */
    oidcSubject: text('oidc_subject'),
    createdAt: moment('created_at').notNull(),
    signedInAt: moment('signed_in_at'),
    disabledAt: moment('disabled_at'),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
    // Not unique, because it cannot begin with the account: whose address it is, is the question.
    index('dashboard_user_email').on(row.emailKey),
    index('dashboard_user_oidc').on(row.oidcSubject),
  ],
)

/** Someone who is signed in, or half-way: of the token only a hash is held. */
export const userSession = pgTable(
  'dashboard_session',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    /** SHA-256 of the token, in base64. */
    hash: text('hash').notNull(),
    /** The password was right, and the authenticator's code is to come: it opens nothing else. */
    isPending: boolean('is_pending').notNull(),
    createdAt: moment('created_at').notNull(),
    seenAt: moment('seen_at').notNull(),
    /** When its user proved last who he is. */
    provedAt: moment('proved_at').notNull(),
    address: text('address').notNull(),
    /** The browser, as it names itself. */
    agent: text('agent').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    index('dashboard_session_hash').on(row.hash),
    // Partial, so that a planner that knows of no rows does not take it for the key.
    index('dashboard_session_user').on(row.accountId, row.userId).where(sql`user_id is not null`),
    index('dashboard_session_created').on(row.createdAt),
  ],
)

/** A link that makes a user, or sets a new password for one. */
export const invitation = pgTable(
  'invitation',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    /** SHA-256 of the token, in base64. */
    hash: text('hash').notNull(),
    role: text('role').$type<Role>().notNull(),
    /** Whom it is for, as its maker wrote it; null when anybody who holds it may come. */
    email: text('email'),
    /** Whose password it sets; null when it makes a user. */
    userId: text('user_id'),
    /** Who made it, by name. */
    invitedBy: text('invited_by').notNull(),
    /** Which user that is; null for the operator, and for links that a version without this column has made. */
    invitedById: text('invited_by_id'),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
    index('invitation_hash').on(row.hash),
    index('invitation_expires').on(row.expiresAt),
  ],
)

/**
 * Wrong proofs, the newest first: passwords for an address of mail, known or not, codes for a user, and proofs of a session. Its
 * key is of no account: whose the address is, is the question.
 */
export const signIn = pgTable(
  'sign_in',
  {
    /** SHA-256 of the address's key, in base64, which no id looks like; or the id of the browser, the user or the session. */
    emailHash: text('email_hash').primaryKey(),
    wrongAt: moment('wrong_at').array().notNull().default(sql`'{}'`),
    /** When one was counted last, also one that turned out to be right. */
    latestAt: moment('latest_at').notNull(),
  },
  (row) => [index('sign_in_latest').on(row.latestAt)],
)

/** Who did what. Written with the act, never changed, and erased after its days. */
export const audit = pgTable(
  'audit',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    at: moment('at').notNull(),
    /** Null for the operator. */
    userId: text('user_id'),
    /** The actor's name at that time. */
    name: text('name').notNull(),
    /** `<noun>.<past participle>`. */
    act: text('act').notNull(),
    /** The id or name of what it was done to. */
    subject: text('subject').notNull(),
    /** What else is worth knowing; nothing secret. */
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
    /** Null for the operator. */
    address: text('address'),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.id] }), index('audit_at').on(row.at)],
)

/** What a row of figures counts together. The days are UTC's. */
export type Grain = 'minute' | 'hour' | 'day'

/**
 * Counts of the messages that were made in a minute, an hour or a day, by where they went and through what. An hour is the sum
 * of its minutes for as long as those are kept, and a day that of its hours.
 */
export const figure = pgTable(
  'figure',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    grain: text('grain').$type<Grain>().notNull(),
    /** Its beginning. */
    at: moment('at').notNull(),
    kind: text('kind').$type<'verification' | 'notification'>().notNull(),
    /** The connection that was asked last. */
    connection: text('connection').notNull(),
    /** ISO 3166-1 alpha-2; empty for numbers of no country. */
    country: text('country').notNull(),
    created: integer('created').notNull(),
    /** Taken by a channel, or arrived by what came after. */
    sent: integer('sent').notNull(),
    /** Delivered, read, or proved to have arrived by a right code. What is neither this, failed nor expired is on its way. */
    delivered: integer('delivered').notNull(),
    verified: integer('verified').notNull(),
    /** Also those that were superseded. */
    failed: integer('failed').notNull(),
    expired: integer('expired').notNull(),
    /** Of the failed: a newer code replaced them. */
    superseded: integer('superseded').notNull().default(0),
    /** Of those that were reported to have arrived, by the time that took: the places are those of `domain/figure.ts`. */
    latencies: integer('latencies').array().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.mode, row.grain, row.at, row.kind, row.connection, row.country] }),
    index('figure_at').on(row.at, row.grain),
  ],
)

/**
 * What providers charge for the messages that were made in a minute, an hour or a day, as they say themselves. Counted with
 * the figures, and like these.
 */
export const spend = pgTable(
  'spend',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    grain: text('grain').$type<Grain>().notNull(),
    /** Its beginning. */
    at: moment('at').notNull(),
    /** The connection whose provider charges. A message that went through two of them can have two prices. */
    connection: text('connection').notNull(),
    /** ISO 3166-1 alpha-2; empty for numbers of no country. */
    country: text('country').notNull(),
    /** ISO 4217. */
    currency: text('currency').notNull(),
    /** Those with a price. */
    messages: integer('messages').notNull(),
    amount: numeric('amount').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.mode, row.grain, row.at, row.connection, row.country, row.currency] }),
    index('spend_at').on(row.at, row.grain),
  ],
)

/** How far messages are counted. One row, of no account: those of all accounts are counted together. */
export const counting = pgTable('counting', {
  /** Always `messages`. */
  what: text('what').primaryKey(),
  /** No code of a message from before can be used any more: minutes are counted again from here on. */
  settledUntil: moment('settled_until').notNull(),
  /** When they are counted again. */
  recountAt: moment('recount_at').notNull(),
  /** When the running minute was counted last. */
  countedAt: moment('counted_at').notNull(),
  /** When to count next. */
  dueAt: moment('due_at').notNull(),
  /** For each age of an hour at which it is counted once more: up to where that is done. */
  hoursUntil: moment('hours_until').array().notNull(),
})
