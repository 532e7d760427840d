/** Accounts. */
import { asc, eq, or } from 'drizzle-orm'
import type { Reader, Tx } from '../engine/session.ts'
import { account } from '../schema/schema.ts'

export type AccountRow = typeof account.$inferSelect

/** @returns whether the name was free */
export async function insertAccount(tx: Tx, row: AccountRow): Promise<boolean> {
  return (await tx.db.insert(account).values(row).onConflictDoNothing().returning({ id: account.id })).length > 0
}

/** Who changes what belongs to an account, one after the other. Keys may be made and used meanwhile. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.db.select({ id: account.id }).from(account).where(eq(account.id, id)).for('no key update')
}

/** By its very name, or else by what makes it one: of those that were there before, two can have the same. */
export async function findAccount(reader: Reader, name: string, nameKey: string): Promise<AccountRow | undefined> {
  const found = await reader.db
    .select()
    .from(account)
    .where(or(eq(account.name, name), eq(account.nameKey, nameKey)))
  return found.find((row) => row.name === name) ?? found[0]
}

export function listAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.db.select().from(account).orderBy(asc(account.name))
}
