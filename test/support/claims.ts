/** Claims that run out, as they do when a worker has died. */
import { sql } from 'drizzle-orm'
import { PgBoss } from 'pg-boss'
import { expect } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import type { TestServer } from './server.ts'

/** Has the jobs of a message claimed once more, as when their worker died before it could complete them. */
export async function claimAgain({ query }: Pick<TestServer, 'query'>, id: string, queue?: string): Promise<void> {
  const jobs = await query(sql`update pgboss.job set state = 'retry', completed_on = null, start_after = now()
    where data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb
      and name = coalesce(${queue ?? null}::text, name) returning id`)
  expect(jobs).not.toEqual([])
}

/** As if all claims were so old; and has the queue do what a worker makes it do every five seconds. */
export async function passClaims({ kind, queueDb }: Pick<Database, 'kind' | 'queueDb'>, minutes = 1): Promise<void> {
  await queueDb.executeSql(
    `update pgboss.job set started_on = now() - interval '${minutes} minutes' where state = 'active'`,
  )
  await queueDb.executeSql('update pgboss.queue set monitor_claim_on = null, monitor_on = null')
  const backend = kind === 'embedded' ? 'pglite' : 'postgres'
  const boss = await new PgBoss({ db: queueDb, backend, supervise: false, schedule: false }).start()
  await boss.supervise()
  await boss.stop({ graceful: false })
}
