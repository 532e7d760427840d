/** People of accounts. Whoever ends all sessions of one, or opens one, holds the person's row. */
import { sealedIn } from '../access/reseal.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Role, user } from '../schema/userSchema.ts'

export interface UserKey {
  accountId: string
  id: string
}

export type UserRow = typeof user.$inferSelect

const users = toRows<UserRow>('dashboard_user', {
  accountId: 'text',
  id: 'text',
  name: 'text',
  email: 'text',
  emailKey: 'text',
  role: 'text',
  passwordHash: 'text',
  totpSealed: 'bytea',
  totpStep: 'bigint',
  recoveryHashes: 'text[]',
  oidcSubject: 'text',
  createdAt: 'timestamptz',
  signedInAt: 'timestamptz',
  disabledAt: 'timestamptz',
})
const columns = users.columns('u')

const insert = write(users.insert)

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.run(insert, users.valuesOf(row))
}

const holdEmail = read('select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Until the commit, nobody else decides whose address that is: no index can say that it is of one person alone. */
export async function lockEmail(tx: Tx, emailKey: string): Promise<void> {
  await tx.run(holdEmail, [`email ${emailKey}`])
}

const isThis = 'u.account_id = $1 and u.id = $2'
const found = (where: string) => read<Raw<UserRow>>(`select ${columns} from dashboard_user u where ${where}`)
const byKey = found(isThis)

export async function findUser(reader: Reader, { accountId, id }: UserKey): Promise<UserRow | undefined> {
  return (await reader.run(byKey, [accountId, id])).map(users.rowOf)[0]
}

const byEmail = found('u.email_key = $1')

export async function findUserByEmail(reader: Reader, emailKey: string): Promise<UserRow | undefined> {
  return (await reader.run(byEmail, [emailKey])).map(users.rowOf)[0]
}

const bySubject = found('u.oidc_subject = $1')

/** @param subject issuer and subject of a company's provider */
export async function findUserBySubject(reader: Reader, subject: string): Promise<UserRow | undefined> {
  return (await reader.run(bySubject, [subject])).map(users.rowOf)[0]
}

const ofAccount = found("u.account_id = $1 and u.id > '' order by u.name, u.id")

/** Those of an account in the order of their names, disabled ones too. */
export async function listUsers(reader: Reader, accountId: string): Promise<UserRow[]> {
  return (await reader.run(ofAccount, [accountId])).map(users.rowOf)
}

const all = read<Raw<UserRow> & { account: string }>(`
  select ${columns}, a.name as account from account a join dashboard_user u on u.account_id = a.id and u.id > ''
  order by a.name, u.name, u.id`)

/** Of all accounts, in the order of their names. */
export async function listAllUsers(reader: Reader): Promise<(UserRow & { account: string })[]> {
  return (await reader.run(all, [])).map(users.rowOf)
}

const enabled = read(`
  select u.id from dashboard_user u where u.account_id = $1 and u.id > '' and u.disabled_at is null limit 1`)

/** Whether the account has a user who can sign in. */
export async function hasEnabledUsers(reader: Reader, accountId: string): Promise<boolean> {
  return (await reader.run(enabled, [accountId])).length > 0
}

const lock = write<Raw<UserRow>>(`select ${columns} from dashboard_user u where ${isThis} for update`)

/** Takes hold of a person; undefined when there is none. */
export async function lockUser(tx: Tx, { accountId, id }: UserKey): Promise<UserRow | undefined> {
  return (await tx.run(lock, [accountId, id])).map(users.rowOf)[0]
}

export async function updateUser(tx: Tx, { accountId, id }: UserKey, changes: Partial<UserRow>): Promise<void> {
  const { assignments, values } = users.set(changes, 3)
  await tx.run(write(`update dashboard_user u set ${assignments} where ${isThis}`), [accountId, id, ...values])
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

/** Their authenticators. */
export const sealedUsers = sealedIn('dashboard_user', 'totp_sealed')
