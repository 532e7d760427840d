/** A database of a file's own and commits to it, for tests of what stands on these alone. */
import { afterAll } from 'vitest'
import { groupLimits } from '../../src/admin.ts'
import { type Commit, createCommit } from '../../src/store/commit.ts'
import { connect } from '../../src/store/connect.ts'
import type { Database } from '../../src/store/database.ts'
import { createDatabase, type TestDatabase } from './database.ts'

/** It goes with the file's last test. */
export async function openCommit(): Promise<{ test: TestDatabase; database: Database; commit: Commit }> {
  const test = await createDatabase()
  const database = await connect(test.settings)
  afterAll(async () => {
    await database.close()
    await test.drop()
  })
  return { test, database, commit: createCommit(database, groupLimits(database)) }
}
