/** Accounts. */
import { asc, eq } from 'drizzle-orm'
import type { Session } from './connect.ts'
import { account } from './schema.ts'

export type AccountRow = typeof account.$inferSelect

/** @returns whether the name was free */
export async function insertAccount(session: Session, row: AccountRow): Promise<boolean> {
  return (await session.insert(account).values(row).onConflictDoNothing().returning({ id: account.id })).length > 0
}

export async function findAccount(session: Session, name: string): Promise<AccountRow | undefined> {
  return (await session.select().from(account).where(eq(account.name, name)))[0]
}

export function listAccounts(session: Session): Promise<AccountRow[]> {
  return session.select().from(account).orderBy(asc(account.name))
}
