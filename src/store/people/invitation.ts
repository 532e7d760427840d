/** Links that make a user, or set a password for one. Of a token only a hash is here. */
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../engine/session.ts'
import { account } from '../schema/schema.ts'
import { invitation } from '../schema/userSchema.ts'
import type { UserKey } from './user.ts'

export type InvitationRow = typeof invitation.$inferSelect

export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx.db.insert(invitation).values(row)
}

/** With the name of its account. @returns undefined when it cannot be used, or there is none */
export async function findInvitation(
  reader: Reader,
  hash: string,
  at: Date,
): Promise<(InvitationRow & { account: string }) | undefined> {
  const [found] = await reader.db
    .select()
    .from(invitation)
    .innerJoin(account, eq(account.id, invitation.accountId))
    .where(isOpen(hash, at))
  return found && { ...found.invitation, account: found.account.name }
}

/**
 * Uses it: of two at once, one. Whoever does so holds the account's row.
 *
 * @returns undefined when it cannot be used any more, or there is none
 */
export async function useInvitation(tx: Tx, hash: string, at: Date): Promise<InvitationRow | undefined> {
  return (await tx.db.update(invitation).set({ usedAt: at }).where(isOpen(hash, at)).returning())[0]
}

/** Those of an account that can still be used, the latest first. */
export function listInvitations(reader: Reader, accountId: string, at: Date): Promise<InvitationRow[]> {
  return reader.db
    .select()
    .from(invitation)
    .where(and(isUsable(at), eq(invitation.accountId, accountId), sql`${invitation.id} > ''`))
    .orderBy(desc(invitation.id))
}

/** @returns the one that was ended; undefined when it could not be used any more */
export async function endInvitation(
  tx: Tx,
  accountId: string,
  id: string,
  at: Date,
): Promise<InvitationRow | undefined> {
  const [ended] = await tx.db
    .update(invitation)
    .set({ expiresAt: at })
    .where(and(isLeft(at), eq(invitation.accountId, accountId), eq(invitation.id, id)))
    .returning()
  return ended
}

/** Those that would set the password of a user. */
export async function endPasswordLinks(tx: Tx, { accountId, id }: UserKey, at: Date): Promise<void> {
  await tx.db
    .update(invitation)
    .set({ expiresAt: at })
    .where(and(isLeft(at), eq(invitation.accountId, accountId), sql`${invitation.id} > ''`, eq(invitation.userId, id)))
}

/** Those that somebody has made. @returns how many there were */
export async function endLinksMadeBy(tx: Tx, { accountId, id }: UserKey, at: Date): Promise<number> {
  const ended = await tx.db
    .update(invitation)
    .set({ expiresAt: at })
    .where(
      and(isLeft(at), eq(invitation.accountId, accountId), sql`${invitation.id} > ''`, eq(invitation.invitedById, id)),
    )
    .returning({ id: invitation.id })
  return ended.length
}

function isOpen(hash: string, at: Date) {
  return and(eq(invitation.hash, hash), isUsable(at))
}

function isUsable(at: Date) {
  return and(isLeft(at), isVouchedFor)
}

/**
 * By the operator, or by an owner who still is one: a process of the version before ends no links. Of those that it makes
 * nobody knows by whom, and they go on for their day. No `exists`, for which all people can be read.
 */
const isVouchedFor = sql`(${invitation.invitedById} is null or (select m.role = 'owner' and m.disabled_at is null
  from dashboard_user m where m.account_id = ${invitation.accountId} and m.id = ${invitation.invitedById}))`

function isLeft(at: Date) {
  return and(isNull(invitation.usedAt), gt(invitation.expiresAt, at))
}
