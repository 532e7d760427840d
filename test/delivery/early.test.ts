/** Reports that name messages by ids which nobody knows, by the thousand. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createRoutes, wa } from '../support/routes.ts'

const routes = createRoutes()

it('reports of messages that are not ours fill the queue to a bound, and no more for half a minute', async () => {
  const { accountId } = await routes.accountWith(wa())
  const { app, runtime, query } = routes.server
  const post = async (name: string) => {
    const told = Array.from({ length: 1000 }, (_one, n) => ({
      ...{ providerMessageId: `${name}-${n}`, at: runtime.now(), status: 'delivered' },
    }))
    const report = { headers: { signature: 'good' }, body: Buffer.from(JSON.stringify(told)) }
    expect(await app.receipts.accept({ accountId, connection: 'wa-eu' }, report)).toBe('accepted')
  }
  const waiting = async () => {
    const [row] = await query<{ count: number }>(sql`
      select sum(jsonb_array_length(data -> 'receipts'))::int as count from pgboss.job where name = 'report-early'`)
    return row?.count
  }
  for (const name of ['a', 'b', 'c', 'd', 'e']) await post(name)
  expect(await waiting()).toBe(3000)
  runtime.advance(30)
  await post('f')
  expect(await waiting()).toBe(4000)
  expect(runtime.lines.filter((line) => line.includes('some are ignored'))).toHaveLength(1)
})
