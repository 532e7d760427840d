/** API keys, of which only a hash is here. */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { inPlaces } from '../engine/order.ts'
import { dateOf, milliseconds, type Reader, read, type Tx } from '../engine/session.ts'
import { account, apiKey, type Mode } from '../schema/schema.ts'

/** 72 bits. */
const markLength = 12

export type ApiKeyRow = typeof apiKey.$inferSelect

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.db.insert(apiKey).values(row)
}

/** What is asked of a key in each request. */
export type KnownKey = Pick<
  ApiKeyRow,
  'accountId' | 'id' | 'mode' | 'scopes' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'
>

interface RawKey {
  n: number
  accountId: string
  id: string
  mode: Mode
  scopes: string
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}

const byHash = read<RawKey>(`
  select g.n::int as n, k.account_id as "accountId", k.id, k.mode, array_to_string(k.scopes, ' ') as scopes,
    ${milliseconds('k.expires_at')} as "expiresAt", ${milliseconds('k.revoked_at')} as "revokedAt",
    ${milliseconds('k.last_used_at')} as "lastUsedAt"
  from unnest($1::text[]) with ordinality as g (hash, n) join api_key k on k.hash = decode(g.hash, 'base64')`)

/** @param hashes in base64. @returns the key of each; undefined where there is none */
export async function findApiKeysByHash(reader: Reader, hashes: readonly string[]): Promise<(KnownKey | undefined)[]> {
  const found = await reader.run(byHash, [hashes])
  return inPlaces(hashes, found).map(
    (row) =>
      row && {
        ...row,
        scopes: row.scopes.split(' '),
        expiresAt: dateOf(row.expiresAt),
        revokedAt: dateOf(row.revokedAt),
        lastUsedAt: dateOf(row.lastUsedAt),
      },
  )
}

const allHashes = read<{ marks: string | null }>(`
  select string_agg(left(encode(hash, 'base64'), ${markLength}), ' ') as marks
  from (select hash from api_key order by coalesce(last_used_at, created_at) desc limit $1::int) k`)

/** @returns the marks of at most `count` keys, those that were made or used last */
export async function listApiKeyHashes(reader: Reader, count: number): Promise<Set<string>> {
  const [row] = await reader.run(allHashes, [count])
  return new Set(row?.marks?.split(' '))
}

/** What a key is listed by: of its hash in base64, enough that no two have the same. */
export function markOf(hash: string): string {
  return hash.slice(0, markLength)
}

export async function findApiKey(reader: Reader, id: string): Promise<ApiKeyRow | undefined> {
  return (await reader.db.select().from(apiKey).where(eq(apiKey.id, id)))[0]
}

export async function listApiKeys(reader: Reader): Promise<(ApiKeyRow & { account: string })[]> {
  const found = await reader.db
    .select()
    .from(apiKey)
    .innerJoin(account, eq(account.id, apiKey.accountId))
    .orderBy(asc(account.name), asc(apiKey.id))
  return found.map((row) => ({ ...row.api_key, account: row.account.name }))
}

/** @returns false when it was revoked before, or does not exist */
export async function revokeApiKey(tx: Tx, id: string, at: Date): Promise<boolean> {
  const revoked = await tx.db
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
export async function replaceApiKey(tx: Tx, id: string, by: string, endsAt: Date): Promise<boolean> {
  const replaced = await tx.db
    .update(apiKey)
    .set({ replacedBy: by, expiresAt: sql`least(${apiKey.expiresAt}, ${endsAt.toISOString()}::timestamptz)` })
    .where(and(eq(apiKey.id, id), isNull(apiKey.replacedBy)))
    .returning({ id: apiKey.id })
  return replaced.length > 0
}

export interface KeyUse {
  at: Date
  /** Where it came from; undefined when that is not known. */
  from: string | undefined
  /** On the day of `at`, in UTC, since it was written before. */
  count: number
}

const isSameDay = (at: SQL) => sql`(${apiKey.lastUsedAt} at time zone 'UTC')::date = (${at} at time zone 'UTC')::date`

/** Adds the uses of a time to those that are written; another process may write at the same time. */
export async function touchApiKey(
  tx: Tx,
  row: Pick<ApiKeyRow, 'accountId' | 'id'>,
  { at, from, count }: KeyUse,
): Promise<void> {
  const moment = sql`${at.toISOString()}::timestamptz`
  await tx.db
    .update(apiKey)
    .set({
      lastUsedAt: sql`greatest(${apiKey.lastUsedAt}, ${moment})`,
      lastUsedFrom: from,
      usedThatDay: sql`case when ${isSameDay(moment)} then ${apiKey.usedThatDay} else 0 end + ${count}`,
    })
    .where(and(eq(apiKey.accountId, row.accountId), eq(apiKey.id, row.id)))
}
