/** The kept answers of requests that came with an `Idempotency-Key`. */
import { accountId, batch, type Columns } from '../engine/batch.ts'
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

const keyColumns: Columns<IdempotencyKey> = {
  ...accountId,
  mode: ['text', (one) => one.mode],
  operation: ['text', (one) => one.operation],
  key: ['text', (one) => one.key],
}

type Claim = KeptKey & { fingerprint: { hmac: Buffer; keyId: string } }
const wanted = batch<Claim>('w', {
  ...keyColumns,
  other_key: ['text', (one) => one.otherKey],
  lock: ['text', (one) => one.lock],
  fingerprint: ['text', (one) => one.fingerprint.hmac.toString('base64')],
  fingerprint_key_id: ['text', (one) => one.fingerprint.keyId],
})
const [at, notSince] = wanted.more()

const claim = write<{ n: number }>(`
  with wanted as (
    select * from ${wanted.numbered}
  ), claimed as (
    insert into idempotency as i (account_id, mode, operation, key, fingerprint, fingerprint_key_id, created_at)
    select account_id, mode, operation, key, decode(fingerprint, 'base64'), fingerprint_key_id, ${at}::text::timestamptz
    from wanted w where pg_try_advisory_xact_lock(hashtextextended(lock, 0)) and not exists (
      select from idempotency o where o.account_id = w.account_id and o.mode = w.mode and o.operation = w.operation
        and o.key = w.other_key and o.created_at > ${notSince}::text::timestamptz
    )
    on conflict (account_id, mode, operation, key) do update set
      fingerprint = excluded.fingerprint, fingerprint_key_id = excluded.fingerprint_key_id,
      created_at = excluded.created_at, status = null, body = null
    where i.created_at <= ${notSince}::text::timestamptz
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
  list: readonly Claim[],
  at: Date,
  notSince: Date,
): Promise<boolean[]> {
  return areFound(list, await tx.run(claim, [...wanted.valuesOf(list), at.toISOString(), notSince.toISOString()]))
}

const asked = batch<KeptKey>('g', { ...keyColumns, other_key: ['text', (one) => one.otherKey] })
const [since] = asked.more()

const kept = read<KeptAnswer & { n: number; fingerprint: Uint8Array; fingerprintKeyId: string }>(`
  with asked as materialized (
    select g.account_id, g.mode, g.operation, g.n, either.key
    from ${asked.numbered} cross join lateral (values (g.key), (g.other_key)) as either (key)
  )
  select g.n::int as n, fingerprint, fingerprint_key_id as "fingerprintKeyId", status, body
  from asked g
  join idempotency i on i.account_id = g.account_id and i.mode = g.mode and i.operation = g.operation and i.key = g.key
  where status is not null and i.created_at > ${since}::text::timestamptz`)

/** The answer that is kept under each key since then; undefined while its request is still running. */
export async function findKeptAnswers(reader: Reader, keys: readonly KeptKey[], since: Date) {
  return inPlaces(keys, await reader.run(kept, [...asked.valuesOf(keys), since.toISOString()]))
}

const answers = batch<IdempotencyKey & KeptAnswer>('g', {
  ...keyColumns,
  status: ['int', (one) => one.status],
  body: ['text', (one) => one.body],
})

const keep = write(`
  update idempotency i set status = g.status, body = g.body
  from ${answers.rows}
  where i.account_id = g.account_id and i.mode = g.mode and i.operation = g.operation and i.key = g.key`)

/** Keeps the answers of keys that this transaction has taken. Goes with the commit. */
export function keepAnswers(tx: Tx, list: readonly (IdempotencyKey & KeptAnswer)[]): void {
  if (list.length > 0) tx.atCommit(keep, answers.valuesOf(list))
}

const free = batch<IdempotencyKey>('g', keyColumns)

const giveBack = write(`
  delete from idempotency i
  using ${free.rows}
  where i.account_id = g.account_id and i.mode = g.mode and i.operation = g.operation and i.key = g.key`)

/** Frees keys that this transaction has taken, and whose answers are not kept. Goes with the commit. */
export function giveBackKeys(tx: Tx, list: readonly IdempotencyKey[]): void {
  if (list.length > 0) tx.atCommit(giveBack, free.valuesOf(list))
}
