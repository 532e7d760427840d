/** People of accounts. Whoever ends all sessions of one, or opens one, holds the person's row. */
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { type Reader, read, type Tx, type Write, write } from '../engine/session.ts'
import { account } from '../schema/schema.ts'
import { type Role, user } from '../schema/userSchema.ts'

export interface UserKey {
  accountId: string
  id: string
}

export type UserRow = typeof user.$inferSelect

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.db.insert(user).values(row)
}

const holdEmail = read('select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Until the commit, nobody else decides whose address that is: no index can say that it is of one person alone. */
export async function lockEmail(tx: Tx, emailKey: string): Promise<void> {
  await tx.run(holdEmail, [`email ${emailKey}`])
}

export async function findUser(reader: Reader, key: UserKey): Promise<UserRow | undefined> {
  return (await reader.db.select().from(user).where(isThis(key)))[0]
}

export async function findUserByEmail(reader: Reader, emailKey: string): Promise<UserRow | undefined> {
  return (await reader.db.select().from(user).where(eq(user.emailKey, emailKey)))[0]
}

/** @param subject issuer and subject of a company's provider */
export async function findUserBySubject(reader: Reader, subject: string): Promise<UserRow | undefined> {
  return (await reader.db.select().from(user).where(eq(user.oidcSubject, subject)))[0]
}

/** Those of an account in the order of their names, disabled ones too. */
export function listUsers(reader: Reader, accountId: string): Promise<UserRow[]> {
  return reader.db.select().from(user).where(ofAccount(accountId)).orderBy(asc(user.name), asc(user.id))
}

/** Of all accounts, in the order of their names. */
export async function listAllUsers(reader: Reader): Promise<(UserRow & { account: string })[]> {
  const found = await reader.db
    .select()
    .from(account)
    .innerJoin(user, and(eq(user.accountId, account.id), sql`${user.id} > ''`))
    .orderBy(asc(account.name), asc(user.name), asc(user.id))
  return found.map((row) => ({ ...row.dashboard_user, account: row.account.name }))
}

export async function hasUsers(reader: Reader, accountId: string): Promise<boolean> {
  return (await reader.db.select({ id: user.id }).from(user).where(ofAccount(accountId)).limit(1)).length > 0
}

/** Takes hold of a person; undefined when there is none. */
export async function lockUser(tx: Tx, key: UserKey): Promise<UserRow | undefined> {
  return (await tx.db.select().from(user).where(isThis(key)).for('update'))[0]
}

export async function updateUser(tx: Tx, key: UserKey, changes: Partial<UserRow>): Promise<void> {
  await tx.db.update(user).set(changes).where(isThis(key))
}

/** Until the commit, none of them becomes anything else. What follows sees what others had made of them before. */
const holdOwners = write(`
  select u.id from dashboard_user u where u.account_id = $1 and u.id > '' and u.role = 'owner' and u.disabled_at is null
  order by u.id for update`)

/** True when the user `u` is no enabled owner, or there is another one. Whoever asks holds the owners. */
const isSpared = `(u.role <> 'owner' or u.disabled_at is not null or exists (
    select from dashboard_user o where o.account_id = u.account_id and o.id > '' and o.id <> u.id
      and o.role = 'owner' and o.disabled_at is null))`

const demote = write<{ id: string }>(`
  update dashboard_user u set role = $3 where u.account_id = $1 and u.id = $2 and ($3 = 'owner' or ${isSpared})
  returning u.id`)

/** Whoever does so holds the account's row. @returns false when the account would have no owner left */
export async function setRole(tx: Tx, { accountId, id }: UserKey, role: Role): Promise<boolean> {
  await tx.run(holdOwners, [accountId])
  return (await tx.run(demote, [accountId, id, role])).length > 0
}

const disable = write<{ id: string }>(`
  update dashboard_user u set disabled_at = coalesce(u.disabled_at, $3::text::timestamptz)
  where u.account_id = $1 and u.id = $2 and ${isSpared} returning u.id`)

/** Whoever does so holds the account's row. @returns false when the account would have no owner left */
export async function disableUser(tx: Tx, { accountId, id }: UserKey, at: Date): Promise<boolean> {
  await tx.run(holdOwners, [accountId])
  return (await tx.run(disable, [accountId, id, at.toISOString()])).length > 0
}

const takeStep = write<{ id: string }>(`
  update dashboard_user u set totp_step = $3::bigint
  where u.account_id = $1 and u.id = $2 and u.totp_sealed is not null and (u.totp_step is null or u.totp_step < $3::bigint)
  returning u.id`)

/** Uses a step of the authenticator. @returns false when that or a later one was used before */
export async function useStep(tx: Tx, { accountId, id }: UserKey, step: number): Promise<boolean> {
  return (await tx.run(takeStep, [accountId, id, step])).length > 0
}

const takeRecovery = write<{ left: number }>(`
  update dashboard_user u set recovery_hashes = array_remove(u.recovery_hashes, $3)
  where u.account_id = $1 and u.id = $2 and u.totp_sealed is not null and $3 = any (u.recovery_hashes)
  returning cardinality(u.recovery_hashes) as left`)

/** Uses a recovery code. @returns how many are left; undefined when it is none, or was used before */
export async function useRecovery(tx: Tx, { accountId, id }: UserKey, hash: string): Promise<number | undefined> {
  return (await tx.run(takeRecovery, [accountId, id, hash]))[0]?.left
}

interface SealedUser extends UserKey {
  sealed: Uint8Array
}

/** Those with an authenticator, at most `count`, in the order of their keys from after `after`. */
export async function listSealedUsers(reader: Reader, after: UserKey, count: number): Promise<SealedUser[]> {
  const { accountId, id, totpSealed } = user
  const found = await reader.db
    .select({ accountId, id, sealed: totpSealed })
    .from(user)
    .where(and(sql`(${accountId}, ${id}) > (${after.accountId}, ${after.id})`, isNotNull(totpSealed)))
    .orderBy(accountId, id)
    .limit(count)
  return found.map((row) => ({ ...row, sealed: row.sealed! }))
}

const reseal: Write<UserKey> = write(`
  update dashboard_user u set totp_sealed = decode(g.new, 'base64')
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (account_id, id, old, new)
  where u.account_id = g.account_id and u.id = g.id and u.totp_sealed = decode(g.old, 'base64')
  returning u.account_id as "accountId", u.id`)

/** Replaces what is sealed where nobody else has done so meanwhile. @returns where it was replaced */
export async function resealUsers(tx: Tx, list: readonly (SealedUser & { anew: Uint8Array })[]): Promise<UserKey[]> {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return tx.run(reseal, [
    list.map(({ accountId }) => accountId),
    list.map(({ id }) => id),
    list.map(({ sealed }) => base64(sealed)),
    list.map(({ anew }) => base64(anew)),
  ])
}

function ofAccount(accountId: string) {
  return and(eq(user.accountId, accountId), sql`${user.id} > ''`)
}

function isThis({ accountId, id }: UserKey) {
  return and(eq(user.accountId, accountId), eq(user.id, id))
}
