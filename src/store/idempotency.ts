/** The kept answers of requests that came with an `Idempotency-Key`. */
import { sql } from 'drizzle-orm'
import { rows, type Session } from './connect.ts'
import type { Mode } from './schema.ts'

export interface IdempotencyKey {
  accountId: string
  mode: Mode
  operation: string
  key: string
}

export interface KeptAnswer {
  fingerprint: Uint8Array
  fingerprintKeyId: string
  status: number
  body: string
}

/**
 * Takes a key for the transaction, if it is free or its answer is from before `notSince`. Never waits: the advisory lock
 * goes to the first of those who want the key at once, and is given back when that transaction ends, however it ends.
 *
 * @returns whether the key is ours now
 */
export async function claimIdempotencyKey(
  tx: Session,
  { accountId, mode, operation, key }: IdempotencyKey,
  fingerprint: { hmac: Buffer; keyId: string },
  at: Date,
  notSince: Date,
): Promise<boolean> {
  const lock = JSON.stringify([accountId, mode, operation, key])
  const claimed = await rows(
    tx,
    sql`insert into idempotency as i (account_id, mode, operation, key, fingerprint, fingerprint_key_id, created_at)
    select ${accountId}, ${mode}, ${operation}, ${key}, decode(${fingerprint.hmac.toString('base64')}, 'base64'),
      ${fingerprint.keyId}, ${at.toISOString()}::timestamptz
    where pg_try_advisory_xact_lock(hashtextextended(${lock}, 0))
    on conflict (account_id, mode, operation, key) do update set
      fingerprint = excluded.fingerprint, fingerprint_key_id = excluded.fingerprint_key_id,
      created_at = excluded.created_at, status = null, body = null
    where i.created_at <= ${notSince.toISOString()}::timestamptz
    returning key`,
  )
  return claimed.length > 0
}

/** The answer that is kept under a key; undefined while its request is still running. */
export async function findKeptAnswer(
  tx: Session,
  { accountId, mode, operation, key }: IdempotencyKey,
): Promise<KeptAnswer | undefined> {
  const [found] = await rows<KeptAnswer>(
    tx,
    sql`select fingerprint, fingerprint_key_id as "fingerprintKeyId", status, body from idempotency
    where account_id = ${accountId} and mode = ${mode} and operation = ${operation} and key = ${key}
      and status is not null`,
  )
  return found
}

export async function keepAnswer(
  tx: Session,
  { accountId, mode, operation, key }: IdempotencyKey,
  answer: { status: number; body: string },
): Promise<void> {
  await tx.execute(sql`update idempotency set status = ${answer.status}::smallint, body = ${answer.body}
    where account_id = ${accountId} and mode = ${mode} and operation = ${operation} and key = ${key}`)
}
