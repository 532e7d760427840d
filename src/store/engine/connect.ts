/** Opens the database that the settings name. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './database.ts'

export type DatabaseSettings =
  | {
      kind: 'postgres'
      /** May name several servers, as libpq's. */
      url: string
      connectionsMax: number
      /** Whether a pooler gives each transaction another of its connections: nothing may hang on one. */
      perTransaction?: boolean
    }
  | { kind: 'embedded'; dataDir: string }
  | { kind: 'memory' }

/** Whether an embedded database was ever started in the folder. */
export function isEmbeddedIn(dataDir: string): boolean {
  return existsSync(join(dataDir, 'database', 'PG_VERSION')) && !existsSync(join(dataDir, 'database.unfinished'))
}

/**
 * Each kind is loaded by those that use it.
 *
 * @throws DatabaseHeld, or what the driver throws when the database is out of reach
 */
export async function connect(settings: DatabaseSettings): Promise<Database> {
  if (settings.kind === 'postgres') {
    const { connectPostgres } = await import('./postgres/postgres.ts')
    return connectPostgres(settings)
  }
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded(settings.kind === 'memory' ? undefined : settings.dataDir)
}
