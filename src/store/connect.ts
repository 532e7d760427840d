/** Opens the database that the settings name. */
import type { Database } from './database.ts'

export type DatabaseSettings =
  | { kind: 'postgres'; url: string; connectionsMax: number }
  | { kind: 'embedded'; dataDir: string }
  | { kind: 'memory' }

/**
 * Each kind is loaded by those that use it.
 *
 * @throws DatabaseHeld, or what the driver throws when the database is out of reach
 */
export async function connect(settings: DatabaseSettings): Promise<Database> {
  if (settings.kind === 'postgres') {
    const { connectPostgres } = await import('./postgres.ts')
    return connectPostgres(settings.url, settings.connectionsMax)
  }
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded(settings.kind === 'memory' ? undefined : settings.dataDir)
}
