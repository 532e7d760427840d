/** The secrets that a database was used with, by their key ids, and what still hangs on each of them. */
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'

/** A secret that processes began with. */
export interface KeyringRow {
  keyId: string
  /** The lookup key of the installation, sealed under that secret. */
  sealed: Uint8Array
  /** From then on, no caller's `Idempotency-Key` is kept in the clear. */
  hashedFrom: Date
}

const hold = write('lock table keyring in share row exclusive mode')
const rows = read<{ keyId: string; sealed: Uint8Array; hashedFrom: number }>(`
  select key_id as "keyId", sealed, ${milliseconds('hashed_from')} as "hashedFrom" from keyring order by made_at, key_id`)

/** Has others wait until the transaction ends. @returns the oldest first */
export async function holdKeyring(tx: Tx): Promise<KeyringRow[]> {
  await tx.run(hold, [])
  return listKeyring(tx)
}

export async function listKeyring(reader: Reader): Promise<KeyringRow[]> {
  const found = await reader.run(rows, [])
  return found.map((row) => ({ ...row, hashedFrom: new Date(row.hashedFrom) }))
}

const note = write(`
  insert into keyring (key_id, sealed, hashed_from, made_at)
  values ($1, decode($2, 'base64'), $3::text::timestamptz, $4::text::timestamptz)
  on conflict (key_id) do update set sealed = excluded.sealed, hashed_from = excluded.hashed_from`)

export async function noteKey(tx: Tx, { keyId, sealed, hashedFrom }: KeyringRow, at: Date): Promise<void> {
  const bytes = Buffer.from(sealed).toString('base64')
  await tx.run(note, [keyId, bytes, hashedFrom.toISOString(), at.toISOString()])
}

const drop = write('delete from keyring where key_id = any ($1::text[])')

export async function dropKeys(tx: Tx, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length > 0) await tx.run(drop, [keyIds])
}

const anyMessage = read(`select 1 from message where created_at > '-infinity' limit 1`)

/** Whether anybody has sent anything yet. */
export async function isUsed(reader: Reader): Promise<boolean> {
  return (await reader.run(anyMessage, [])).length > 0
}

/** What was made under a server's secret, by the id of the key that it was made with. */
export interface Sealed {
  what:
    | 'connections'
    | 'endpoints'
    | 'inlets'
    | 'authenticators'
    | 'receipt keys'
    | 'waiting messages'
    | 'codes'
    | 'kept answers'
  keyId: string
  count: number
}

const counted = (what: Sealed['what'], key: string, from: string) =>
  `select '${what}' as what, ${key} as "keyId", count(*)::int as count from ${from} group by 2`
const keyOf = (column: string) => `encode(substring(${column} from 1 for 4), 'hex')`
/** For the planner, which is to know a way to all rows beside reading the table. */
const all = `(account_id, id) > ('', '')`

/** They are few, and are good until somebody replaces them. */
const lasting = read<Sealed>(
  [
    counted('connections', keyOf('sealed'), `connection where sealed is not null and ${all}`),
    counted('endpoints', keyOf('sealed'), `endpoint where ${all}`),
    counted('inlets', keyOf('sealed'), `inlet where ${all}`),
    counted('authenticators', keyOf('totp_sealed'), `dashboard_user where totp_sealed is not null and ${all}`),
    counted('receipt keys', keyOf('sealed'), 'receipt_key'),
  ].join(' union all '),
)

const now = 'coalesce($1::text::timestamptz, now())'
/** They are many, and are over after a day. A code is good for less than an hour. */
const passing = read<Sealed>(
  [
    counted(
      'waiting messages',
      keyOf('content'),
      `message where content is not null and created_at > ${now} - interval '1 day'`,
    ),
    counted(
      'codes',
      'p.code_key_id',
      // With a limit, no plan can begin with all phones.
      `message m cross join lateral (
        select code_key_id from phone
        where account_id = m.account_id and mode = m.mode and phone = m.phone and verification_id = m.id
          and verified_attempt is null and attempts < attempts_max and expires_at > ${now}
        limit 1
      ) p where m.created_at > ${now} - interval '1 hour'`,
    ),
    counted('kept answers', 'fingerprint_key_id', `idempotency where created_at > ${now} - interval '1 day'`),
  ].join(' union all '),
)

export function listLasting(reader: Reader): Promise<Sealed[]> {
  return reader.run(lasting, [])
}

/**
 * Reads what was made in a day: in a long transaction, and only where it is needed.
 *
 * @param at by the database's clock when left out
 */
export function listPassing(reader: Reader, at?: Date): Promise<Sealed[]> {
  return reader.run(passing, [at?.toISOString() ?? null])
}
