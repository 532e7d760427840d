/** A customer's endpoint: takes events, and now and then does not. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Findings } from './findings.ts'

export type Mood = 'well' | 'fails' | 'hangs' | 'slow'

export interface Receiver {
  url: string
  /** Signs what comes, as soon as it is known. */
  expect: (secret: string) => void
  behave: (mood: Mood) => void
  /** The ids of all that was taken. */
  taken: ReadonlySet<string>
  close: () => Promise<void>
}

/** Longer than anybody waits, and within that time. */
const delaysMs: Record<Mood, number> = { well: 0, fails: 0, slow: 1500, hangs: 30_000 }

export async function startReceiver(findings: Findings): Promise<Receiver> {
  const taken = new Set<string>()
  let mood: Mood = 'well'
  let webhook: Webhook | undefined
  const take = (headers: Record<string, string>, body: string) => {
    try {
      webhook?.verify(body, headers)
    } catch (error) {
      findings.add('an event whose signature does not match', String(error))
    }
    taken.add(headers['webhook-id'] ?? '')
  }
  const answer = (response: ServerResponse, status: number) => response.writeHead(status).end()
  const server = createServer(async (request, response) => {
    const now = mood
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    // Where it hangs, it has it, and the sender does not know.
    if (now !== 'fails') take(request.headers as Record<string, string>, body)
    const timer = setTimeout(answer, delaysMs[now], response, now === 'fails' ? 500 : 204)
    response.on('close', () => clearTimeout(timer))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    expect: (secret) => {
      webhook = new Webhook(secret)
    },
    behave: (next) => {
      mood = next
    },
    taken,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
