/** The kept answers of requests that came with an `Idempotency-Key`. */

import { areFound, inPlaces } from '../engine/order.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'

export interface IdempotencyKey {
  accountId: string
  mode: Mode
  operation: string
  key: string
}

/** How a caller's key is written, and found. */
export interface KeptKey extends IdempotencyKey {
  /** As this process writes it. */
  key: string
  /** As the version before does, or did. */
  otherKey: string
  /** The same for both, of the caller's own key: it is locked by that. */
  lock: string
}

export interface KeptAnswer {
  status: number
  /** JSON, byte for byte as it was sent first. */
  body: string
}

const claim = write<{ n: number }>(`
  with wanted as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      with ordinality as w (account_id, mode, operation, key, other_key, lock, fingerprint, fingerprint_key_id, n)
  ), claimed as (
    insert into idempotency as i (account_id, mode, operation, key, fingerprint, fingerprint_key_id, created_at)
    select account_id, mode, operation, key, decode(fingerprint, 'base64'), fingerprint_key_id, $9::text::timestamptz
    from wanted w where pg_try_advisory_xact_lock(hashtextextended(lock, 0)) and not exists (
      select from idempotency o where o.account_id = w.account_id and o.mode = w.mode and o.operation = w.operation
        and o.key = w.other_key and o.created_at > $10::text::timestamptz
    )
    on conflict (account_id, mode, operation, key) do update set
      fingerprint = excluded.fingerprint, fingerprint_key_id = excluded.fingerprint_key_id,
      created_at = excluded.created_at, status = null, body = null
    where i.created_at <= $10::text::timestamptz
    returning account_id, mode, operation, key
  )
  select w.n::int as n from claimed c
  join wanted w on w.account_id = c.account_id and w.mode = c.mode and w.operation = c.operation and w.key = c.key`)

/**
 * Takes keys for the transaction, each if it is free or its answer is from before `notSince`. Never waits: the advisory
 * lock goes to the first of those who want a key at once, and is given back when that transaction ends, however it ends.
 *
 * @returns for each, whether it is ours now
 */
export async function claimIdempotencyKeys(
  tx: Tx,
  list: readonly (KeptKey & { fingerprint: { hmac: Buffer; keyId: string } })[],
  at: Date,
  notSince: Date,
): Promise<boolean[]> {
  const claimed = await tx.run(claim, [
    ...keysOf(list),
    list.map(({ otherKey }) => otherKey),
    list.map(({ lock }) => lock),
    list.map(({ fingerprint }) => fingerprint.hmac.toString('base64')),
    list.map(({ fingerprint }) => fingerprint.keyId),
    at.toISOString(),
    notSince.toISOString(),
  ])
  return areFound(list, claimed)
}

const kept = read<KeptAnswer & { n: number; fingerprint: Uint8Array; fingerprintKeyId: string }>(`
  select g.n::int as n, fingerprint, fingerprint_key_id as "fingerprintKeyId", status, body
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
    as g (account_id, mode, operation, key, other_key, n)
  join idempotency i on i.account_id = g.account_id and i.mode = g.mode and i.operation = g.operation
    and i.key = any (array[g.key, g.other_key])
  where status is not null and i.created_at > $6::text::timestamptz`)

/** The answer that is kept under each key since then; undefined while its request is still running. */
export async function findKeptAnswers(reader: Reader, keys: readonly KeptKey[], since: Date) {
  const others = keys.map(({ otherKey }) => otherKey)
  const found = await reader.run(kept, [...keysOf(keys), others, since.toISOString()])
  return inPlaces(keys, found)
}

const keep = write(`
  update idempotency i set status = g.status, body = g.body
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[])
    as g (account_id, mode, operation, key, status, body)
  where i.account_id = g.account_id and i.mode = g.mode and i.operation = g.operation and i.key = g.key`)

/** Keeps the answers of keys that this transaction has taken. Goes with the commit. */
export function keepAnswers(tx: Tx, list: readonly (IdempotencyKey & KeptAnswer)[]): void {
  if (list.length === 0) return
  tx.atCommit(keep, [...keysOf(list), list.map(({ status }) => status), list.map(({ body }) => body)])
}

const giveBack = write(`
  delete from idempotency i
  using unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (account_id, mode, operation, key)
  where i.account_id = g.account_id and i.mode = g.mode and i.operation = g.operation and i.key = g.key`)

/** Frees keys that this transaction has taken, and whose answers are not kept. Goes with the commit. */
export function giveBackKeys(tx: Tx, list: readonly IdempotencyKey[]): void {
  if (list.length > 0) tx.atCommit(giveBack, keysOf(list))
}

function keysOf(list: readonly IdempotencyKey[]): [string[], string[], string[], string[]] {
  return [
    list.map(({ accountId }) => accountId),
    list.map(({ mode }) => mode),
    list.map(({ operation }) => operation),
    list.map(({ key }) => key),
  ]
}
