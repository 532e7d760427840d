/** Codes that an account has sent before, written straight into the database. */
import type postgres from 'postgres'
import { newUlid } from '../../src/kit/runtime.ts'
import type { KeptSignals, Price } from '../../src/store/schema/schema.ts'

export interface PastCode {
  at: number
  phone: string
  country?: string | null
  /** Milliseconds after it was sent. */
  verifiedAfter?: number | undefined
  signals?: KeptSignals
  price?: Price
}

export async function insertCodes(sql: postgres.Sql, accountId: string, codes: readonly PastCode[]): Promise<string[]> {
  const rows = codes.map(({ at, phone, country = null, verifiedAfter, signals, price }) => ({
    id: `req_${newUlid(new Date(at))}`,
    ...{ at: new Date(at).toISOString(), phone, country },
    verified_at: verifiedAfter === undefined ? null : new Date(at + verifiedAfter).toISOString(),
    signals: signals ?? null,
    prices: price ? { sms: price } : null,
  }))
  for (let from = 0; from < rows.length; from += 10_000) {
    await sql`insert into message (account_id, id, mode, kind, phone, country, route, status, status_at, timeline, created_at, expires_at,
        verified_at, signals, prices)
      select ${accountId}, id, 'live', 'verification', phone, country, '{sms}', 'sent', at, '[]', at, at + interval '10 minutes',
        verified_at, signals, prices
      from jsonb_to_recordset(${sql.json(rows.slice(from, from + 10_000) as never)}) as r (id text, at timestamptz, phone text,
        country text, verified_at timestamptz, signals jsonb, prices jsonb)`
  }
  return rows.map(({ id }) => id)
}
