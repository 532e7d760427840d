/** A receiver of events on this machine: takes what comes, and says whether it is signed as it should be. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LRUCache } from 'lru-cache'
import { verifySignature } from '../outbound/signature.ts'

export interface ReceivedEvent {
  at: Date
  /** As its header says it. */
  id: string | undefined
  /** Why it may not be believed; undefined when it is signed with one of the secrets. */
  fault: string | undefined
  /** Whether one with that id has come before. */
  isRepeat: boolean
  body: string
}

export interface ReceiverParts {
  /** 0 takes a free one. */
  port: number
  /** Without any, nothing can be verified, and everything is taken. */
  secrets: readonly string[]
  onEvent: (event: ReceivedEvent) => void
  now?: () => Date
}

export interface Receiver {
  url: string
  close: () => Promise<void>
}

const bodyBytesMax = 64 * 1024
const idsMax = 10_000

/** @throws what the system says of the port */
export async function startReceiver({
  port,
  secrets,
  onEvent,
  now = () => new Date(),
}: ReceiverParts): Promise<Receiver> {
  const seen = new LRUCache<string, true>({ max: idsMax })

  const take = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'POST') return 405
    const body = await readBody(request)
    if (body === undefined) return 413
    const at = now()
    const id = readHeader(request.headers, 'webhook-id')
    const fault =
      secrets.length > 0 ? findFault(request.headers, body, secrets, at) : 'no --secret was given to verify it with'
    const isRepeat = id !== undefined && seen.has(id)
    if (id !== undefined) seen.set(id, true)
    onEvent({ at, id, fault, isRepeat, body: body.toString() })
    return fault === undefined || secrets.length === 0 ? 204 : 401
  }

  const server = createServer((request, response) => {
    take(request).then(
      (status) => {
        // What is not read would be in the way of the next request.
        if (!request.complete) response.setHeader('Connection', 'close')
        response.writeHead(status).end()
      },
      () => response.destroy(),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** @returns undefined for one that is too large */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** What is wrong with the signature of an event, as far as it can be told; undefined when it is good. */
function findFault(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): string | undefined {
  const missing = names.find((name) => readHeader(headers, name) === undefined)
  if (missing !== undefined) return `it has no ${missing}`
  const given = Object.fromEntries(names.map((name) => [name, readHeader(headers, name)]))
  if (verifySignature(given, body, secrets, now)) return undefined
  const signedAt = new Date(Number(given['webhook-timestamp']) * 1000)
  if (!verifySignature(given, body, secrets, signedAt)) return 'its signature does not match the secret'
  const seconds = Math.round(Math.abs(now.getTime() - signedAt.getTime()) / 1000)
  return `it was signed ${seconds} seconds ${signedAt < now ? 'ago' : 'ahead of the clock of this machine'}`
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
