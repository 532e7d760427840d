/** What the owner of the tables does with partitions, in a process of its own. */
import { createPartitions, type PartitionsChanged } from '../domain/keeping/partition.ts'
import { Refusal } from '../kit/refusal.ts'
import { createRuntime } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import { createCommit } from '../store/engine/commit.ts'
import { ownsTables } from '../store/keeping/partitionOwner.ts'
import { commitOptions, openDatabase } from './admin.ts'

/**
 * One round of what the hourly purge does with partitions, by a user that owns the tables where the service's does not.
 *
 * @throws Refusal where it does not own them; and as openDatabase does
 */
export async function keepPartitions(config: Config, isStopping: () => boolean): Promise<PartitionsChanged> {
  if (config.database.kind !== 'postgres')
    throw new Refusal(
      'The service manages the partitions of the embedded database itself; this command needs DATABASE_URL.',
    )
  const database = await openDatabase(config)
  try {
    const commit = createCommit(database, commitOptions(database))
    if (!(await ownsTables(commit.reader)))
      throw new Refusal('This database user does not own the tables: run the command as the user that migrated them.')
    const { retentionDays } = config
    const runtime = createRuntime('warn', { now: database.now, logDestination: process.stderr })
    const before = new Date(runtime.now().getTime() - retentionDays * 24 * 3_600_000)
    return await createPartitions({ commit, runtime, retentionDays })(before, isStopping)
  } finally {
    await database.close()
  }
}
