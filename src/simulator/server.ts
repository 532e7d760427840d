/** The port: takes requests apart, and gives their answers the fate that they have. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HostedRequest } from '../http/host.ts'
import type { Fate } from './faults.ts'
import type { Pending } from './pending.ts'
import type { Incoming, Reply } from './reply.ts'

export interface ServerParts {
  answer: (incoming: Incoming) => Reply | Promise<Reply>
  /** Whether a request was meant for this machine, and not brought here by a page of another site. */
  isForUs: (request: HostedRequest) => boolean
  /** Milliseconds that an answer is held back, whatever it is. */
  heldMs: (incoming: Incoming) => number
  /** Milliseconds that the fate `slow` takes. */
  slowMs: number
  pending: Pending
}

const bodyBytesMax = 1024 * 1024
/** Milliseconds after which nobody waits any more for an answer that does not come. */
const hangMs = 120_000

export function createSimulatorServer(parts: ServerParts): Server {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    serve(parts, request, response).catch(() => response.destroy())
  })
  server.setTimeout(hangMs)
  return server
}

/** @returns the port. @throws what the system says of the address */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

async function serve(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { answer, isForUs, heldMs, slowMs, pending } = parts
  if (!isForUs(request)) {
    request.resume()
    return write(response, { status: 421, value: { error: 'The simulator answers to the names of its own machine.' } })
  }
  const body = await readBody(request)
  if (body === undefined) return write(response, { status: 413, value: { error: 'too large' } })
  const incoming = toIncoming(request, body)
  const reply = await answer(incoming)
  if (reply.after) response.once('close', reply.after)
  await reply.before?.()
  const ms = heldMs(incoming) + (reply.fate === 'slow' ? slowMs : 0)
  // It goes on at the end too, if only to see that nobody is there.
  if (ms > 0) await pending.wait(ms)
  write(response, reply)
}

function toIncoming({ method = '', url = '', headers }: IncomingMessage, body: string): Incoming {
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  return { method, path, query: new URLSearchParams(question === -1 ? '' : url.slice(question)), headers, body }
}

/** @returns undefined for one that is too large */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= bodyBytesMax) chunks.push(chunk)
      else resolve(undefined)
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('the request ended in its body'))
    })
  })
}

const failurePage =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>'

/** What is told of an answer that does not arrive as it is. */
const fates: Record<Exclude<Fate, 'slow'>, (response: ServerResponse, text: string) => void> = {
  hangs: () => {},
  resets: ({ socket }) => void socket?.resetAndDestroy(),
  page: (response) => send(response, 500, { 'Content-Type': 'text/html; charset=utf-8' }, failurePage),
  broken: (response, text) =>
    send(response, 200, { 'Content-Type': 'application/json' }, text.slice(0, Math.ceil(text.length / 2))),
}

function write(response: ServerResponse, { status, headers, value, text, fate, open }: Reply): void {
  if (response.destroyed) return
  const body = text ?? JSON.stringify(value) ?? ''
  if (open) open(response)
  else if (fate !== undefined && fate !== 'slow') fates[fate](response, body)
  else send(response, status, { 'Content-Type': 'application/json', ...headers }, body)
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  const length = { 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, {
    ...length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
