/** Accounts. */
import { asc, eq, or } from 'drizzle-orm'
import type { Session } from './connect.ts'
import { account } from './schema.ts'

export type AccountRow = typeof account.$inferSelect

/** @returns whether the name was free */
export async function insertAccount(session: Session, row: AccountRow): Promise<boolean> {
  return (await session.insert(account).values(row).onConflictDoNothing().returning({ id: account.id })).length > 0
}

/** By its very name, or else by what makes it one: of those that were there before, two can have the same. */
export async function findAccount(session: Session, name: string, nameKey: string): Promise<AccountRow | undefined> {
  const found = await session
    .select()
    .from(account)
    .where(or(eq(account.name, name), eq(account.nameKey, nameKey)))
  return found.find((row) => row.name === name) ?? found[0]
}

export function listAccounts(session: Session): Promise<AccountRow[]> {
  return session.select().from(account).orderBy(asc(account.name))
}
