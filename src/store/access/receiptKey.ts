/** The key pairs that sign receipts, of the whole installation. */
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'

export interface ReceiptKeyRow {
  /** Thumbprint of the public half. */
  kid: string
  mode: Mode
  /** The public half, a JWK as JSON. */
  publicJwk: string
  /** The private half, a JWK as JSON. */
  sealed: Uint8Array
  madeAt: Date
  /** When it signs: from then on, until another does. Null while it waits. */
  signsFrom: Date | null
}

const hold = write('lock table receipt_key in share row exclusive mode')
type Listed = Omit<ReceiptKeyRow, 'madeAt' | 'signsFrom'> & { madeAt: number; signsFrom: number | null }
const rows = read<Listed>(`
  select kid, mode, public_jwk as "publicJwk", sealed, ${milliseconds('made_at')} as "madeAt",
    ${milliseconds('signs_from')} as "signsFrom"
  from receipt_key order by signs_from desc nulls first, made_at desc, kid`)

/** @returns all of both modes: those that wait first, then the last that signs */
export async function listReceiptKeys(reader: Reader): Promise<ReceiptKeyRow[]> {
  const found = await reader.run(rows, [])
  return found.map((row) => ({ ...row, madeAt: new Date(row.madeAt), signsFrom: dateOf(row.signsFrom) }))
}

/** Has others who change them wait until the transaction ends. */
export async function holdReceiptKeys(tx: Tx): Promise<ReceiptKeyRow[]> {
  await tx.run(hold, [])
  return listReceiptKeys(tx)
}

const put = write(`
  insert into receipt_key (kid, mode, public_jwk, sealed, made_at, signs_from)
  values ($1, $2, $3, decode($4, 'base64'), $5::text::timestamptz, $6::text::timestamptz)
  on conflict (kid) do update set sealed = excluded.sealed, signs_from = excluded.signs_from`)

/** Adds a pair; of one that is there, when it signs and what is sealed are replaced. */
export async function putReceiptKey(tx: Tx, row: ReceiptKeyRow): Promise<void> {
  const { kid, mode, publicJwk, sealed, madeAt, signsFrom } = row
  const bytes = Buffer.from(sealed).toString('base64')
  await tx.run(put, [kid, mode, publicJwk, bytes, madeAt.toISOString(), signsFrom?.toISOString() ?? null])
}

const drop = write('delete from receipt_key where kid = any ($1::text[])')

export async function dropReceiptKeys(tx: Tx, kids: readonly string[]): Promise<void> {
  if (kids.length > 0) await tx.run(drop, [kids])
}
