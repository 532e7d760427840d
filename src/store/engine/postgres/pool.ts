/** PostgreSQL's connections as this service uses them: statements are prepared, and failures can be told apart. */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { CertificateRefused, ConnectionFailed, PasswordMissing } from '../failure.ts'
import { withEqualities } from '../idRange.ts'
import { makeStatementName } from '../session.ts'
import type { Servers } from './servers.ts'
import { findPlace } from './serverUrls.ts'

export interface ClientSettings extends pg.ClientConfig {
  /** Whether statements get names; true when left out. */
  prepares?: boolean
}

/** What the driver has beneath a client. */
interface Connection {
  stream: Writable
  on: (event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void) => void
}

/** The first version of PostgreSQL that needs no text of its own. */
const oldUntil = 17

type Callback = (error: unknown, result?: unknown) => void

/**
 * Four things that node-postgres leaves to its user:
 * - A statement with parameters has a fixed text here, so it gets a name by that text, and each connection parses and
 *   plans it once.
 * - An older server gets the text that it plans well.
 * - What fails without a word from the server becomes `ConnectionFailed`.
 * - A connection that breaks between two statements of a transaction says so in an event, which must have a listener; the
 *   next statement fails.
 */
export class PreparingClient extends pg.Client {
  /** Set when the server gave up waiting for its standby: what it committed may be there alone. */
  #isUnsure = false
  readonly #prepares: boolean
  #isOld = false

  constructor({ prepares = true, ...config }: ClientSettings = {}) {
    super(config)
    this.#prepares = prepares
    this.on('error', () => {})
    this.#connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }) => {
      if (name === 'server_version') this.#isOld = Number.parseInt(value, 10) < oldUntil
    })
    this.on('notice', (notice) => {
      if ((notice as { routine?: string }).routine === 'SyncRepWaitForLSN') this.#isUnsure = true
    })
  }

  override connect(callback?: unknown): never {
    const place = `${this.host}:${this.port}`
    if (isCallback(callback)) return super.connect((error: unknown) => callback(toFailure(error, place))) as never
    return super.connect().catch((error: unknown) => rethrow(error, place)) as never
  }

  override query(asked: unknown, values?: unknown, callback?: unknown): never {
    const given = this.#isOld ? forOldServer(asked) : asked
    const named = (this.#prepares ? withName(given, values) : withoutName(given)) as string
    const parameters = values as unknown[]
    if (isCallback(callback)) {
      const done = (error: unknown, result: unknown) => callback(toFailure(error), result)
      return super.query(named, parameters, done) as never
    }
    return super.query(named, parameters).catch(rethrow) as never
  }

  get #connection(): Connection {
    return (this as unknown as { connection: Connection }).connection
  }

  /** After a commit, which may have been one statement. @throws ConnectionFailed when this server alone is known to have it */
  requireConfirmed(): void {
    if (this.#isUnsure) throw new ConnectionFailed('the standby has not confirmed the commit')
  }

  /** Breaks the connection off; what waits on it fails. */
  abort(): void {
    this.#connection.stream.destroy()
  }

  /** Writes all that `send` sends in one piece: a system call is dear. */
  together<T>(send: () => T): T {
    const { stream } = this.#connection
    stream.cork()
    try {
      return send()
    } finally {
      stream.uncork()
    }
  }
}

/** A client that connects to the server that takes writes. */
export function toClient(servers: Servers) {
  return class WritersClient extends PreparingClient {
    /** That it was connected to. */
    server: string

    constructor(config: ClientSettings) {
      const connectionString = servers.current()
      super({ ...config, connectionString })
      this.server = connectionString
    }

    override connect(callback?: unknown): never {
      const connected = this.#connect()
      if (!isCallback(callback)) return connected as never
      return connected.then(
        () => callback(null),
        (error) => callback(error),
      ) as never
    }

    async #connect(): Promise<void> {
      await servers.settle()
      if (this.server !== servers.current()) Object.assign(this, findPlace(servers.current()))
      this.server = servers.current()
      try {
        await (super.connect() as unknown as Promise<void>)
      } catch (error) {
        servers.suspect(this.server)
        throw error
      }
    }
  }
}

/**
 * A pool whose waiting for a connection fails as a connection does. So does a query whose connection breaks: the pool hears of
 * that from the client's event, with the error as the socket has it, before the client tells the query.
 */
export class Pool extends pg.Pool {
  readonly #servers: Servers

  constructor(config: pg.PoolConfig, servers: Servers) {
    super(config)
    this.#servers = servers
  }

  override connect(callback?: unknown): never {
    if (!isCallback(callback)) {
      const again = (error: unknown) => (this.#servers.isSuspect() ? super.connect() : Promise.reject(error))
      return super.connect().catch(again).catch(rethrow) as never
    }
    const done = callback as (...given: unknown[]) => void
    return super.connect((error, client, release) => {
      if (!error || !this.#servers.isSuspect()) done(toFailure(error), client, release)
      // One more time: the next client looks for the server that takes writes.
      else super.connect((last, other, releaseOther) => done(toFailure(last), other, releaseOther))
    }) as never
  }

  override query(given: unknown, values?: unknown): never {
    return super.query(given as string, values as unknown[]).catch(rethrow) as never
  }
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

function rethrow(error: unknown, place?: string): never {
  throw toFailure(error, place)
}

/** What Node says of a certificate that it does not believe. */
const untrusted = /CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH/

/** @param place where it was connected to, while it is */
function toFailure(error: unknown, place?: string): unknown {
  if (!(error instanceof Error) || error instanceof ConnectionFailed) return error
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error
  if (/^SASL: .*password must be/.test(error.message)) return new PasswordMissing()
  const { code = '' } = error as NodeJS.ErrnoException
  if (place !== undefined && untrusted.test(code) && !code.startsWith('ERR_SSL'))
    return new CertificateRefused(place, error)
  return new ConnectionFailed('the connection to the database failed', { cause: error })
}

/** Each text is made once. */
const oldTexts = new Map<string, string>()

function forOldServer(given: unknown): unknown {
  if (typeof given === 'string') return withEqualities(given)
  if (!isConfig(given)) return given
  const text = oldTexts.get(given.text) ?? withEqualities(given.text)
  if (given.name) oldTexts.set(given.text, text)
  return { ...given, text }
}

function withName(given: unknown, values: unknown): unknown {
  const config = typeof given === 'string' ? { text: given } : given
  if (!isConfig(config) || config.name !== undefined || !Array.isArray(values) || values.length === 0) return given
  return { ...config, name: makeStatementName(config.text) }
}

function withoutName(given: unknown): unknown {
  return isConfig(given) && given.name ? { ...given, name: undefined } : given
}

function isConfig(given: unknown): given is { text: string; name?: string } {
  return typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string'
}
