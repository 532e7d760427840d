/**
 * What operators ask: is the process alive, is it ready, what has it counted, and what do the sandbox phones have. On a port of its
 * own, or as the guest of another one, where it answers under its own paths and leaves all others to the host.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import { createPlaces } from '../../kit/places.ts'
import type { Log } from '../../kit/runtime.ts'
import { rawJson } from '../answer.ts'
import type { CrowdLimit } from '../crowd.ts'
import type { Guest } from '../guest.ts'
import type { HostedRequest } from '../host.ts'
import type { Middleware } from '../middleware.ts'
import { type BoundedServer, createServer, type ServerTimeouts } from '../server.ts'
import { readPath } from '../target.ts'
import type { Metrics } from './metrics.ts'
import { answered, createShared } from './shared.ts'

export interface OpsOptions {
  metrics: Pick<Metrics, 'render' | 'contentType'>
  /** Serving from when the last of its doors is open, until it begins to stop. */
  state: () => ServingState
  /** Resolves when the process can work; rejects with the reason when it can't. */
  checkReady: () => Promise<void>
  /** What a sandbox phone has, oldest first. */
  sandboxMessages: (phone: string) => Promise<{ id: string; phone: string; text: string; at: Date }[]>
  /** Whether a request was meant for this machine, and not brought here by a page of another site. */
  isForUs: (request: HostedRequest) => boolean
  /** What all but the two questions of orchestrators prove themselves with; undefined: they prove nothing. */
  token: string | undefined
  /** Whether strangers reach the port: without a token, it then has the two questions alone. */
  isShared: boolean
  /** Lets pages of this machine read what sandbox phones have. Undefined where the service is no sandbox. */
  letPagesRead?: Middleware | undefined
  log: Log
}

/** Of the port that is the operations' own. */
interface OpsPort {
  crowd: CrowdLimit
  timeouts?: Partial<ServerTimeouts> | undefined
}

export type ServingState = 'starting' | 'serving' | 'stopping'

/** Milliseconds for the process to say that it is ready, and for a place among those who read sandbox messages. */
const [readyMs, placeMs] = [2000, 2000]
/** Reads of sandbox messages at once. */
const readsMax = 4

/** What orchestrators ask: it tells nothing but "yes" or "no". */
const openPaths = ['/healthz', '/readyz']
const guardedPaths = ['/metrics', '/sandbox/messages']

/** On a port of its own. */
export function createOps(options: OpsOptions, { crowd, timeouts }: OpsPort): BoundedServer {
  const refusal = () => rawJson(400, { error: 'This port does not understand this HTTP request.' })
  return createServer({ listener: createOpsListener(options), onBroken: refusal, onConnect: refusal, crowd, timeouts })
}

/** On the port of another door. What it does not have there, the other door answers as if it knew nothing of it. */
export function createOpsGuest(options: Omit<OpsOptions, 'isShared'>): Guest {
  const paths = new Set(options.token === undefined ? openPaths : [...openPaths, ...guardedPaths])
  return {
    isFor: ({ method, url = '' }) => (method === 'GET' || method === 'HEAD') && paths.has(readPath(url)),
    listener: createOpsListener({ ...options, isShared: true }),
  }
}

function createOpsListener(options: OpsOptions): RequestListener {
  const { metrics, state, sandboxMessages, log } = options
  const checkReady = createShared(options.checkReady)
  const page = createShared(async () => Buffer.from(await metrics.render()))
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((_request, response, next) => {
    // Texts of sandbox phones hold codes, and metrics are of the moment.
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    next()
  })
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    // This is as it should be: nothing for the log.
    if (state() !== 'serving') {
      response.status(503).json({ status: 'not ready', reason: state() })
      return
    }
    try {
      await answered(checkReady(), readyMs)
      response.json({ status: 'ready' })
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      response.status(503).json({ status: 'not ready' })
    }
  })
  if (options.letPagesRead) app.use('/sandbox/messages', options.letPagesRead)
  // The two above are left out: orchestrators ask them under addresses of their own.
  app.use(createGuard(options))
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await page())
  })
  app.get('/sandbox/messages', showMessages(sandboxMessages))
  const fail: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    log.error({ err: error }, 'the operations port failed')
    response.status(503).json({ error: 'unavailable' })
  }
  app.use((_request, response) => {
    response.status(404).json({ error: 'not found', paths: [...openPaths, ...guardedPaths] })
  })
  app.use(fail)
  // What is no URL comes to none of the above.
  return (request, response) => {
    app(request as Request, response as Response, () => {
      ;(response as Response).status(404).json({ error: 'not found' })
    })
  }
}

/** Who may see more. The token also shows that no page of another site has asked: that one does not know it. */
function createGuard({ token, isShared, isForUs }: OpsOptions): RequestHandler {
  if (token === undefined && isShared) {
    return (_request, response) => void response.status(404).json({ error: 'not found', paths: openPaths })
  }
  if (token === undefined) {
    const error = 'This port answers to the names of its own machine and to those in OPS_HOSTS.'
    return (request, response, next) => (isForUs(request) ? next() : void response.status(421).json({ error }))
  }
  // Digests are of one length, which a comparison in constant time needs.
  const digestOf = (text: string) => hash('sha256', text, 'buffer')
  const digest = digestOf(token)
  return ({ headers: { authorization = '' } }, response, next) => {
    const [, presented = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
    if (timingSafeEqual(digestOf(presented), digest)) return next()
    response.set('WWW-Authenticate', 'Bearer')
    response
      .status(401)
      .json({ error: 'Send the header "Authorization: Bearer" with the token that is set as OPS_TOKEN.' })
  }
}

function showMessages(sandboxMessages: OpsOptions['sandboxMessages']): RequestHandler {
  const reads = createPlaces(() => readsMax)
  return async (request, response) => {
    const { phone } = request.query
    if (typeof phone !== 'string' || !/^[ +]?\d{1,15}$/.test(phone)) {
      response.status(400).json({ error: 'Name one phone: /sandbox/messages?phone=%2B14155550100' })
      return
    }
    if (!(await reads.take(placeMs))) {
      response.status(503).json({ error: 'too many read sandbox messages at once' })
      return
    }
    // A plus sign that was not encoded arrives as a space.
    const found = await sandboxMessages(phone.replace(/^ /, '+')).finally(reads.free)
    response.json(found.map(({ id, phone, text, at }) => ({ id, phone, text, at })))
  }
}
