/** Texts on a sandbox phone, each with the message of a test key that it came from: without one, people are shown none. */
import { sql } from 'drizzle-orm'
import type { TestServer } from './server.ts'

export interface SandboxText {
  id: string
  phone: string
  text: string
  at: string
}

export async function putSandboxTexts(server: TestServer, texts: readonly SandboxText[]): Promise<void> {
  const rows = JSON.stringify(texts)
  await server.query(sql`insert into message
      (account_id, id, mode, kind, phone, status, status_at, timeline, created_at, expires_at)
    select 'acct_default', id, 'test', 'verification', phone, 'delivered', at, '[]', at, at
    from jsonb_to_recordset(${rows}::jsonb) as t (id text, phone text, at timestamptz)`)
  await server.query(sql`insert into sandbox_message (account_id, id, phone, text, at)
    select 'acct_default', id, phone, text, at
    from jsonb_to_recordset(${rows}::jsonb) as t (id text, phone text, text text, at timestamptz)`)
}
