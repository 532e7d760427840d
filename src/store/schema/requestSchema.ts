/** The tables of what requests leave behind beside their messages: the state of a phone, kept answers, and under which secrets. */
import { isNotNull, sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { bytea, type Mode, moment } from './columns.ts'

/**
 * What must be decided at once about one phone: when it was sent to, when wrong codes came, and the one verification that
 * can be pending. A send replaces that verification and a check counts on it, each in one update of this row, so the row's
 * lock puts them in order. Times are newest first.
 */
export const phone = pgTable(
  'phone',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    phone: text('phone').notNull(),
    sentAt: moment('sent_at').array().notNull().default(sql`'{}'`),
    /** Those of `sent_at` that auth systems asked for: they begin no cooldown for the API. */
    postedAt: moment('posted_at').array().notNull().default(sql`'{}'`),
    notifiedAt: moment('notified_at').array().notNull().default(sql`'{}'`),
    wrongAt: moment('wrong_at').array().notNull().default(sql`'{}'`),
    verificationId: text('verification_id'),
    /** The one that was pending until the last send. */
    supersededId: text('superseded_id'),
    codeHmac: bytea('code_hmac'),
    codeKeyId: text('code_key_id'),
    attempts: smallint('attempts').notNull().default(0),
    attemptsMax: smallint('attempts_max').notNull().default(0),
    /** Which attempt was right; null while none was. */
    verifiedAttempt: smallint('verified_attempt'),
    expiresAt: moment('expires_at'),
    /** One of the verifications before the last send was right. */
    hasVerified: boolean('has_verified').notNull().default(false),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.mode, row.phone] })],
)

/** A phone that rules refused a send to. When no limit looks at that any more, its row in `phone` says nothing of it, or is erased. */
export const refusedPhone = pgTable(
  'refused_phone',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    phone: text('phone').notNull(),
    /** Of the last refusal. */
    at: moment('at').notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.mode, row.phone] }), index('refused_phone_at').on(row.at)],
)

/**
 * A phone that has opted out of what an account sends. The phone is a keyed hash, so that the fact outlives `forget` without
 * naming anyone: erasing it would make a person reachable again who said STOP.
 */
export type OptOutSource = 'provider' | 'reply' | 'api' | 'operator' | 'person' | 'import'

/** What it stops: `all` but codes, or templates of the category `marketing`. One that a later version writes counts as `all`. */
export type OptOutCategory = 'all' | 'marketing'

export const optOut = pgTable(
  'opt_out',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    phoneHash: text('phone_hash').notNull(),
    category: text('category').$type<OptOutCategory>().notNull(),
    /**
     * Who told: a provider by refusing a message, the owner of the phone by a reply, the account by the API, the operator by a
     * command, a person of the account in the dashboard, or a file of opt-outs. After an opt-in, who told of that.
     */
    source: text('source').$type<OptOutSource>().notNull(),
    since: moment('since').notNull(),
    /** What stands for the phone in messages and events; null in a row of a version that did not keep it. */
    recipient: text('recipient'),
    /** When that was said last, by the time of who told it; null: at `since`. */
    toldAt: moment('told_at'),
    /**
     * What it opted in to at `told_at`, for some time: a reply from before may still come, and changes nothing then. Null: it has
     * opted out.
     */
    optedIn: text('opted_in').$type<OptOutCategory>(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.mode, row.phoneHash] }),
    index('opt_out_latest').on(row.accountId, row.mode, row.since, row.phoneHash),
    index('opt_out_opted_in').on(row.toldAt).where(isNotNull(row.optedIn)),
  ],
)

/** A word that an account has made a keyword of replies. */
export interface ReplyKeyword {
  /** As a person wrote it. */
  text: string
  meaning: 'stop' | 'start'
  /** BCP 47: for people who read the list. A reply does not say its language. */
  language: string
}

/** The keywords of replies that accounts have of their own. */
export const replyKeywords = pgTable(
  'reply_keywords',
  {
    accountId: text('account_id').notNull(),
    /** By the word in which replies are compared. */
    keywords: jsonb('keywords').$type<Record<string, ReplyKeyword>>().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId] })],
)

/**
 * The notifications that a caller has named, by the name. A table of its own: an index on `message` would be built while sends
 * wait, and only what has a reference pays for this one.
 */
export const messageReference = pgTable(
  'message_reference',
  {
    accountId: text('account_id').notNull(),
    reference: text('reference').notNull(),
    messageId: text('message_id').notNull(),
    /** When the message was made: it is erased by the same days. */
    createdAt: moment('created_at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.reference, row.messageId] }),
    index('message_reference_created').on(row.createdAt),
  ],
)

/**
 * Notifications whose time has not come: of each there is a message, and no job yet. An earlier version leaves them alone. Who takes
 * one out of here decides what becomes of it.
 */
export const scheduled = pgTable(
  'scheduled',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    sendAt: moment('send_at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.id] }),
    // Partial, so that no plan looks for one row of an account in it: only what asks for times can use it.
    index('scheduled_account_send_at').on(row.accountId, row.sendAt).where(sql`${row.sendAt} is not null`),
  ],
)

/**
 * Notifications that failed before a provider took them, with what they were made from: for some days they can be sent again, once.
 * Their messages have lost it by then.
 */
export const resendable = pgTable(
  'resendable',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    /** Sealed, as the message had it; null once it was sent again. */
    content: bytea('content'),
    failedAt: moment('failed_at').notNull(),
    /** The message that it was sent again as. */
    resentAs: text('resent_as'),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.id] }), index('resendable_failed_at').on(row.failedAt)],
)

/** The kept answer to a request that came with an `Idempotency-Key`. Of the key and of the body only keyed hashes are held. */
export const idempotency = pgTable(
  'idempotency',
  {
    accountId: text('account_id').notNull(),
    mode: text('mode').$type<Mode>().notNull(),
    operation: text('operation').notNull(),
    key: text('key').notNull(),
    fingerprint: bytea('fingerprint').notNull(),
    fingerprintKeyId: text('fingerprint_key_id').notNull(),
    /** Null only inside the transaction that does the work. */
    status: smallint('status'),
    body: text('body'),
    createdAt: moment('created_at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.mode, row.operation, row.key] }),
    index('idempotency_created').on(row.createdAt),
  ],
)

/** A secret that processes began with. What is sealed is the key that the installation hashes with, the same in each row. */
export const keyring = pgTable('keyring', {
  keyId: text('key_id').primaryKey(),
  sealed: bytea('sealed').notNull(),
  /** From then on, the keys of `idempotency` are kept as HMACs. */
  hashedFrom: moment('hashed_from').notNull(),
  madeAt: moment('made_at').notNull(),
})

/** A key pair that signs receipts, of the whole installation. Its mode has a pair that waits, with no `signs_from`. */
export const receiptKey = pgTable('receipt_key', {
  /** Thumbprint of the public half, by RFC 7638. */
  kid: text('kid').primaryKey(),
  mode: text('mode').$type<Mode>().notNull(),
  /** The public half, a JWK as JSON. */
  publicJwk: text('public_jwk').notNull(),
  /** The private half, a JWK as JSON, sealed. */
  sealed: bytea('sealed').notNull(),
  madeAt: moment('made_at').notNull(),
  /** From then on it signs, until another does. */
  signsFrom: moment('signs_from'),
})
