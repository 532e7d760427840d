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
  /** A refusal that is all right, as `404 message_not_found`. */
  mayBe?: string
}

export interface Client {
  /** @returns null for the refusal that `mayBe` names; undefined without an answer in time, and for others, which are findings */
  ask: <Id extends Operation>(operation: Id, asked: Ask) => Promise<Replies[Id] | null | undefined>
  /** Posts a code to the inlet, as an auth system does. @returns whether it was accepted; a refusal is a finding */
  post: (code: { phone: string; code: string; key: string }) => Promise<boolean>
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
  inlet: { path: string; secret: string }
  calm: Calm
  latencies: Latencies
  findings: Findings
}

/** For how long something is asked for again and again. */
const patienceMs = 40_000
const [waitMs, waitMaxMs] = [100, 2000]
/** What a client is told to come again for. */
const transient = ['503 service_unavailable', '409 idempotency_in_progress', '429 rate_limited']

const json = { 'Content-Type': 'application/json' }

interface Answer {
  status: number
  body: { data?: { code?: string } }
}

export function createClient({ urls, key, inlet, calm, latencies, findings }: ClientParts): Client {
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
  const again = async (
    operation: string,
    asked: Ask,
    headers: Record<string, string>,
  ): Promise<Answer | null | undefined> => {
    const until = performance.now() + patienceMs
    for (let pauseMs = waitMs; performance.now() < until; pauseMs = Math.min(pauseMs * 2, waitMaxMs)) {
      const answer = await once(operation, asked, headers)
      if (answer?.status === 200) return answer
      const told = answer && `${answer.status} ${answer.body.data?.code}`
      if (told && told === asked.mayBe) return null
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
  return {
    ask: async (operation, asked) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        ...(asked.body && { ...json, 'Idempotency-Key': crypto.randomUUID() }),
      }
      const answer = await again(operation, asked, headers)
      return answer && (answer.body.data as never)
    },
    post: async (body) => {
      const headers = { Authorization: `Bearer ${inlet.secret}`, ...json }
      return Boolean(await again('post to the inlet', { path: inlet.path, body }, headers))
    },
    counts: () => counts,
    close: () => agent.destroy(),
  }
}
