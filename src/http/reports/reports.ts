/** The providers' door: what they report of messages, and their question whether the address of it is ours. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Report } from '../../delivery/channel.ts'
import { UnreadableReport } from '../../delivery/report.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { isUnavailable } from '../../store/engine/failure.ts'
import { type TextAnswer, writeText } from '../answer.ts'
import { createIntake, type IntakeLimits, isAnnouncedOver } from '../intake.ts'
import { queryOf } from '../target.ts'
import { type Reason, reportRefusalOf } from './refusal.ts'
import { type Address, addressIn } from './route.ts'

export interface ReportsParts {
  /**
   * Takes a report, all of it in one transaction, once its signature is found good: before that, nobody parses it.
   *
   * @returns `refused` when it is not the provider's own, `unknown` when there is no such connection
   * @throws UnreadableReport when it is the provider's own and not of its form, or what the database throws
   */
  accept: (address: Address, report: Report) => Promise<'accepted' | 'unknown' | 'refused'>
  /** @returns what the provider wants to hear; undefined refuses it, as where there is no such connection */
  handshake: (address: Address, query: URLSearchParams) => Promise<string | undefined>
  runtime: Pick<Runtime, 'newTraceId' | 'log'> & Partial<Pick<Runtime, 'tracing'>>
  /** Whether the process is going away: then each answer is the last on its connection. */
  isStopping: () => boolean
  /** Told of every answer, for metrics. `refused`: one of a few words. */
  onReport: (report: { operation: string; status: number; seconds: number; refused: string | undefined }) => void
  limits?: Partial<IntakeLimits>
}

export interface Reports {
  listener: RequestListener
  /** Whether the body of a report is worth sending, by its head. */
  wantsBody: (request: IncomingMessage) => boolean
}

/** WhatsApp's reports have up to 3 MB. */
const standardLimits: IntakeLimits = { bytesMax: 3 * 1024 * 1024, bytesAtOnceMax: 48 * 1024 * 1024 }

/** What came of a request. */
type Outcome = 'accepted' | Reason | { challenge: string }

interface Exchange {
  request: IncomingMessage
  traceId: string
  address: Address | undefined
  /** Of the body, when it came whole. */
  bytes?: number
  outcome?: Outcome
  /** What was thrown. */
  error?: unknown
  answer?: TextAnswer
}

export function createReports({ accept, handshake, runtime, isStopping, onReport, limits }: ReportsParts): Reports {
  const { bytesMax, bytesAtOnceMax } = { ...standardLimits, ...limits }
  const intake = createIntake({ bytesMax, bytesAtOnceMax })

  const serve = async (exchange: Exchange): Promise<Outcome> => {
    const { request, address } = exchange
    const fault = faultOf(request, bytesMax)
    if (fault || !address) return fault ?? 'unknown'
    const { method = '', url: target = '' } = request
    if (method === 'GET' && address.hasToken) {
      const result = await accept(address, { method, target, headers: headersOf(request), body: Buffer.alloc(0) })
      return result === 'refused' ? 'signature' : result
    }
    if (method !== 'POST') {
      const challenge = await handshake(address, new URLSearchParams(queryOf(target)))
      return challenge === undefined ? 'handshake' : { challenge }
    }
    const result = await intake.read(request, (body) => {
      exchange.bytes = body.length
      return accept(address, { method, target, headers: headersOf(request), body })
    })
    return result === 'refused' ? 'signature' : result
  }

  return {
    wantsBody: (request) => faultOf(request, bytesMax) === undefined,
    listener: async (request, response) => {
      const startedAt = performance.now()
      const address = addressIn(request.url ?? '')
      // What a stranger says of traces is not taken in.
      const span = address && runtime.tracing?.begin({ name: 'report', kind: 'server' })
      const exchange: Exchange = { request, traceId: span?.traceId ?? runtime.newTraceId(), address }
      response.once('close', () => {
        const ms = performance.now() - startedAt
        const status = (response.writableFinished && exchange.answer?.status) || 499
        span?.finish({ failed: status >= 500, attributes: attributesOf(exchange, status) })
        onReport({ operation: operationOf(request), status, seconds: ms / 1000, refused: refusedIn(exchange) })
        tell(runtime.log, exchange, status, ms)
      })
      const outcome = span ? span.within(() => serve(exchange)) : serve(exchange)
      exchange.outcome = await outcome.catch((error: unknown) => {
        exchange.error = error
        return reasonOf(error)
      })
      exchange.answer = answerOf(exchange.outcome)
      // What has not come of its body by now, nobody will read.
      const last = isStopping() || !request.complete
      writeText(response, exchange.answer, { traceId: exchange.traceId, last })
    },
  }
}

function attributesOf({ request, address }: Exchange, status: number) {
  return {
    'http.request.method': request.method,
    'http.response.status_code': status,
    'watchword.account': address?.accountId,
    'watchword.connection': address?.connection,
  }
}

/** Why a request is refused that has no more than a head yet. */
function faultOf(request: IncomingMessage, bytesMax: number): Reason | undefined {
  const { url = '', method = '', headers } = request
  if (!addressIn(url)) return 'unknown'
  if (!['GET', 'HEAD', 'POST'].includes(method)) return 'method'
  if (method !== 'POST') return undefined
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') return 'encoding'
  return isAnnouncedOver(request, bytesMax) ? 'too_large' : undefined
}

/** As a channel is promised them. The server bounds how many and how long they are. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]))
}

function reasonOf(error: unknown): Reason {
  if (error instanceof UnreadableReport) return 'unreadable'
  return isUnavailable(error) ? 'unavailable' : 'failed'
}

function answerOf(outcome: Outcome): TextAnswer {
  if (outcome === 'accepted') return { status: 200, type: 'application/json', text: '{}' }
  if (typeof outcome === 'string') return reportRefusalOf(outcome)
  return { status: 200, type: 'text/plain; charset=utf-8', text: outcome.challenge }
}

function operationOf({ method, url = '' }: IncomingMessage): string {
  if (method === 'POST' || (method === 'GET' && addressIn(url)?.hasToken)) return 'report'
  return method === 'GET' || method === 'HEAD' ? 'handshake' : 'none'
}

function refusedIn({ outcome }: Exchange): Reason | undefined {
  return typeof outcome === 'string' && outcome !== 'accepted' ? outcome : undefined
}

/** One line, which holds nothing of the query, the headers and the body: there are tokens and phones in them. */
function tell(log: Runtime['log'], exchange: Exchange, status: number, ms: number): void {
  const { request, traceId, address, bytes, outcome, error } = exchange
  const level = outcome === 'failed' ? 'error' : error === undefined ? 'info' : 'warn'
  log[level](
    {
      trace_id: traceId,
      operation: operationOf(request),
      method: request.method,
      status,
      refused: refusedIn(exchange),
      ms: Math.round(ms * 100) / 100,
      account_id: address?.accountId,
      connection: address?.connection,
      bytes,
      ...(error !== undefined && { err: error }),
    },
    'report',
  )
}
