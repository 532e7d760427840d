/** What a database's failure means to the service: try again, answer 503, or a bug. */

/** The embedded database is held by another process; a person has to decide what to do. */
export class DatabaseHeld extends Error {
  override readonly name = 'DatabaseHeld'

  constructor(dataDir: string, holder: string) {
    super(
      `The embedded database in ${dataDir} is in use by ${holder}. Stop it first; ` +
        'or set DATABASE_URL, because a PostgreSQL can be shared by many processes.',
    )
  }
}

/** Serialization failure and deadlock: the same work may pass when it is tried again. */
export function isTransient(error: unknown): boolean {
  return codesOf(error).some((code) => code === '40001' || code === '40P01')
}

/**
 * The database is out of reach or going away: connection errors of the driver and the system, and PostgreSQL's classes
 * 08 (connection), 53 (resources), 57 (operator intervention, which has shutdown and start-up) and 25006 (a standby).
 */
export function isUnavailable(error: unknown): boolean {
  return codesOf(error).some(
    (code) =>
      /^(08|53|57)...$/.test(code) ||
      code === '25006' ||
      /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)/.test(
        code,
      ),
  )
}

function codesOf(error: unknown): string[] {
  const codes: string[] = []
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errors } = at as { code?: unknown; errors?: unknown }
    if (typeof code === 'string') codes.push(code)
    if (Array.isArray(errors)) codes.push(...errors.flatMap(codesOf))
  }
  return codes
}
