/** HTTP to servers of others: bounded in time, connections and answer, and exact about what was surely not sent. */
import { Agent, buildConnector, type Dispatcher, fetch } from 'undici'
import about from '../../package.json' with { type: 'json' }
import type { Guard } from './address.ts'

export interface Question {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}

/** `reason` is a short sentence of ours: nothing stands in it of the question, nor of the answer. */
export type Answer =
  /** `body` is what fits of it; `truncated` says that there was more. */
  | { kind: 'answered'; status: number; body: Buffer; truncated: boolean; retryAfterSeconds?: number }
  /** No byte of it was written: safe to repeat. */
  | { kind: 'unsent'; reason: string }
  /** It may have arrived. */
  | { kind: 'unknown'; reason: string }

export interface Client {
  /** Asks once, without following to another address. Waits for a place first. Never throws. */
  ask: (question: Question) => Promise<Answer>
  /** Calls off what is under way or waits, which is answered so; what is asked later is unsent. */
  close: () => Promise<void>
}

export interface ClientParts {
  /** Milliseconds for a connection, with the look-up of the name and the start of TLS. */
  connectMs: number
  /** Milliseconds for all of it, from when it has its place. More than `connectMs`. */
  totalMs: number
  /** Questions under way at once; more wait. */
  connectionsMax: number
  /** Bytes of an answer's body that are read. */
  answerBytesMax: number
  /**
   * Milliseconds for the body, once the status is there: where that says all, a body that breaks off or does not end takes
   * nothing from it. Left out, an answer counts when it is whole.
   */
  bodyMs?: number
  /** Where it may go; left out, anywhere. */
  guard?: Guard
  /** For a `Retry-After` that is a date. */
  now?: () => Date
}

const userAgent = `watchword/${about.version}`
/** Seconds that nobody is made to wait longer than. */
const retryAfterMax = 24 * 3600

export function createClient(parts: ClientParts): Client {
  const { connectMs, totalMs, connectionsMax, answerBytesMax, bodyMs, guard, now = () => new Date() } = parts
  // HTTP/1.1 only: a connection has one question at a time, so that what becomes of one says nothing of another.
  const connection = { timeout: connectMs, allowH2: false }
  const agent = new Agent({
    connect: guard ? guard.connector(connection) : buildConnector(connection),
    connections: connectionsMax,
    // The whole has a limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const takePlace = createPlaces(connectionsMax)
  const underWay = new Set<AbortController>()
  let isClosed = false

  return {
    ask: async (question) => {
      const leavePlace = await takePlace()
      const caller = new AbortController()
      underWay.add(caller)
      const timer = setTimeout(() => caller.abort(tooLate), totalMs)
      try {
        if (isClosed) return { kind: 'unsent', reason: calledOff }
        const fault = guard?.faultOfUrl(question.url)
        if (fault !== undefined) return { kind: 'unsent', reason: fault }
        return await askOnce(question, { agent, answerBytesMax, bodyMs, caller, now })
      } finally {
        clearTimeout(timer)
        underWay.delete(caller)
        leavePlace()
      }
    },
    close: async () => {
      isClosed = true
      for (const caller of underWay) caller.abort(calledOff)
      await agent.destroy()
    },
  }
}

interface Means {
  agent: Agent
  answerBytesMax: number
  bodyMs: number | undefined
  caller: AbortController
  now: () => Date
}

async function askOnce(
  { method, url, headers = {}, body }: Question,
  { agent, answerBytesMax, bodyMs, caller, now }: Means,
): Promise<Answer> {
  const { signal } = caller
  let isWritten = false
  const dispatcher = once(agent, () => {
    isWritten = true
  })
  try {
    const response = await fetch(url, {
      method,
      // What is not compressed cannot grow when it is read.
      headers: { 'User-Agent': userAgent, 'Accept-Encoding': 'identity', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
      dispatcher,
    })
    const retryAfterSeconds = secondsOf(response.headers.get('Retry-After'), now())
    const reading = { stream: response.body, bytesMax: answerBytesMax }
    const read = await (bodyMs === undefined ? readUpTo(reading) : readInTime(reading, bodyMs, caller))
    const { status } = response
    return { kind: 'answered', status, ...read, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  } catch (error) {
    const reason = reasonOf(signal.aborted ? signal.reason : error, isWritten)
    return { kind: isWritten ? 'unknown' : 'unsent', reason }
  }
}

/** @returns takes a place, in the order of asking, and gives what leaves it */
function createPlaces(count: number): () => Promise<() => void> {
  const line: (() => void)[] = []
  let free = count
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => line.push(resolve))
    return leave
  }
}

/**
 * The agent for one question.
 *
 * @param onWrite called when there is a connection and the first byte is about to be written
 */
function once(agent: Agent, onWrite: () => void): Dispatcher {
  let isStarted = false
  return agent.compose((dispatch) => (options, handler) => {
    // `fetch` asks again, of itself, when it is answered 421.
    if (isStarted) throw new Error('it was asked already')
    isStarted = true
    const watched: Dispatcher.DispatchHandler = Object.create(handler)
    watched.onRequestStart = (controller, context) => {
      onWrite()
      handler.onRequestStart?.call(watched, controller, context)
    }
    return dispatch(options, watched)
  })
}

interface Reading {
  stream: AsyncIterable<Uint8Array> | null
  bytesMax: number
  /** What has come so far. */
  chunks?: Uint8Array[]
}

interface Read {
  body: Buffer
  truncated: boolean
}

/** Leaving the loop early ends the connection. */
async function readUpTo({ stream, bytesMax, chunks = [] }: Reading): Promise<Read> {
  let bytes = 0
  for await (const chunk of stream ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) break
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax), truncated: bytes > bytesMax }
}

/** What has come when the time is over, or when the body breaks off. */
async function readInTime(reading: Reading, bodyMs: number, caller: AbortController): Promise<Read> {
  const chunks: Uint8Array[] = []
  const timer = setTimeout(() => caller.abort(tooLate), bodyMs)
  try {
    return await readUpTo({ ...reading, chunks })
  } catch {
    return { body: Buffer.concat(chunks).subarray(0, reading.bytesMax), truncated: true }
  } finally {
    clearTimeout(timer)
  }
}

const dateForm = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** @param value of `Retry-After`: seconds or a date; what is neither counts as not given */
function secondsOf(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil(((dateForm.test(value) ? Date.parse(value) : Number.NaN) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), retryAfterMax)
}

const [calledOff, tooLate] = ['called off', 'too late']

const [noConnection, noAnswer] = ['no connection in time', 'no answer in time']

/** Whether nothing came in time: no connection, or no answer. */
export function isLate(answer: Answer): boolean {
  return answer.kind !== 'answered' && (answer.reason === noConnection || answer.reason === noAnswer)
}

/** Whether its client was closed meanwhile. */
export function isCalledOff(answer: Answer): boolean {
  return answer.kind !== 'answered' && answer.reason === calledOff
}

const broken = 'connection broken'
const reasons: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  ETIMEDOUT: noConnection,
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name could not be looked up',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'host not reachable',
  ADDRESS_REFUSED: 'this address is not allowed',
  ECONNRESET: broken,
  EPIPE: broken,
  UND_ERR_SOCKET: broken,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
}

function reasonOf(error: unknown, isWritten: boolean): string {
  if (error === calledOff) return calledOff
  if (error === tooLate) return isWritten ? noAnswer : noConnection
  const code = codeOf(error) ?? ''
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (known !== undefined) return known
  if (isWritten) return 'no answer that can be read'
  return /CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code) ? 'no secure connection' : 'could not be asked'
}

/** `fetch` wraps what went wrong, sometimes more than once. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const inner = codeOf(error.cause)
  return inner ?? ('code' in error && typeof error.code === 'string' ? error.code : undefined)
}
