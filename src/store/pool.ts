/** PostgreSQL's connections as this service uses them: statements are prepared, and failures can be told apart. */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { ConnectionFailed } from './failure.ts'
import { nameOf } from './session.ts'

type Callback = (error: unknown, result?: unknown) => void

/**
 * Three things that node-postgres leaves to its user:
 * - A statement with parameters has a fixed text here, so it gets a name by that text, and each connection parses and
 *   plans it once.
 * - What fails without a word from the server becomes `ConnectionFailed`.
 * - A connection that breaks between two statements of a transaction says so in an event, which must have a listener; the
 *   next statement fails.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => {})
  }

  override connect(callback?: unknown): never {
    if (isCallback(callback)) return super.connect((error: unknown) => callback(failureOf(error))) as never
    return super.connect().catch(rethrow) as never
  }

  override query(given: unknown, values?: unknown, callback?: unknown): never {
    const named = withName(given, values) as string
    const parameters = values as unknown[]
    if (isCallback(callback)) {
      const done = (error: unknown, result: unknown) => callback(failureOf(error), result)
      return super.query(named, parameters, done) as never
    }
    return super.query(named, parameters).catch(rethrow) as never
  }

  /** Writes all that `send` sends in one piece: a system call is dear. */
  together<T>(send: () => T): T {
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection
    stream.cork()
    try {
      return send()
    } finally {
      stream.uncork()
    }
  }
}

/** A pool whose waiting for a connection fails as a connection does. */
export class Pool extends pg.Pool {
  override connect(callback?: unknown): never {
    if (!isCallback(callback)) return super.connect().catch(rethrow) as never
    return super.connect((error, client, done) => {
      ;(callback as (...given: unknown[]) => void)(failureOf(error), client, done)
    }) as never
  }
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

function rethrow(error: unknown): never {
  throw failureOf(error)
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError || error instanceof TypeError) return error
  return new ConnectionFailed('the connection to the database failed', { cause: error })
}

function withName(given: unknown, values: unknown): unknown {
  const config = typeof given === 'string' ? { text: given } : given
  if (!isConfig(config) || config.name || !Array.isArray(values) || values.length === 0) return given
  return { ...config, name: nameOf(config.text) }
}

function isConfig(given: unknown): given is { text: string; name?: string } {
  return typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string'
}
