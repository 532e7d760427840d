/** Claims that run out, as they do when a worker has died. */
import { PgBoss } from 'pg-boss'
import type { Database } from '../../src/store/database.ts'

/** As if all claims were so old; and has the queue do what a worker makes it do every five seconds. */
export async function passClaims({ kind, queueDb }: Pick<Database, 'kind' | 'queueDb'>, minutes = 1): Promise<void> {
  await queueDb.executeSql(
    `update pgboss.job set started_on = now() - interval '${minutes} minutes' where state = 'active'`,
  )
  await queueDb.executeSql('update pgboss.queue set monitor_claim_on = null')
  const backend = kind === 'embedded' ? 'pglite' : 'postgres'
  const boss = await new PgBoss({ db: queueDb, backend, supervise: false, schedule: false }).start()
  await boss.supervise()
  await boss.stop({ graceful: false })
}
