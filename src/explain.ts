/** What went wrong, in a sentence for the operator who can fix it. */
import { ConfigError } from './config.ts'
import { Refusal } from './domain/refusal.ts'
import { codesOf, DatabaseHeld, DatabaseNewer, isUnavailable, TablesInUse } from './store/failure.ts'

const told = [Refusal, ConfigError, DatabaseHeld, DatabaseNewer, TablesInUse]

/** Of a PostgreSQL that has given out all connections. */
const fullCode = '53300'

/** @returns undefined for what no operator can fix */
export function explain(error: unknown): string | undefined {
  if (told.some((kind) => error instanceof kind)) return (error as Error).message
  if (codesOf(error).includes(fullCode))
    return 'The database has no connection left. Who has them is in pg_stat_activity.'
  if (isUnavailable(error)) return 'The database cannot be reached. Is DATABASE_URL right, and is the database running?'
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT, DASHBOARD_PORT or OPS_PORT to another one.`
  if (code === 'EADDRNOTAVAIL')
    return `This machine does not have the address ${address}. Set HOST, DASHBOARD_HOST or OPS_HOST to one that it has.`
  if (code === 'EACCES' && syscall === 'listen')
    return `This user may not use port ${port}. Set PORT, DASHBOARD_PORT and OPS_PORT to 1024 or more.`
  if (typeof code === 'string' && /^(EACCES|EPERM|ENOTDIR|EROFS|EEXIST)$/.test(code)) {
    return `The data folder cannot be used (${code}). Set DATA_DIR to a folder that this user may write.`
  }
  return undefined
}
