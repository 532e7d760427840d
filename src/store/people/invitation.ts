/** Links that make a user, or set a password for one. Of a token only a hash is here. */
import { batch } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { invitation } from '../schema/userSchema.ts'
import type { UserKey } from './user.ts'

export type InvitationRow = typeof invitation.$inferSelect

const invitations = toRows<InvitationRow>('invitation', {
  accountId: 'text',
  id: 'text',
  hash: 'text',
  role: 'text',
  email: 'text',
  userId: 'text',
  invitedBy: 'text',
  invitedById: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  usedAt: 'timestamptz',
})
const columns = invitations.columns('i')

const isLeft = (at: string) => `i.used_at is null and i.expires_at > ${at}::text::timestamptz`

/**
 * By the operator, or by an owner who still is one: a process of the version before ends no links. Of those that it makes
 * nobody knows by whom, and they go on for their day. No `exists`, for which all people can be read.
 */
const isVouchedFor = `(i.invited_by_id is null or (select m.role = 'owner' and m.disabled_at is null
  from dashboard_user m where m.account_id = i.account_id and m.id = i.invited_by_id))`

const isUsable = `${isLeft('$2')} and ${isVouchedFor}`

const insert = write(invitations.insert)

export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx.run(insert, invitations.valuesOf(row))
}

const hashes = batch<string>('g', { hash: ['text', (hash) => hash] }, { isShort: true })

const byHash = read<Raw<InvitationRow> & { n: number; account: string }>(`
  select g.n::int as n, ${columns}, a.name as account
  from ${hashes.numbered} join invitation i on i.hash = g.hash join account a on a.id = i.account_id
  where ${isUsable}`)

/** Each with the name of its account. @returns undefined for one that cannot be used, and where there is none */
export async function findInvitations(
  reader: Reader,
  list: readonly string[],
  at: Date,
): Promise<((InvitationRow & { account: string }) | undefined)[]> {
  const found = await reader.run(byHash, [...hashes.valuesOf(list), at.toISOString()])
  return inPlaces(list, found).map((row) => row && invitations.rowOf(row))
}

const use = write<Raw<InvitationRow>>(`
  update invitation i set used_at = $2::text::timestamptz where i.hash = $1 and ${isUsable} returning ${columns}`)

/**
 * Uses it: of two at once, one. Whoever does so holds the account's row.
 *
 * @returns undefined when it cannot be used any more, or there is none
 */
export async function useInvitation(tx: Tx, hash: string, at: Date): Promise<InvitationRow | undefined> {
  return (await tx.run(use, [hash, at.toISOString()])).map(invitations.rowOf)[0]
}

const usable = read<Raw<InvitationRow>>(`
  select ${columns} from invitation i where i.account_id = $1 and i.id > '' and ${isUsable} order by i.id desc`)

/** Those of an account that can still be used, the latest first. */
export async function listInvitations(reader: Reader, accountId: string, at: Date): Promise<InvitationRow[]> {
  return (await reader.run(usable, [accountId, at.toISOString()])).map(invitations.rowOf)
}

const ending = (which: string) =>
  write<Raw<InvitationRow>>(`
    update invitation i set expires_at = $3::text::timestamptz
    where i.account_id = $1 and ${which} and ${isLeft('$3')} returning ${columns}`)
const end = ending('i.id = $2')

/** @returns the one that was ended; undefined when it could not be used any more */
export async function endInvitation(
  tx: Tx,
  accountId: string,
  id: string,
  at: Date,
): Promise<InvitationRow | undefined> {
  return (await tx.run(end, [accountId, id, at.toISOString()])).map(invitations.rowOf)[0]
}

const endOfUser = ending("i.id > '' and i.user_id = $2")

/** Those that would set the password of a user. */
export async function endPasswordLinks(tx: Tx, { accountId, id }: UserKey, at: Date): Promise<void> {
  await tx.run(endOfUser, [accountId, id, at.toISOString()])
}

const endOfOperator = ending("i.id > '' and i.invited_by = $2 and i.invited_by_id is null and i.user_id is null")

/** Those that let new people in, and that an operator of that name has made. */
export async function endInvitationsBy(
  tx: Tx,
  { accountId, name }: { accountId: string; name: string },
  at: Date,
): Promise<InvitationRow[]> {
  return (await tx.run(endOfOperator, [accountId, name, at.toISOString()])).map(invitations.rowOf)
}

const endOfMaker = ending("i.id > '' and i.invited_by_id = $2")

/** Those that somebody has made. @returns how many there were */
export async function endLinksMadeBy(tx: Tx, { accountId, id }: UserKey, at: Date): Promise<number> {
  return (await tx.run(endOfMaker, [accountId, id, at.toISOString()])).length
}
