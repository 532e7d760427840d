/**
 * The tables. Every primary key, unique index and foreign key begins with the account, so that rows can be spread by it;
 * nothing here depends on sequences, triggers or deferrable constraints. Other files of this folder have the others.
 */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { components } from '../../../generated/types.ts'
import { bytea, type Mode, moment } from './columns.ts'

export type { Mode }
export type MessageStatus = components['schemas']['MessageStatus']
export type DeliveryErrorCode = components['schemas']['DeliveryError']['code']

/** What a provider charges for a message. Never added to one of another currency. */
export interface Price {
  /** A decimal number that is not negative, without zeros at its end: it is never read as a binary one. */
  amount: string
  /** ISO 4217. */
  currency: string
}

/** One step in the life of a message, oldest first in `message.timeline`. */
export interface TimelineStep {
  status: MessageStatus
  /** ISO 8601 UTC. */
  at: string
  /** What happened beside a change of status, behind the connection's id: who took it, why it is tried again or passed on. */
  note?: string
  /** The connection that it is about. */
  connection?: string
  /** The provider's own code. */
  providerCode?: string
  /** Why it failed there. */
  error?: DeliveryErrorCode
  /** The connection took it: it is not asked again. */
  taken?: true
  /** With `taken`: how many SMS the text takes, where it is one. */
  segments?: number
  /** What its provider charges for the message, as it said then. */
  price?: Price
  /** The connection was passed over before it was asked. */
  unasked?: true
  /** The SMS of a longer text that arrived, by the provider's own name. */
  part?: string
  /** Of the first step, where the request was traced: its `traceparent`. */
  trace?: string
  /** Of the first step, where the message came through an inlet: its id. */
  inlet?: string
  /** Of the first step, where the message sends another one again: the id of that. */
  resendOf?: string
}

/** What an application knew of who asked for a code, as keyed hashes: each names the same one again, and tells nobody who it is. */
export interface KeptSignals {
  ip?: string
  /** The /24 or /48 of the address. */
  network?: string
  user?: string
  device?: string
  /** The browser or app, with its platform and version. */
  program?: string
  /** The application vouched for the person. */
  trusted?: true
  /** Somebody had solved a captcha. */
  captcha?: true
  /** The caller made the code: whether it was right, may be known to him alone. */
  ownCode?: true
  /** The system that made the code checks it, and it is not checked here. */
  unchecked?: true
}

/** What a rule found of a send, and what it did. */
export interface KeptFinding {
  /** The rule's id. Earlier versions wrote `unjudged` where a send could not be judged in time. */
  rule: string
  did: 'record' | 'challenge' | 'block'
}

export const account = pgTable('account', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  /** What no two of them may have in common: the name without regard to case. */
  nameKey: text('name_key').notNull().unique(),
  /** The name of its application, for codes that name none. */
  brand: text('brand'),
  /** Seconds between two codes to one phone; those of all accounts where it is null. */
  cooldownSeconds: integer('cooldown_seconds'),
  createdAt: moment('created_at').notNull(),
})

export const apiKey = pgTable(
  'api_key',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    scopes: text('scopes').array().notNull(),
    /** SHA-256 of the whole key. */
    hash: bytea('hash').notNull(),
    /** The beginning of the key, enough to recognise it and no more. */
    hint: text('hint').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    lastUsedAt: moment('last_used_at'),
    /** Where that use came from. */
    lastUsedFrom: text('last_used_from'),
    /** How often it was used on the day of its last use, in UTC; written with that. */
    usedThatDay: integer('used_that_day').notNull().default(0),
    /** The key that this one was rolled to. */
    replacedBy: text('replaced_by'),
  },
  (key) => [
    primaryKey({ columns: [key.accountId, key.id] }),
    foreignKey({ columns: [key.accountId], foreignColumns: [account.id] }),
    // Not unique, because it cannot begin with the account: whose key it is, is the question. 256 random bits don't collide.
    index('api_key_hash').on(key.hash),
  ],
)

/** How an account words its codes. */
export const wording = pgTable(
  'wording',
  {
    accountId: text('account_id').notNull(),
    /** BCP 47: for sends that name none. */
    locale: text('locale'),
    /** The host that codes are bound to, for sends that name none. */
    domain: text('domain'),
    /** By language, BCP 47. */
    texts: jsonb('texts').$type<Record<string, string>>().notNull().default({}),
    updatedAt: moment('updated_at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
  ],
)

/** What an account sends through, in the order of `position`. */
export const connection = pgTable(
  'connection',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    position: smallint('position').notNull(),
    kind: text('kind').notNull(),
    /** ISO 3166-1 alpha-2 codes that it is for; null is for all. */
    countries: text('countries').array(),
    failoverSeconds: integer('failover_seconds'),
    /** Messages that it may be handed in any minute, hour and day; null is for as many as come. */
    perMinute: integer('per_minute'),
    perHour: integer('per_hour'),
    perDay: integer('per_day'),
    /** It shares messages with those of its kind beside it, by what is left of their caps. */
    spread: boolean('spread').notNull().default(false),
    /** What the kind is opened with, but for its secrets. */
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    /** Its secrets as JSON, sealed; null when it has none. */
    sealed: bytea('sealed'),
    /** People of the account wrote where it leads, and not the operator: it may lead to fewer places. */
    byPerson: boolean('by_person').notNull().default(false),
    /** Another one whenever anything above but its place has changed: who holds the connection open, opens it again. */
    revision: text('revision').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** Nobody asks it before that; null when it is up. */
    restsUntil: moment('rests_until'),
    restReason: text('rest_reason'),
    /** When it took a message last, and what its provider said last that is left; both at most a minute late. */
    takenAt: moment('taken_at'),
    balance: doublePrecision('balance'),
    /** When its provider reported last, and the messages that it took since, where each is to be reported; a minute late too. */
    reportedAt: moment('reported_at'),
    unreportedCount: integer('unreported_count').notNull().default(0),
    /** When it took the first of them. */
    unreportedSince: moment('unreported_since'),
    /** When the next message may be handed over, where only so many may be in a second. */
    nextAt: timestamp('next_at', { withTimezone: true, mode: 'date' }),
    /** The last turn that was given out, where it has caps, and the last one that was forgotten. */
    turn: bigint('turn', { mode: 'number' }).notNull().default(0),
    turnForgotten: bigint('turn_forgotten', { mode: 'number' }).notNull().default(0),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
  ],
)

/**
 * A verification's or a notification's message. No foreign key to the account: every insert would share a lock on the
 * account's row, which is one row for most installations.
 */
export const message = pgTable(
  'message',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    kind: text('kind').$type<'verification' | 'notification'>().notNull(),
    phone: text('phone').notNull(),
    /** ISO 3166-1 alpha-2; null for a number of no country. */
    country: text('country'),
    /** The slug that a notification was made from. */
    template: text('template'),
    /** Of that template; null where it was not kept. */
    templateVersion: integer('template_version'),
    /** The language of that template that was chosen, BCP 47; null where it was not kept. */
    templateLocale: text('template_locale'),
    /** The caller's own name for a notification; null for none. `message_reference` finds by it. */
    reference: text('reference'),
    /** What was known of who asked for it; null where nothing was said of that. */
    signals: jsonb('signals').$type<KeptSignals>(),
    /** What the rules found of it; null for nothing. */
    findings: jsonb('findings').$type<KeptFinding[]>(),
    /** The API key that it was sent with; null for one that was sent before this was kept. */
    keyId: text('key_id'),
    /** The connections that may carry it, in the order in which they are asked. */
    route: text('route').array().notNull().default(['sandbox']),
    /** The place in `route` of the connection that is asked now or was asked last; 1 for the first. */
    leg: smallint('leg').notNull().default(1),
    status: text('status').$type<MessageStatus>().notNull(),
    statusAt: moment('status_at').notNull(),
    errorCode: text('error_code').$type<DeliveryErrorCode>(),
    /** What a channel needs to write the message, sealed; null once nothing can need it any more. */
    content: bytea('content'),
    /** How often the connection of this leg was asked. */
    deliveryAttempts: smallint('delivery_attempts').notNull().default(0),
    /** How often it may have left without an answer that says so; of a code, by the last connection of its route. */
    unsure: smallint('unsure').notNull().default(0),
    /** When a channel took it first. */
    takenAt: moment('taken_at'),
    timeline: jsonb('timeline').$type<TimelineStep[]>().notNull(),
    /** What each provider charges, by the connection; null where none has said so. */
    prices: jsonb('prices').$type<Record<string, Price>>(),
    createdAt: moment('created_at').notNull(),
    /** When the code runs out; of a notification, when it is handed over no more, and null where it always is. */
    expiresAt: moment('expires_at'),
    /** When a notification is to go that was sent for later; null for one that went at once. */
    sendAt: moment('send_at'),
    verifiedAt: moment('verified_at'),
    /** Endpoints are to be told how the verification ends, and were not yet. */
    awaited: boolean('awaited').notNull().default(false),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    // No plan may take this for a way to the messages of an account: its column would be one.
    index('message_phone').on(row.phone, sql`(${row.accountId} || '')`),
    index('message_pending_expiry')
      .on(row.expiresAt)
      .where(sql`kind = 'verification' and (status = 'sent' or awaited) and verified_at is null`),
    index('message_created').on(row.createdAt),
  ],
)

/** A hand-over that a provider took under an id of its own, by which its reports may name the message. */
export const leg = pgTable(
  'leg',
  {
    accountId: text('account_id').notNull(),
    messageId: text('message_id').notNull(),
    connection: text('connection').notNull(),
    providerMessageId: text('provider_message_id').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.connection, row.providerMessageId] }),
    index('leg_message').on(row.accountId, row.messageId),
  ],
)

/** What the sandbox phone got. */
export const sandboxMessage = pgTable(
  'sandbox_message',
  {
    accountId: text('account_id').notNull(),
    /** The message that was delivered: a second delivery of it changes nothing. */
    id: text('id').notNull(),
    phone: text('phone').notNull(),
    text: text('text').notNull(),
    at: moment('at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    index('sandbox_message_phone').on(row.phone, row.at),
    index('sandbox_message_at').on(row.at),
  ],
)
