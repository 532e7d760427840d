/** A database of a file's own and commits to it, for tests of what stands on these alone. */
import { afterAll } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { type Commit, type CommitOptions, createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { codesOf } from '../../src/store/engine/failure.ts'
import { createDatabase, type TestDatabase } from './database.ts'

/**
 * The same database, which counts the transactions that it gave up over a deadlock: commits do those again, and nobody is told.
 */
export function countingDeadlocks(database: Database): { database: Database; deadlocks: () => number } {
  let met = 0
  const transact: Database['transact'] = async (work, manner) => {
    try {
      return await database.transact(work, manner)
    } catch (error) {
      if (codesOf(error).includes('40P01')) met += 1
      throw error
    }
  }
  return { database: { ...database, transact }, deadlocks: () => met }
}

/** @param limits of its groups, where they are others. @returns it goes with the file's last test */
export async function openCommit(
  limits: Partial<CommitOptions> = {},
): Promise<{ test: TestDatabase; commit: Commit } & ReturnType<typeof countingDeadlocks>> {
  const test = await createDatabase()
  const { database, deadlocks } = countingDeadlocks(await connect(test.settings))
  afterAll(async () => {
    await database.close()
    await test.drop()
  })
  return { test, database, deadlocks, commit: createCommit(database, { ...commitOptions(database), ...limits }) }
}

/** As `openCommit`, by several processes: each has a pool of its own. */
export async function openCommits(processes = 3): Promise<{ test: TestDatabase; commits: Commit[] }> {
  const test = await createDatabase()
  const databases = await Promise.all(Array.from({ length: processes }, () => connect(test.settings)))
  afterAll(async () => {
    for (const database of databases) await database.close()
    await test.drop()
  })
  return { test, commits: databases.map((database) => createCommit(database, commitOptions(database))) }
}
