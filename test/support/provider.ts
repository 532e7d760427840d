/** A provider on this machine that answers, hangs and breaks as it is told to. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** What goes wrong on the way. `flood`: a body without an end. */
export type Trouble = 'gone' | 'hang' | 'hang in the body' | 'reset' | 'reset in the body' | 'flood'

export const troubles: Trouble[] = ['gone', 'hang', 'hang in the body', 'reset', 'reset in the body', 'flood']

/** Only who waits for a provider's answer in vain is to wait a short time: what comes late on a busy machine comes. */
export function isHanging(behaviour: Behaviour): boolean {
  return behaviour === 'hang' || behaviour === 'hang in the body'
}

export interface Asked {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

export type Behaviour = Answer | Trouble | ((asked: Asked) => Answer | Trouble)

export interface Provider {
  url: string
  /** Behaves so from now on. */
  behave: (behaviour: Behaviour) => void
  /** What it was asked so far. */
  asked: Asked[]
  close: () => Promise<void>
}

export async function startProvider(first: Behaviour): Promise<Provider> {
  let behaviour = first
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request).catch(() => Buffer.alloc(0))).toString()
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    asked.push(one)
    const now = typeof behaviour === 'function' ? behaviour(one) : behaviour
    if (typeof now === 'string') makeTrouble(now, response)
    else response.writeHead(now.status, now.headers).end(now.body)
  })
  // As if nobody listened: a port that was let go could be another's.
  server.on('connection', (socket) => {
    if (behaviour === 'gone') socket.resetAndDestroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next) => {
      behaviour = next
      // One that was kept open would hide that it is gone. Any other is left: who asks just then could not tell.
      if (next === 'gone') server.closeIdleConnections()
    },
    asked,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function makeTrouble(trouble: Trouble, response: ServerResponse): void {
  const { socket } = response
  if (trouble === 'reset') socket?.resetAndDestroy()
  if (trouble === 'hang in the body' || trouble === 'reset in the body') {
    response.writeHead(200, { 'Content-Length': '100' }).write('{"id":', () => {
      if (trouble === 'reset in the body') socket?.resetAndDestroy()
    })
  }
  if (trouble === 'flood') {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    }
    response.on('drain', pour)
    pour()
  }
}
