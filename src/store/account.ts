/** Accounts. */
import { asc, eq } from 'drizzle-orm'
import { account } from './schema.ts'
import type { Reader, Tx } from './session.ts'

export type AccountRow = typeof account.$inferSelect

/** @returns whether the name was free */
export async function insertAccount(tx: Tx, row: AccountRow): Promise<boolean> {
  return (await tx.db.insert(account).values(row).onConflictDoNothing().returning({ id: account.id })).length > 0
}

export async function findAccount(reader: Reader, name: string): Promise<AccountRow | undefined> {
  return (await reader.db.select().from(account).where(eq(account.name, name)))[0]
}

export function listAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.db.select().from(account).orderBy(asc(account.name))
}
