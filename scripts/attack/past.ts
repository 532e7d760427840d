/** Codes that were sent before, written as a service leaves them: messages, and phones that were verified. */
import { newUlid } from '../../src/kit/runtime.ts'
import type { Commit } from '../../src/store/engine/commit.ts'
import { write } from '../../src/store/engine/session.ts'
import type { PlayedSend } from './honest.ts'

const rowsAtOnce = 5000

const messages = write(`
  insert into message (account_id, id, mode, kind, phone, country, status, status_at, timeline, created_at, expires_at, verified_at)
  select $1, id, 'live', 'verification', phone, country, 'sent', at, '[]', at, at + interval '10 minutes', verified_at
  from jsonb_to_recordset($2::text::jsonb) as r (id text, phone text, country text, at timestamptz, verified_at timestamptz)`)

const phones = write(`
  insert into phone (account_id, mode, phone, has_verified)
  select distinct $1, 'live', phone, true
  from jsonb_to_recordset($2::text::jsonb) as r (phone text, verified_at timestamptz)
  where verified_at is not null
  on conflict do nothing`)

export async function fillPast(commit: Commit, accountId: string, sends: readonly PlayedSend[]): Promise<void> {
  for (let from = 0; from < sends.length; from += rowsAtOnce) {
    const rows = sends.slice(from, from + rowsAtOnce).map(toRow)
    await commit.transaction(async (tx) => {
      await tx.run(messages, [accountId, JSON.stringify(rows)])
      await tx.run(phones, [accountId, JSON.stringify(rows)])
    })
  }
}

function toRow({ at, phone, country, verifiedAfter }: PlayedSend) {
  const verifiedAt = verifiedAfter === undefined ? null : new Date(at + verifiedAfter)
  return { id: `req_${newUlid(new Date(at))}`, phone, country, at: new Date(at), verified_at: verifiedAt }
}
