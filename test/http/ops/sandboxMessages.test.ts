import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('shows the latest thousand messages of a sandbox phone that was sent very many, oldest first', async () => {
  const phone = newPhone()
  await server.query(sql`insert into sandbox_message (account_id, id, phone, text, at)
    select 'acct_default', 'req_' || n, ${phone}, n::text, ${server.runtime.now().toISOString()}::timestamptz - make_interval(secs => 5000 - n)
    from generate_series(1, 1200) n`)
  expect((await server.phone(phone)).map(({ text }) => text)).toEqual(
    Array.from({ length: 1000 }, (_, index) => String(index + 201)),
  )
})
