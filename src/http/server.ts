/** A server that cuts off what is slow, large or endless, answers what Node refuses, and ends when told to. */
import { chmod, rm } from 'node:fs/promises'
import {
  createServer as createNodeServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { boundCrowds, type CrowdLimit } from './crowd.ts'
import { isHosted } from './host.ts'
import { takeTurns } from './turns.ts'

export interface ServerTimeouts {
  /** Milliseconds for the whole of a request to come in, its head and its body. */
  requestMs: number
  /** Milliseconds in which something must move on a connection. More than a request is worked on. */
  stalledMs: number
  /** Milliseconds from a request's head until its answer is taken, however busy the connection looks meanwhile. */
  answerMs: number
}

const standardTimeouts: ServerTimeouts = {
  requestMs: 10_000,
  stalledMs: 30_000,
  answerMs: 120_000,
}
const headerBytesMax = 8 * 1024
const headersMax = 100
/** Of all addresses together. */
const connectionsMax = 10_000
/** Milliseconds in which the rest of a request has to come to a server that shuts. */
const restMs = 1000

/** What can be told of a request that is refused before its head is read. */
export type BrokenFault = 'host' | 'head' | 'method' | 'header' | 'length'

/** By the codes of Node's parser, llhttp. */
const faults: Readonly<Record<string, BrokenFault>> = {
  HPE_HEADER_OVERFLOW: 'head',
  HPE_INVALID_METHOD: 'method',
  HPE_CR_EXPECTED: 'header',
  HPE_INVALID_HEADER_TOKEN: 'header',
  HPE_INVALID_CONTENT_LENGTH: 'length',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'length',
  HPE_INVALID_TRANSFER_ENCODING: 'length',
}

export interface ServerParts {
  listener: RequestListener
  /**
   * The whole answer, as it is sent, to what is no request that Node understands, or did not come in time.
   */
  onBroken: (fault?: BrokenFault) => string
  /** The whole answer to who wants a tunnel. */
  onConnect: () => string
  /** Whether a body is to come that its sender asks about first (`Expect: 100-continue`); all are when left out. */
  wantsBody?: ((request: IncomingMessage) => boolean) | undefined
  /** Of one address; default: none. */
  crowd?: CrowdLimit | undefined
  timeouts?: Partial<ServerTimeouts> | undefined
}

export interface BoundedServer extends Server {
  /** Every response that is not taken yet and when its request came, oldest first. */
  underWay: ReadonlyMap<ServerResponse, number>
  /** Ends a connection, with the answer to what did not come in time. */
  refuseLate: (socket: Duplex) => void
}

export function createServer(parts: ServerParts): BoundedServer {
  const { listener, onBroken, onConnect, wantsBody = () => true, crowd, timeouts } = parts
  const { requestMs, stalledMs, answerMs } = { ...standardTimeouts, ...timeouts }
  const server = createNodeServer({
    maxHeaderSize: headerBytesMax,
    // Node would refuse a request without Host in its own words, and takes one with two of them.
    requireHostHeader: false,
    // Of a header that may come once, Node would take the first and say nothing of the others.
    joinDuplicateHeaders: true,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: Math.min(1000, requestMs / 2),
  })
  server.maxHeadersCount = headersMax
  server.maxConnections = connectionsMax
  // One that waits for a next request has the longer time above.
  server.timeout = stalledMs
  if (crowd) boundCrowds(server, crowd)
  const turns = takeTurns(server)
  boundAnswers(server, turns.underWay, answerMs)
  const end = (socket: Duplex, answer: string) => {
    turns.leave(socket)
    socket.end(answer, () => socket.destroy())
  }
  server.on('request', (request, response) => {
    if (isHosted(request)) listener(request, response)
    else end(request.socket, onBroken('host'))
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('checkContinue', (request, response) => {
    if (isHosted(request) && wantsBody(request)) response.writeContinue()
    server.emit('request', request, response)
  })
  const refuse = (socket: Duplex, answer: string) => {
    const response = turns.answering(socket)
    // A good request came first: it gets its answer, and what follows it gets none.
    if (response && !response.writableFinished && response.req.complete) {
      turns.leave(socket)
      response.once('close', () => socket.destroy())
    } else end(socket, answer)
  }
  server.on('connect', (_request, socket) => refuse(socket, onConnect()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && error.code !== 'ECONNRESET') refuse(socket, onBroken(faults[error.code ?? '']))
    else socket.destroy()
  })
  return Object.assign(server, {
    underWay: turns.underWay,
    refuseLate: (socket: Duplex) => void (socket.writable && refuse(socket, onBroken())),
  })
}

/** Ends connections whose answers take too long: a client could send a byte now and then, and never take one. */
function boundAnswers(server: Server, underWay: BoundedServer['underWay'], answerMs: number): void {
  const look = () => {
    const now = performance.now()
    // The oldest come first.
    for (const [response, since] of underWay) {
      if (now - since < answerMs) break
      response.req.socket.destroy()
    }
  }
  const looking = setInterval(look, Math.min(1000, answerMs / 4)).unref()
  server.once('close', () => clearInterval(looking))
}

export interface Shuttable {
  /**
   * Resolves when every request that was accepted has its answer. For `drainMs` a client with an open connection may still
   * ask, and is told to close it: closing it on them first would cut off the request that they are just sending. A second
   * later, a request that has not come whole is refused.
   *
   * @param until milliseconds by `performance.now`: then all that is left is cut off
   */
  shut: (drainMs: number, until: number) => Promise<void>
}

export interface Listening extends Shuttable {
  port: number
}

export async function listen(server: BoundedServer, port: number, host: string): Promise<Listening> {
  await begun(server, () => server.listen(port, host))
  return { port: (server.address() as AddressInfo).port, shut: shutting(server) }
}

/**
 * On a socket in the file system, to which only this user can connect.
 *
 * @param path nobody listens there any more: what is there was left by a process that is over
 */
export async function listenForOwner(server: BoundedServer, path: string): Promise<Shuttable> {
  await rm(path, { force: true })
  await begun(server, () => {
    // Node makes the socket at once: there is no moment at which it is open to others.
    const before = process.umask(0o077)
    try {
      server.listen(path)
    } finally {
      process.umask(before)
    }
  })
  await chmod(path, 0o600)
  return { shut: shutting(server) }
}

async function begun(server: BoundedServer, begin: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', resolve)
    begin()
  })
}

function shutting(server: BoundedServer): Shuttable['shut'] {
  return async (drainMs, until) => {
    await new Promise((resolve) => setTimeout(resolve, drainMs))
    const closed = new Promise((resolve) => server.close(resolve))
    const lateAt = performance.now() + restMs
    const sweep = setInterval(() => {
      const now = performance.now()
      server.closeIdleConnections()
      if (now > lateAt) for (const { req } of server.underWay.keys()) if (!req.complete) server.refuseLate(req.socket)
      // A connection that never asked for anything does not count as idle.
      if (server.underWay.size === 0 || now > until) server.closeAllConnections()
    }, 20)
    await closed
    clearInterval(sweep)
  }
}
