/** API keys, of which only a hash is here. */
import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Session } from './connect.ts'
import { account, apiKey } from './schema.ts'

export type ApiKeyRow = typeof apiKey.$inferSelect

export async function insertApiKey(session: Session, row: ApiKeyRow): Promise<void> {
  await session.insert(apiKey).values(row)
}

export async function findApiKeyByHash(session: Session, hash: Buffer): Promise<ApiKeyRow | undefined> {
  return (await session.select().from(apiKey).where(eq(apiKey.hash, hash)))[0]
}

export async function findApiKey(session: Session, id: string): Promise<ApiKeyRow | undefined> {
  return (await session.select().from(apiKey).where(eq(apiKey.id, id)))[0]
}

export async function listApiKeys(session: Session): Promise<(ApiKeyRow & { account: string })[]> {
  const found = await session
    .select()
    .from(apiKey)
    .innerJoin(account, eq(account.id, apiKey.accountId))
    .orderBy(asc(account.name), asc(apiKey.id))
  return found.map((row) => ({ ...row.api_key, account: row.account.name }))
}

/** @returns false when it was revoked before, or does not exist */
export async function revokeApiKey(session: Session, id: string, at: Date): Promise<boolean> {
  const revoked = await session
    .update(apiKey)
    .set({ revokedAt: at })
    .where(and(eq(apiKey.id, id), isNull(apiKey.revokedAt)))
    .returning({ id: apiKey.id })
  return revoked.length > 0
}

/**
 * Gives the key a successor, and brings its end nearer, never further.
 *
 * @returns false when it has a successor already
 */
export async function replaceApiKey(session: Session, id: string, by: string, endsAt: Date): Promise<boolean> {
  const replaced = await session
    .update(apiKey)
    .set({ replacedBy: by, expiresAt: sql`least(${apiKey.expiresAt}, ${endsAt.toISOString()}::timestamptz)` })
    .where(and(eq(apiKey.id, id), isNull(apiKey.replacedBy)))
    .returning({ id: apiKey.id })
  return replaced.length > 0
}

/** Writes the time of use, unless one after `notSince` is there. */
export async function touchApiKey(session: Session, row: ApiKeyRow, at: Date, notSince: Date): Promise<void> {
  await session
    .update(apiKey)
    .set({ lastUsedAt: at })
    .where(
      and(
        eq(apiKey.accountId, row.accountId),
        eq(apiKey.id, row.id),
        or(isNull(apiKey.lastUsedAt), lte(apiKey.lastUsedAt, notSince)),
      ),
    )
}
