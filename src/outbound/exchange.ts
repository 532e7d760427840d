/** One question under way: what undici tells of it as it happens, and the one answer that comes of that. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { AskFault, isAskFailure } from './failure.ts'
import { ProxyFailed, proxyLate } from './proxy.ts'

/** `reason` is a short sentence of ours: nothing stands in it of the question, nor of the answer. */
export type OutboundAnswer =
  /** `body` is what fits of it; `truncated` says that there was more. */
  | { kind: 'answered'; status: number; body: Buffer; truncated: boolean; retryAfterSeconds?: number }
  /** No byte of it was written: safe to repeat. */
  | { kind: 'unsent'; reason: string }
  /** It may have arrived. */
  | { kind: 'unknown'; reason: string }

/** Why nobody waits for an answer any more. */
export const [calledOff, tooLate] = ['called off', 'too late'] as const

const [noConnection, noAnswer] = ['no connection in time', 'no answer in time']

/** Whether nothing came in time: no connection, or no answer. */
export function isLate(answer: OutboundAnswer): boolean {
  return answer.kind !== 'answered' && [noConnection, noAnswer, proxyLate].includes(answer.reason)
}

/** Whether its client was closed meanwhile. */
export function isCalledOff(answer: OutboundAnswer): boolean {
  return answer.kind !== 'answered' && answer.reason === calledOff
}

/** @returns undefined for what is no JSON */
export function parseAnswerJson(body: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(body.toString())
  } catch (error) {
    // What is nested too deep is a RangeError.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return undefined
  }
}

export interface ExchangeLimits {
  /** Bytes of an answer's body that are read. */
  answerBytesMax: number
  /**
   * Milliseconds for the body, once the status is there: where that says all, a body that breaks off or does not end takes
   * nothing from it. Left out, an answer counts when it is whole.
   */
  bodyMs?: number | undefined
}

/** Seconds that nobody is made to wait longer than. */
const retryAfterMax = 24 * 3600
const unreadable = 'no answer that can be read'

type Controller = Dispatcher.DispatchController
type Headers = Readonly<Record<string, string | string[] | undefined>>

export class OutboundExchange implements Dispatcher.DispatchHandler {
  /** Rejects with `AskFault`, and with nothing else. */
  readonly answer: Promise<OutboundAnswer>
  readonly #limits: ExchangeLimits
  readonly #now: () => Date
  readonly #give: (answer: OutboundAnswer) => void
  readonly #refuse: (fault: AskFault) => void
  /** Undefined until the first byte is about to be written. */
  #controller: Controller | undefined
  #isOver = false
  #status = 0
  #headers: Headers = {}
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #bodyTimer: NodeJS.Timeout | undefined

  constructor(limits: ExchangeLimits, now: () => Date) {
    this.#limits = limits
    this.#now = now
    const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>()
    this.answer = promise
    this.#give = resolve
    this.#refuse = reject
  }

  onRequestStart(controller: Controller): void {
    // There is a connection now for what was called off while it waited for one.
    if (this.#isOver) controller.abort(new Error(calledOff))
    else this.#controller = controller
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    this.#status = status
    this.#headers = headers
    if (this.#isEnough()) this.#bodyTimer = setTimeout(() => this.callOff(tooLate), this.#limits.bodyMs)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= this.#limits.answerBytesMax) return
    this.onResponseEnd()
    controller.abort(new Error('longer than is read of it'))
  }

  onResponseEnd(): void {
    try {
      const body = this.#body()
      if (body) this.#answer(body, this.#bytes > this.#limits.answerBytesMax)
      else this.#fail(unreadable)
    } catch (error) {
      this.#failOurs(error)
    }
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.fail(error)
  }

  /** @param error what undici throws or tells */
  fail(error: unknown): void {
    const { code } = error as { code?: unknown }
    if (!isAskFailure(error) && !this.#isEnough()) this.#failOurs(error)
    else this.#fail(error instanceof ProxyFailed ? error.message : this.#reasonOf(typeof code === 'string' ? code : ''))
  }

  /** For what is not asked: no byte of it is written. */
  decline(reason: string): void {
    this.#fail(reason)
  }

  callOff(why: typeof calledOff | typeof tooLate): void {
    if (why === calledOff) this.#fail(calledOff)
    else this.#fail(this.#controller ? noAnswer : noConnection)
    this.#controller?.abort(new Error(why))
  }

  /** Whether the status that has come says all. */
  #isEnough(): boolean {
    return this.#limits.bodyMs !== undefined && this.#status >= 200
  }

  #answer(body: Buffer, truncated: boolean): void {
    const retryAfterSeconds = readSeconds(this.#headers['retry-after'], this.#now())
    const rest = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    this.#end({ kind: 'answered', status: this.#status, body, truncated, ...rest })
  }

  #fail(reason: string): void {
    if (this.#isEnough()) this.#answer(this.#body() ?? Buffer.alloc(0), true)
    else this.#end({ kind: this.#controller ? 'unknown' : 'unsent', reason })
  }

  /** The first word counts. */
  #end(answer: OutboundAnswer): void {
    this.#isOver = true
    clearTimeout(this.#bodyTimer)
    this.#give(answer)
  }

  #failOurs(error: unknown): void {
    this.#isOver = true
    clearTimeout(this.#bodyTimer)
    this.#refuse(new AskFault(error, !this.#controller))
  }

  /** @returns undefined when it is not to be read */
  #body(): Buffer | undefined {
    const { answerBytesMax } = this.#limits
    const body = Buffer.concat(this.#chunks).subarray(0, answerBytesMax)
    const coding = String(this.#headers['content-encoding'] ?? 'identity')
    // It was asked not to do that.
    return coding === 'identity' ? body : decoded(body, coding, answerBytesMax)
  }

  #reasonOf(code: string): string {
    const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
    if (known !== undefined) return known
    if (this.#controller) return unreadable
    return /CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code) ? 'no secure connection' : 'could not be asked'
  }
}

function decoded(body: Buffer, coding: string, maxOutputLength: number): Buffer | undefined {
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  try {
    return decode?.(body, { maxOutputLength })
  } catch (error) {
    if (!isAskFailure(error)) throw error
    return undefined
  }
}

const decoders: Readonly<Record<string, (body: Buffer, limits: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

const dateForm = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** @param value of `Retry-After`: seconds or a date; what is neither counts as not given */
function readSeconds(value: unknown, now: Date): number | undefined {
  if (typeof value !== 'string') return undefined
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil(((dateForm.test(value) ? Date.parse(value) : Number.NaN) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), retryAfterMax)
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
