/** A proxy in front of a server, which changes what that one answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Passing {
  method: string
  path: string
  search: URLSearchParams
  /** Of the request; empty where it has none that is JSON. */
  asked: Record<string, unknown>
  /** How many requests for this path were under way together while this one was. */
  abreast: number
  status: number
  headers: Headers
  body: { success: boolean; data: Record<string, unknown> }
}

/** Changes what passes, in place. */
export type Lie = (passing: Passing) => void

export interface LyingProxy {
  url: string
  /** How many requests came. */
  count: () => number
  /** From now on. */
  tell: (lie: Lie) => void
  close: () => Promise<void>
}

/** Truthful until it is told a lie. */
export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const underWay = new Set<Passing>()
  let lie: Lie = () => {}
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    pass(target + request.url, request, underWay)
      .then((passing) => {
        lie(passing)
        write(response, passing)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    tell: (next) => {
      lie = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function pass(url: string, request: IncomingMessage, underWay: Set<Passing>): Promise<Passing> {
  const { method = '', headers } = request
  const body = await text(request)
  const { pathname: path, searchParams: search } = new URL(url)
  const passing: Passing = {
    method,
    path,
    search,
    asked: parsed(body),
    abreast: 1,
    status: 0,
    headers: new Headers(),
    body: { success: false, data: {} },
  }
  underWay.add(passing)
  const sameWay = [...underWay].filter(({ path }) => path === passing.path)
  for (const one of sameWay) one.abreast = Math.max(one.abreast, sameWay.length)
  try {
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers
    const answer = await fetch(url, {
      method,
      headers: kept as Record<string, string>,
      ...(body !== '' && { body }),
    })
    passing.status = answer.status
    passing.headers = new Headers(answer.headers)
    passing.body = (await answer.json()) as Passing['body']
    return passing
  } finally {
    underWay.delete(passing)
  }
}

function write(response: ServerResponse, { status, headers, body }: Passing): void {
  for (const name of ['connection', 'keep-alive', 'content-length']) headers.delete(name)
  response.writeHead(status, Object.fromEntries(headers))
  response.end(JSON.stringify(body))
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
