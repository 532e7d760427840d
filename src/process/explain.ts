/** What went wrong, in a sentence for the operator who can fix it. */

import { Refusal } from '../kit/refusal.ts'
import { ConfigError } from '../settings/config.ts'
import {
  codesOf,
  DatabaseHeld,
  DatabaseNewer,
  isPasswordMissing,
  isUnavailable,
  linksOf,
  MayNotMigrate,
  NotUtf8,
  refusedCertificate,
  TablesInUse,
  takesNoWrites,
} from '../store/engine/failure.ts'
import { whyUnreachable } from './unreachable.ts'

const told = [Refusal, ConfigError, DatabaseHeld, DatabaseNewer, MayNotMigrate, NotUtf8, TablesInUse]

/** What PostgreSQL refuses, by its SQL state, and who can do something about it. */
const refusals: Record<string, string> = {
  '25006': 'The database takes no writes now: it is a standby, or default_transaction_read_only was turned on.',
  '28000': 'The database refuses this user. Is the user in DATABASE_URL right, and may it connect from here?',
  '28P01': 'The database refuses this user and password. Are they right in DATABASE_URL, or in PGPASSWORD?',
  '3D000': 'There is no such database on that server. Create it, or give another one in DATABASE_URL.',
  '42501':
    'This database user lacks a right. It must own the database, or have the rights of "Two database users" in docs/operators.md.',
  '53100': 'The disk of the database is full. Make room there, and try again.',
  '53300': 'The database has no connection left. Who has them is in pg_stat_activity.',
  '57P03': 'The database is starting, or recovers what it has after a crash. Try again in a moment.',
  '57014': 'The database took too long for this: it is busy, or another session holds a lock. Try again.',
}

/** What Node says of a place where it could not listen. */
interface Listening {
  hostname: string
  address: string
  port: number
}

/** @returns undefined for what no operator can fix */
export function explain(error: unknown): string | undefined {
  if (told.some((kind) => error instanceof kind)) return (error as Error).message
  const refusal = (takesNoWrites(error) ?? refusedCertificate(error))?.message ?? toRefusal(error)
  if (refusal !== undefined) return refusal
  if (isUnavailable(error))
    return (
      whyUnreachable(error) ?? 'The database cannot be reached. Is DATABASE_URL right, and is the database running?'
    )
  const { code, syscall, hostname, address, port } = error as NodeJS.ErrnoException & Partial<Listening>
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT, DASHBOARD_PORT or OPS_PORT to another one.`
  if (code === 'EADDRNOTAVAIL')
    return `This machine does not have the address ${address}. Set HOST, DASHBOARD_HOST or OPS_HOST to one that it has.`
  if (code === 'ENOTFOUND' && hostname !== undefined)
    return `The address of ${hostname} is not known. Set HOST, DASHBOARD_HOST or OPS_HOST to one that this machine has.`
  if (code === 'EACCES' && syscall === 'listen')
    return `This user may not use port ${port}. Set PORT, DASHBOARD_PORT and OPS_PORT to 1024 or more.`
  // What cannot be made, as a folder in /proc.
  const isNowhere = code === 'ENOENT' && syscall === 'mkdir'
  if (isNowhere || (typeof code === 'string' && /^(EACCES|EPERM|ENOTDIR|EROFS|EEXIST)$/.test(code))) {
    return `The data folder cannot be used (${code}). Set DATA_DIR to a folder that this user may write.`
  }
  return undefined
}

/** What a server says to who connects with settings that it does not know, or not so. */
const ofOptions = ['42704', '22023', '42601']

/** @returns undefined for what is no refusal of a database */
export function toRefusal(error: unknown): string | undefined {
  const atStart = linksOf(error).some((link) => 'severity' in link && link.severity === 'FATAL')
  if (atStart && codesOf(error).some((code) => ofOptions.includes(code)))
    return 'The database refuses a setting of the connection. Correct options in DATABASE_URL, or PGOPTIONS.'
  if (isPasswordMissing(error))
    return 'The database asks for a password, and there is none. Put it into DATABASE_URL, or into PGPASSWORD.'
  const state = codesOf(error).find((code) => Object.hasOwn(refusals, code))
  return state && refusals[state]
}
