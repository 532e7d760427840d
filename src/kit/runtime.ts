/** What the world gives a process: time, ids, randomness and a log, as values that a test can replace. */
import { randomBytes, randomInt } from 'node:crypto'
import { pino } from 'pino'
import { decodeTime, encodeTime, ulid } from 'ulid'
import { createInternalErrors, type InternalErrors } from './internalErrors.ts'
import { noTracing, type Tracing } from './tracing.ts'

export interface Runtime {
  /** The time by which limits and ends are reckoned: that of the database, so that all processes have the same. */
  now: () => Date
  /** Milliseconds since some moment, by a clock that nobody sets: for ages, and for nothing that is written down. */
  elapsedMs: () => number
  /** 26 characters of Crockford's base32: 48 bits of time, then 80 random bits. */
  newId: () => string
  /** Decimal digits, leading zeros kept, each equally likely. */
  randomDigits: (count: number) => string
  /** 32 lower-case hexadecimal digits. */
  newTraceId: () => string
  log: Log
  tracing: Tracing
  internalErrors: InternalErrors
}

export type Log = pino.Logger

export interface RuntimeOptions {
  /** This machine's clock when left out; the log always goes by that one, as the machine's other logs do. */
  now?: () => Date
  /** Standard output, a line at a time, when left out. */
  logDestination?: pino.DestinationStream | undefined
  /** What each line begins with; nothing when left out. */
  logBase?: object | undefined
  /** Off when left out. */
  tracing?: Tracing
}

export function createRuntime(logLevel: string, options: RuntimeOptions = {}): Runtime {
  const { now = () => new Date(), logDestination, logBase, tracing = noTracing } = options
  const log = createLog(logLevel, logDestination, logBase)
  return {
    now,
    elapsedMs: () => performance.now(),
    newId: () => newUlid(now()),
    randomDigits,
    newTraceId: () => randomSlice(16).toString('hex'),
    log,
    tracing,
    internalErrors: createInternalErrors(log),
  }
}

/** An id that sorts by `time`. Its random part cannot be guessed: `ulid` is given a generator that is fit for secrets. */
export function newUlid(time: Date): string {
  const random = randomSlice(16)
  let next = 0
  // A step of 1/256 below 1: each of the 32 letters has exactly 8 of the 256 bytes.
  return ulid(time.getTime(), () => random[next++]! / 256)
}

/** The least id of a time: those of that millisecond and of later ones are not below it. */
export function leastUlid(time: Date): string {
  return `${encodeTime(time.getTime())}${'0'.repeat(16)}`
}

/** The time that an id begins with. */
export function ulidTime(id: string): Date {
  return new Date(decodeTime(id))
}

let pool = Buffer.alloc(0)

/** Random bytes, drawn in bulk: one call for thousands of them costs what one for a few does. None is given out twice. */
export function randomSlice(count: number): Buffer {
  if (pool.length < count) pool = randomBytes(4096)
  const slice = pool.subarray(0, count)
  pool = pool.subarray(count)
  return slice
}

export function randomDigits(count: number): string {
  return randomInt(10 ** count)
    .toString()
    .padStart(count, '0')
}

let [lastMs, lastTime] = [0, '']

/** Under load many lines are of one millisecond, and to write out its date costs more than the rest of a line. */
function isoTime(): string {
  const ms = Date.now()
  if (ms !== lastMs) [lastMs, lastTime] = [ms, `,"time":"${new Date(ms).toISOString()}"`]
  return lastTime
}

/** JSON lines. Of an error only what cannot hold a caller's data is written: see `describeError`. */
export function createLog(level: string, destination?: pino.DestinationStream, base: object | null = null): Log {
  return pino({ level, base, timestamp: isoTime, serializers: { err: describeError } }, destination)
}

/**
 * A database's error and its wrapper quote the statement's values, and those may be codes, phones or variables. So of an
 * error that carries a SQL state, and of what wraps one, neither message nor text of the stack is kept.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  const { code, routine, table, constraint } = error as unknown as Record<string, unknown>
  const quotesValues = 'query' in error || 'severity' in error || error.name === 'SyntaxError'
  if (quotesValues) return { type: error.name, code, routine, table, constraint, frames: frames(error), ...cause }
  return { type: error.name, code, message: error.message, frames: frames(error), ...cause }
}

/** The stack without the message in front of it, whose lines could look like frames. */
function frames({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message)
  if (start === -1) return []
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim())
}
