/** API keys, of which only a hash is here. */
import { batch } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { apiKey, Mode } from '../schema/schema.ts'

/** 72 bits. */
const markLength = 12

export type ApiKeyRow = typeof apiKey.$inferSelect

const keys = toRows<ApiKeyRow>('api_key', {
  accountId: 'text',
  id: 'text',
  name: 'text',
  mode: 'text',
  scopes: 'text[]',
  hash: 'bytea',
  hint: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  revokedAt: 'timestamptz',
  lastUsedAt: 'timestamptz',
  lastUsedFrom: 'text',
  usedThatDay: 'int',
  replacedBy: 'text',
})

const insert = write(keys.insert)

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.run(insert, keys.valuesOf(row))
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

const hashes = batch<string>('g', { hash: ['text', (hash) => hash] })

const byHash = read<RawKey>(`
  select g.n::int as n, k.account_id as "accountId", k.id, k.mode, array_to_string(k.scopes, ' ') as scopes,
    ${milliseconds('k.expires_at')} as "expiresAt", ${milliseconds('k.revoked_at')} as "revokedAt",
    ${milliseconds('k.last_used_at')} as "lastUsedAt"
  from ${hashes.numbered} join api_key k on k.hash = decode(g.hash, 'base64')`)

/** @param list hashes in base64. @returns the key of each; undefined where there is none */
export async function findApiKeysByHash(reader: Reader, list: readonly string[]): Promise<(KnownKey | undefined)[]> {
  const found = await reader.run(byHash, hashes.valuesOf(list))
  return inPlaces(list, found).map(
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

const byId = read<Raw<ApiKeyRow>>(`select ${keys.columns('k')} from api_key k where k.id = $1`)

export async function findApiKey(reader: Reader, id: string): Promise<ApiKeyRow | undefined> {
  return (await reader.run(byId, [id])).map(keys.rowOf)[0]
}

const listed = (whose = '') =>
  read<Raw<ApiKeyRow> & { account: string }>(`
  select ${keys.columns('k')}, a.name as account from api_key k join account a on a.id = k.account_id ${whose} order by a.name, k.id`)
const [all, ofAccount] = [listed(), listed('where a.id = $1')]

/** @param accountId those of all accounts, when it is undefined */
export async function listApiKeys(
  reader: Reader,
  accountId: string | undefined,
): Promise<(ApiKeyRow & { account: string })[]> {
  const found = accountId === undefined ? reader.run(all, []) : reader.run(ofAccount, [accountId])
  return (await found).map(keys.rowOf)
}

const setScopes = write(`
  update api_key set scopes = string_to_array($2, ' ') where hash = decode($1, 'base64') and scopes <> string_to_array($2, ' ')`)

/** @param hash in base64 */
export async function setApiKeyScopes(tx: Tx, hash: string, scopes: readonly string[]): Promise<void> {
  await tx.run(setScopes, [hash, scopes.join(' ')])
}

const revoke = write<{ id: string }>(`
  update api_key set revoked_at = $2::text::timestamptz where id = $1 and revoked_at is null returning id`)

/** @returns false when it was revoked before, or does not exist */
export async function revokeApiKey(tx: Tx, id: string, at: Date): Promise<boolean> {
  return (await tx.run(revoke, [id, at.toISOString()])).length > 0
}

const replace = write<{ id: string }>(`
  update api_key set replaced_by = $2, expires_at = least(expires_at, $3::text::timestamptz)
  where id = $1 and replaced_by is null and revoked_at is null returning id`)

/**
 * Gives the key a successor, and brings its end nearer, never further.
 *
 * @returns false when it has a successor already, or was revoked
 */
export async function replaceApiKey(tx: Tx, id: string, by: string, endsAt: Date): Promise<boolean> {
  return (await tx.run(replace, [id, by, endsAt.toISOString()])).length > 0
}

export interface KeyUse {
  at: Date
  /** Where it came from; undefined when that is not known. */
  from: string | undefined
  /** On the day of `at`, in UTC, since it was written before. */
  count: number
}

const touch = write(`
  update api_key set last_used_at = greatest(last_used_at, $3::text::timestamptz), last_used_from = coalesce($4, last_used_from),
    used_that_day = $5::int + case
      when (last_used_at at time zone 'UTC')::date = ($3::text::timestamptz at time zone 'UTC')::date then used_that_day
      else 0 end
  where account_id = $1 and id = $2`)

/** Adds the uses of a time to those that are written; another process may write at the same time. */
export async function touchApiKey(
  tx: Tx,
  { accountId, id }: Pick<ApiKeyRow, 'accountId' | 'id'>,
  { at, from, count }: KeyUse,
): Promise<void> {
  await tx.run(touch, [accountId, id, at.toISOString(), from ?? null, count])
}
