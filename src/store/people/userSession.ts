/** Who is signed in. Of a token only a hash is here. */
import { batch } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Role, userSession } from '../schema/userSchema.ts'
import type { UserKey } from './user.ts'

export type UserSessionRow = typeof userSession.$inferSelect

interface Known {
  accountId: string
  id: string
  userId: string
  isPending: boolean
  /** The account's name. */
  account: string
  name: string
  email: string
  role: Role
  hasPassword: boolean
  hasAuthenticator: boolean
  recoveryCodes: number
}
type Moments = 'createdAt' | 'seenAt' | 'provedAt'

/** A session and its user, as each page asks for them. */
export type KnownSession = Known & Record<Moments, Date>

const hashes = batch<string>('g', { hash: ['text', (hash) => hash] }, { isShort: true })

const byHash = read<Raw<KnownSession> & { n: number }>(`
  select g.n::int as n, s.account_id as "accountId", s.id, s.user_id as "userId", s.is_pending as "isPending",
    a.name as account,
    ${milliseconds('s.created_at')} as "createdAt", ${milliseconds('s.seen_at')} as "seenAt",
    ${milliseconds('s.proved_at')} as "provedAt", u.name, u.email, u.role,
    u.password_hash is not null as "hasPassword", u.totp_sealed is not null as "hasAuthenticator",
    cardinality(u.recovery_hashes) as "recoveryCodes"
  from ${hashes.numbered} join dashboard_session s on s.hash = g.hash
    join dashboard_user u on u.account_id = s.account_id and u.id = s.user_id
    join account a on a.id = s.account_id
  where u.disabled_at is null`)

/** @returns the session of each; undefined where there is none, or its user is disabled. Whether its time is over, the caller sees */
export async function findUserSessions(reader: Reader, list: readonly string[]): Promise<(KnownSession | undefined)[]> {
  const found = await reader.run(byHash, hashes.valuesOf(list))
  return inPlaces(list, found).map((row) => row && knownOf(row))
}

function knownOf({ createdAt, seenAt, provedAt, ...rest }: Raw<KnownSession>): KnownSession {
  return { ...rest, createdAt: new Date(createdAt), seenAt: new Date(seenAt), provedAt: new Date(provedAt) }
}

const sessions = toRows<UserSessionRow>('dashboard_session', {
  accountId: 'text',
  id: 'text',
  userId: 'text',
  hash: 'text',
  isPending: 'boolean',
  createdAt: 'timestamptz',
  seenAt: 'timestamptz',
  provedAt: 'timestamptz',
  address: 'text',
  agent: 'text',
})

const insert = write(sessions.insert)

/** Whoever does so holds the user's row. */
export async function insertUserSession(tx: Tx, row: UserSessionRow): Promise<void> {
  await tx.run(insert, sessions.valuesOf(row))
}

const touch = write(`
  update dashboard_session set seen_at = $3::text::timestamptz
  where account_id = $1 and id = $2 and seen_at <= $4::text::timestamptz`)

/** Writes when it was seen, unless that is after `notSince` already. */
export async function touchUserSession(
  tx: Tx,
  { accountId, id }: Pick<UserSessionRow, 'accountId' | 'id'>,
  at: Date,
  notSince: Date,
): Promise<void> {
  await tx.run(touch, [accountId, id, at.toISOString(), notSince.toISOString()])
}

const replace = write<{ id: string }>(`
  update dashboard_session set hash = $4, is_pending = false, proved_at = $5::text::timestamptz,
    seen_at = $5::text::timestamptz,
    created_at = case when is_pending then $5::text::timestamptz else created_at end
  where account_id = $1 and id = $2 and hash = $3 and is_pending = $6
  returning id`)

export interface SessionProof {
  /** Of the token until now. */
  hash: string
  /** Of the one in its place. */
  anew: string
  /** What it must be until now. From now on it is pending no more. */
  isPending: boolean
  at: Date
}

/** Its user has proved who he is: from now on another token opens it. @returns false when it is gone, or another's was first */
export async function proveUserSession(
  tx: Tx,
  { accountId, id }: Pick<UserSessionRow, 'accountId' | 'id'>,
  { hash, anew, isPending, at }: SessionProof,
): Promise<boolean> {
  return (await tx.run(replace, [accountId, id, hash, anew, at.toISOString(), isPending])).length > 0
}

const ofUser = read<Raw<UserSessionRow>>(`
  select ${sessions.columns('s')} from dashboard_session s where s.account_id = $1 and s.user_id = $2
  order by s.seen_at desc, s.id desc`)

/** Those of a user, the one that was seen last first. */
export async function listUserSessions(reader: Reader, { accountId, id }: UserKey): Promise<UserSessionRow[]> {
  return (await reader.run(ofUser, [accountId, id])).map(sessions.rowOf)
}

const ending = (which: string) =>
  write<{ id: string }>(`delete from dashboard_session where account_id = $1 and ${which} returning id`)
const endOne = ending('id = $2 and user_id = $3')

/** @returns whether it was there */
export async function endUserSession(tx: Tx, { accountId, id: userId }: UserKey, id: string): Promise<boolean> {
  return (await tx.run(endOne, [accountId, id, userId])).length > 0
}

const endOthers = ending('user_id = $2 and id <> $3')

/** All of a user but one. Whoever does so holds the user's row. @returns how many there were */
export async function endUserSessions(tx: Tx, { accountId, id }: UserKey, but = ''): Promise<number> {
  return (await tx.run(endOthers, [accountId, id, but])).length
}

const endAll = ending("id > ''")

/** All of an account. @returns how many there were */
export async function endAllUserSessions(tx: Tx, accountId: string): Promise<number> {
  return (await tx.run(endAll, [accountId])).length
}
