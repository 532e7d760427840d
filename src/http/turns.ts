/**
 * Requests of one connection are served one after the other. Node's parser starts all that a client has sent ahead at once,
 * thousands from one read, and nothing that a request does can stop it. So it is given no more than one of them at a time.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What ends the head of a request. A body may hold it too, and is then only given in more pieces. */
const headEnd = Buffer.from('\r\n\r\n')
/** Of `GET / HTTP/1.1`. */
const headBytesMin = 18

export interface ResponseTurns {
  /** Every response that is not taken yet and when its request came, in milliseconds by `performance.now`; oldest first. */
  underWay: ReadonlyMap<ServerResponse, number>
  /** What the connection was answered last, or is just being answered. */
  answering: (socket: object) => ServerResponse | undefined
  /** Gives the parser nothing more of a connection that is lost to HTTP. */
  leave: (socket: object) => void
}

/** Before any other listener for requests is there. */
export function takeTurns(server: Server): ResponseTurns {
  const lines = new WeakMap<object, Line>()
  const underWay = new Map<ServerResponse, number>()
  // One function for all responses, which is told by `this` which it is.
  function close(this: ServerResponse): void {
    underWay.delete(this)
    lines.get(this.req.socket)?.answered()
  }
  server.on('connection', (socket) => lines.set(socket, new Line(socket)))
  server.on('request', (request, response) => {
    underWay.set(response, performance.now())
    lines.get(request.socket)?.begin(request, response)
    response.once('close', close)
  })
  return {
    underWay,
    answering: (socket) => lines.get(socket)?.response,
    leave: (socket) => lines.get(socket)?.leave(),
  }
}

/** Stands between a connection and its parser. */
class Line {
  response: ServerResponse | undefined
  readonly #socket: Socket
  /** Of Node: they give to the parser what comes, and tell it that no more does. */
  readonly #parse: (chunk: Buffer) => void
  readonly #finish: () => void
  /** Whether the parser is of another connection by now, or has given up. */
  #left = false
  #request: IncomingMessage | undefined
  #unanswered = 0
  /** What the parser has not been given yet. */
  #rest: Buffer | undefined
  #ended = false
  #parsing = false
  /** Whether it was this that paused the connection: Node does too, when output or a body finds no reader. */
  #holds = false

  constructor(socket: Socket) {
    this.#socket = socket
    const parse = socket.listeners('data').at(-1)
    const finish = socket.listeners('end').at(-1)
    if (!parse || !finish) throw new Error('the parser does not listen to its connection')
    this.#parse = parse as (chunk: Buffer) => void
    this.#finish = finish as () => void
    socket.off('data', this.#parse)
    socket.off('end', this.#finish)
    socket.on('data', (chunk) => {
      this.#rest = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk
      this.#goOn()
    })
    socket.on('end', () => {
      this.#ended = true
      this.#goOn()
    })
    socket.on('resume', () => this.#goOn())
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request
    this.response = response
    this.#unanswered += 1
  }

  answered(): void {
    this.#unanswered -= 1
    // After the others: what is answered without waiting would else come before all that the loop has for them.
    if (this.#rest || this.#ended) setImmediate(() => this.#goOn())
  }

  leave(): void {
    this.#left = true
  }

  #goOn(): void {
    if (this.#parsing) return
    if (this.#left || this.#socket.destroyed) {
      this.#rest = undefined
      return
    }
    this.#parsing = true
    while (this.#rest && !this.#left && this.#mayParse()) this.#parse(this.#next(this.#rest))
    this.#parsing = false
    // Who sends no more may still wait for an answer; Node would close the connection.
    if (this.#rest || !this.#ended || this.#left || this.#mustWait()) return
    this.#ended = false
    this.#finish.call(this.#socket)
  }

  /** Whether a request came whole and has no answer. The body of a request belongs to it. */
  #mustWait(): boolean {
    return this.#unanswered > 0 && this.#request?.complete === true
  }

  #mayParse(): boolean {
    const socket = this.#socket
    if (this.#mustWait()) {
      if (!socket.isPaused()) {
        this.#holds = true
        socket.pause()
      }
      return false
    }
    if (this.#holds) {
      this.#holds = false
      socket.resume()
    }
    return !socket.isPaused()
  }

  /** Takes from what is left as much as ends the head of one request, at most. */
  #next(rest: Buffer): Buffer {
    const end = rest.indexOf(headEnd, headBytesMin - headEnd.length) + headEnd.length
    const isLast = end < headEnd.length || rest.indexOf(headEnd, end) === -1
    this.#rest = isLast ? undefined : rest.subarray(end)
    return isLast ? rest : rest.subarray(0, end)
  }
}
