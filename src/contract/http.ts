/** The API over HTTP: every request gets an answer in the envelope, a trace id, and one line in the log. */
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express'
import { Problem, unavailable } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import { isUnavailable } from '../store/failure.ts'
import { type Answer, failure, writeAnswer, writeJson } from './answer.ts'
import type { Contract, Exchange } from './binder.ts'

export interface HttpOptions {
  contract: Contract
  /** What looks at a request before the contract does: other pages, and the guard of its answer. */
  before: RequestHandler[]
  runtime: Runtime
  /** Whether the process is going away: then each answer is the last on its connection. */
  isStopping: () => boolean
  /** Told of every answer: for metrics, and to wake the worker. */
  onAnswer: (answer: { operation: string; method: string; status: number; seconds: number }) => void
}

export function createHttp({ contract, before, runtime, isStopping, onAnswer }: HttpOptions): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.response.json = writeJson

  const begin: RequestHandler = (request, response, next) => {
    const exchange: Exchange = { request, traceId: runtime.newTraceId() }
    response.locals.exchange = exchange
    response.setHeader('X-Trace-Id', exchange.traceId)
    const startedAt = performance.now()
    response.once('close', () => {
      const { operationId: operation = 'none', caller, traceId } = exchange
      const seconds = (performance.now() - startedAt) / 1000
      const status = response.writableFinished ? response.statusCode : 499
      onAnswer({ operation, method: request.method, status, seconds })
      runtime.log.info(
        {
          trace_id: traceId,
          operation,
          method: request.method,
          status,
          error: response.locals.errorCode,
          ms: Math.round(seconds * 1e5) / 100,
          account_id: caller?.accountId,
          key_id: caller?.keyId,
        },
        'request',
      )
    })
    next()
  }

  const write = (response: Response, given: Answer) => {
    if (isStopping()) response.setHeader('Connection', 'close')
    writeAnswer(response, given)
  }

  const answer: RequestHandler = async (_request, response) => {
    write(response, await contract(exchangeOf(response)))
  }

  // Express knows an error handler by its four parameters.
  const fail: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const { traceId } = exchangeOf(response)
    const problem = problemOf(error)
    response.locals.errorCode = problem.code
    if (problem.cause !== undefined) {
      runtime.log[problem.status === 500 ? 'error' : 'warn']({ trace_id: traceId, err: problem.cause }, problem.code)
    }
    if (response.headersSent) response.destroy()
    else write(response, failure(problem, traceId))
  }

  app.use(begin, ...before, answer, fail)
  return app
}

/** What a failure is to a client. What we did not throw on purpose is ours to explain, in the log. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error)) return unavailable(error)
  return new Problem('internal_error', { cause: error })
}

function exchangeOf(response: Response): Exchange {
  return response.locals.exchange as Exchange
}

export interface ServerTimeouts {
  /** Milliseconds for a request's head to come in. */
  headersMs: number
  /** Milliseconds for the whole of a request to come in. */
  requestMs: number
}

const standardTimeouts: ServerTimeouts = { headersMs: 10_000, requestMs: 15_000 }
const headerBytesMax = 8 * 1024
const headersMax = 100
const connectionsMax = 10_000

/** A server that cuts off what is slow, large or endless, and answers in the envelope what Node refuses before Express. */
export function createApiServer(
  listener: RequestListener,
  newTraceId: () => string,
  { headersMs, requestMs }: ServerTimeouts = standardTimeouts,
): Server {
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      // Node would refuse a request without Host in its own words.
      requireHostHeader: false,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: Math.min(1000, headersMs / 2),
    },
    listener,
  )
  server.maxHeadersCount = headersMax
  server.maxConnections = connectionsMax
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  /** What each connection is being answered. */
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', (request, response) => {
    // Express would answer a target that is no URL by itself; this is a path that nothing here can read either.
    if (request.url?.startsWith('http') && !URL.canParse(request.url)) request.url = '/%'
    answering.set(request.socket, response)
    response.once('close', () => answering.delete(request.socket))
  })
  server.on('connect', (_request, socket) => refuse(socket, new Problem('route_not_found'), newTraceId()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const response = answering.get(socket)
    if (response?.req.complete) {
      // A good request came first: it gets its answer, and what follows it gets none.
      response.once('close', () => socket.destroy())
      return
    }
    const message = 'This is no HTTP request that the service understands, or it did not come in time.'
    refuse(socket, new Problem('invalid_request', { message }), newTraceId())
  })
  return server
}

/** Answers where there is no response to write to, and ends the connection. */
function refuse(socket: Duplex, problem: Problem, traceId: string): void {
  const body = JSON.stringify(failure(problem, traceId).body)
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Trace-Id: ${traceId}`,
    'Connection: close',
    '',
    body,
  ]
  socket.end(lines.join('\r\n'), () => socket.destroy())
}
