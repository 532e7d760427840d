/** A customer's door: every request gets an answer in the form of its contract, a trace id, and one line in the log. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { Problem } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { parseTraceparent } from '../../kit/tracing.ts'
import { problemIn } from '../../store/engine/failure.ts'
import { type Answer, writeAnswer } from '../answer.ts'
import type { Middleware } from '../middleware.ts'
import type { Exchange, Pipeline } from './pipeline.ts'
import type { Published } from './published.ts'
import type { Wire } from './wire.ts'

export interface ApiParts {
  wire: Pick<Wire, 'failure' | 'refusalIn'>
  pipeline: Pipeline
  published: Published
  /** Look at a request before anybody else does, one after the other. */
  before: readonly Middleware[]
  runtime: Runtime
  /** Whether the process is going away: then each answer is the last on its connection. */
  isStopping: () => boolean
  /** Told of every answer: for metrics, and to wake the worker. */
  onAnswer: (answer: {
    operation: string
    method: string
    status: number
    seconds: number
    /** Of the caller's key. */
    mode: string | undefined
  }) => void
}

export function createApi(parts: ApiParts): RequestListener {
  const { wire, pipeline, published, before, runtime, isStopping } = parts
  return (request, response) => {
    const { exchange, span } = openExchange(request, runtime)
    const startedAt = performance.now()
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 499
      span?.finish(toEnding(exchange, status))
      tell(parts, exchange, { status, ms: performance.now() - startedAt })
    })

    const write = (answer: Answer) => {
      const { traceId, constantHeaders } = exchange
      const constants = constantHeaders?.[answer.status]
      const whole = constants ? { ...answer, headers: { ...constants, ...answer.headers } } : answer
      writeAnswer(response, whole, { traceId, last: isStopping() })
    }
    const fail = (error: unknown) => {
      const problem = toProblem(error)
      exchange.errorCode = problem.code
      if (problem.cause !== undefined) {
        const level = problem.status === 500 ? 'error' : 'warn'
        runtime.log[level]({ trace_id: exchange.traceId, err: problem.cause }, problem.code)
      }
      if (response.headersSent) response.destroy()
      else write(wire.failure(problem, exchange))
    }
    const handle = () => {
      const page = published(request)
      if (!page) {
        pipeline(exchange)
          .then((answer) => {
            exchange.errorCode = wire.refusalIn(answer.body)
            write(answer)
          }, fail)
          .catch(fail)
        return
      }
      response.setHeader('X-Trace-Id', exchange.traceId)
      page(request, response, fail)
    }
    const pass = (index: number): void => {
      const look = before[index]
      if (look) look(request, response, (error) => (error ? fail(error) : pass(index + 1)))
      else handle()
    }
    if (span) span.within(() => pass(0))
    else pass(0)
  }
}

function openExchange(request: IncomingMessage, { tracing, newTraceId }: Runtime) {
  const { traceparent } = request.headers
  const parent = typeof traceparent === 'string' ? traceparent : undefined
  const span = tracing.begin({ name: 'request', kind: 'server', parent })
  // Its caller's own, whether this service tells of it or not: one id for both logs.
  const traceId = span?.traceId ?? parseTraceparent(parent)?.traceId ?? newTraceId()
  return { exchange: { request, traceId } as Exchange, span }
}

function tell(
  { onAnswer, runtime }: ApiParts,
  exchange: Exchange,
  { status, ms }: { status: number; ms: number },
): void {
  const { request, traceId, operationId: operation = 'none', caller, errorCode } = exchange
  const method = request.method ?? ''
  onAnswer({ operation, method, status, seconds: ms / 1000, mode: caller?.mode })
  runtime.log.info(
    {
      trace_id: traceId,
      operation,
      method,
      status,
      error: errorCode,
      ms: Math.round(ms * 100) / 100,
      account_id: caller?.accountId,
      key_id: caller?.keyId,
    },
    'request',
  )
}

/** By the names of OpenTelemetry's semantic conventions, and ours. */
function toEnding({ request, operationId, caller }: Exchange, status: number) {
  return {
    name: operationId ?? request.method ?? 'request',
    failed: status >= 500,
    ofStranger: caller === undefined,
    attributes: {
      'http.request.method': request.method,
      'http.response.status_code': status,
      'watchword.operation': operationId,
      'watchword.account': caller?.accountId,
      'watchword.mode': caller?.mode,
    },
  }
}

/** What a failure is to a client. What we did not throw on purpose is ours to explain, in the log. */
function toProblem(error: unknown): Problem {
  const cause = error ?? new Error('Something failed, and did not say why.')
  return problemIn(error) ?? new Problem('internal_error', { cause })
}
