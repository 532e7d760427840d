/** What a database's failure means to the service: try again, answer 503, or a bug. */
import { Problem, unavailable } from '../../kit/problem.ts'

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

/** A newer version has changed the database so that this one cannot work with it. */
export class DatabaseNewer extends Error {
  override readonly name = 'DatabaseNewer'

  constructor(madeBy: string, own: string) {
    super(
      `Watchword ${madeBy} has changed the database so that this version (${own}) cannot work with it any more. ` +
        `Start Watchword ${madeBy} or a newer one, or go back to a backup from before.`,
    )
  }
}

/** Somebody holds tables that a migration has to change. */
export class TablesInUse extends Error {
  override readonly name = 'TablesInUse'

  constructor() {
    super(
      'The tables could not be brought to this version, because another session has locked them for a minute: a backup, or a long ' +
        'transaction. Nothing was changed. Try again when that is over.',
    )
  }
}

/** The database keeps text in an encoding that has not all letters. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8'

  constructor(encoding: string) {
    super(
      `The database keeps text as ${encoding}, which lacks most letters of the world, and must keep it as UTF8. Make another one: ` +
        'createdb --encoding UTF8 --template template0 <name>.',
    )
  }
}

/** The database is not at this version, and its user may not bring it there. */
export class MayNotMigrate extends Error {
  override readonly name = 'MayNotMigrate'

  constructor(cause: Error) {
    super(
      `The database must be brought to this version, which its user may not do (${cause.message}). Run the command migrate as ` +
        'the user that owns the tables, and give this one its rights: "Two database users" in docs/operators.md has them.',
      { cause },
    )
  }
}

/** @throws MayNotMigrate for a right that is missing; the error itself otherwise */
export function refuseMigration(error: unknown): never {
  throw lacksRight(error) ? new MayNotMigrate(error as Error) : error
}

/** PostgreSQL refused the statement because the user may not do that. */
export function lacksRight(error: unknown): boolean {
  return codesOf(error).includes('42501')
}

/** A lock was not to be had in time. */
export function isInUse(error: unknown): boolean {
  return codesOf(error).includes('55P03')
}

/** Serialization failure and deadlock: the same work may pass when it is tried again. */
export function isTransient(error: unknown): boolean {
  return codesOf(error).some((code) => ['40001', '40P01'].includes(code))
}

/** A statement failed without the server having said why: the connection is broken, or was not to be had. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
}

/** The server asks for a password, and there is none. It has the code of a wrong one: to wait for the server does not help. */
export class PasswordMissing extends Error {
  readonly code = '28P01'

  constructor() {
    super('the server asks for a password')
  }
}

export function isPasswordMissing(error: unknown): boolean {
  return linksOf(error).some((link) => link instanceof PasswordMissing)
}

/** TLS was begun, but the server's certificate is not one to believe. */
export class CertificateRefused extends ConnectionFailed {
  constructor(place: string, cause: Error) {
    // Node adds how to start it otherwise.
    const [reason] = cause.message.split(';')
    super(
      `The certificate of the database server ${place} is not trusted (${reason}). Name the file of the authority that ` +
        'signed it as sslrootcert in DATABASE_URL, and the server as its certificate does.',
      { cause },
    )
  }
}

/** @returns the refusal that is behind an error, if there is one */
export function refusedCertificate(error: unknown): CertificateRefused | undefined {
  return linksOf(error).find((link) => link instanceof CertificateRefused)
}

/** Why a database does no writes: what `readOnlyBy` finds. */
export type ReadOnlyBy = 'standby' | 'setting' | 'unconfirmed'

const onlyReads: Record<ReadOnlyBy, string> = {
  standby:
    'The database takes no writes: it is a standby. Name its primary in DATABASE_URL, or all of its servers; or promote it.',
  setting:
    'The database takes no writes: default_transaction_read_only is on, by DATABASE_URL, for this user, this database or the ' +
    'server. Turn it off where it was turned on, unless it protects the database: a disk that is full, or an old primary.',
  unconfirmed:
    'The database takes no writes: its commits wait for a standby that does not confirm them. Bring a standby of ' +
    'synchronous_standby_names back, or change that setting. If another server was promoted, stop this one.',
}

/** The server answers, but does no writes for this process. Its code is the one of a write that PostgreSQL refuses for that. */
export class TakesNoWrites extends ConnectionFailed {
  readonly code = '25006'

  constructor(by: ReadOnlyBy) {
    super(onlyReads[by])
  }
}

/** @returns the refusal that is behind an error, if there is one */
export function takesNoWrites(error: unknown): TakesNoWrites | undefined {
  return linksOf(error).find((link) => link instanceof TakesNoWrites)
}

/**
 * The database is out of reach or going away: the connection failed, or PostgreSQL's classes 08 (connection),
 * 28 (authorization), 53 (resources), 57 (operator intervention, which has shutdown and start-up), 3D000 (no such
 * database), 25006 (a standby), 25P03 and 25P04 (a transaction that idled or took too long). Or it had no place in time.
 */
export function isUnavailable(error: unknown): boolean {
  return linksOf(error).some(
    (link) =>
      link instanceof ConnectionFailed ||
      (link instanceof Problem && link.code === 'service_unavailable') ||
      /^(08...|28...|53...|57...|3D000|25006|25P03|25P04)$/.test(toCode(link)),
  )
}

/** What a failure is to whoever asked; undefined for what nobody has foreseen. */
export function problemIn(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  return isUnavailable(error) ? unavailable(error) : undefined
}

/** The server was left alive, but writes are done by another: nothing more is asked on this connection. */
export function isReadOnly(error: unknown): boolean {
  return linksOf(error).some((link) => toCode(link) === '25006')
}

/** The SQL states of an error and of what caused it. */
export function codesOf(error: unknown): string[] {
  return linksOf(error).map(toCode)
}

/** @returns the error, and what it says was its cause, and so on */
export function linksOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...linksOf(error.cause)] : []
}

function toCode(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
