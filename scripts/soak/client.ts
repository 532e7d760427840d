/** A good client of the API: repeats what came to nothing by the same `Idempotency-Key`, at another server, later and later. */
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { operations } from '../../generated/types.ts'
import type { Calm } from './calm.ts'
import type { Findings } from './findings.ts'
import type { Latencies } from './latency.ts'

type Replies = {
  [Id in keyof operations]: operations[Id]['responses'] extends {
    200: { content: { 'application/json': { data: infer Data } } }
  }
    ? Data
    : never
}
export type Operation = keyof operations

export interface Ask {
  path: string
  /** A GET when left out. */
  body?: object
}

export interface Client {
  /** @returns undefined when nobody could say, again and again, or it is refused: `findings` has what must not be */
  ask: <Id extends Operation>(operation: Id, asked: Ask) => Promise<Replies[Id] | undefined>
  counts: () => Counts
  close: () => Promise<void>
}

export interface Counts {
  /** With all repeats. */
  requests: number
  repeated: number
  /** Without an answer: the connection broke, or could not be made. */
  broken: number
  /** Asked until nobody wanted to wait any more. */
  givenUp: number
  byStatus: Record<string, number>
}

export interface ClientParts {
  urls: readonly string[]
  key: string
  calm: Calm
  latencies: Latencies
  findings: Findings
}

/** For how long something is asked for again and again. */
const patienceMs = 40_000
const [waitMs, waitMaxMs] = [100, 2000]
/** What a client is told to come again for. */
const transient = ['503 service_unavailable', '409 idempotency_in_progress', '429 rate_limited']

interface Answer {
  status: number
  body: { data?: { code?: string } }
}

export function createClient({ urls, key, calm, latencies, findings }: ClientParts): Client {
  const agent = new Agent({ connections: 32, headersTimeout: 20_000, bodyTimeout: 20_000, connect: { timeout: 3000 } })
  const counts: Counts = { requests: 0, repeated: 0, broken: 0, givenUp: 0, byStatus: {} }
  let turn = 0
  const once = async (operation: string, { path, body }: Ask, headers: Record<string, string>) => {
    const startedAt = performance.now()
    counts.requests++
    try {
      const response = await request(`${urls[turn++ % urls.length]}${path}`, {
        ...{ dispatcher: agent, method: body ? 'POST' : 'GET', headers },
        body: body ? JSON.stringify(body) : null,
      })
      const answer: Answer = { status: response.statusCode, body: (await response.body.json()) as Answer['body'] }
      counts.byStatus[answer.status] = (counts.byStatus[answer.status] ?? 0) + 1
      if (answer.status === 200) latencies.note(operation, performance.now() - startedAt, calm.since(startedAt))
      return answer
    } catch {
      counts.broken++
      return undefined
    }
  }
  const ask: Client['ask'] = async (operation, asked) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(asked.body && { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() }),
    }
    const until = performance.now() + patienceMs
    for (let pauseMs = waitMs; performance.now() < until; pauseMs = Math.min(pauseMs * 2, waitMaxMs)) {
      const answer = await once(operation, asked, headers)
      if (answer?.status === 200) return answer.body.data as never
      const told = answer && `${answer.status} ${answer.body.data?.code}`
      if (told && !transient.includes(told)) {
        findings.add(`${operation} was answered ${told}`, JSON.stringify(asked) + JSON.stringify(answer.body))
        return undefined
      }
      counts.repeated++
      await wait(pauseMs)
    }
    counts.givenUp++
    return undefined
  }
  return { ask, counts: () => counts, close: () => agent.destroy() }
}
