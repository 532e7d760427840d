/** Brings reports to the service, and repeats what was not answered 200: a few times, ever more slowly. */
import { Agent, request } from 'undici'
import type { Journal } from './journal.ts'
import type { Pending } from './pending.ts'

export interface Post {
  headers: Record<string, string>
  body: string
  /** POST when left out. A GET has no body. */
  method?: 'GET' | 'POST'
  /** In place of the one that is posted to: what a GET says is in it. */
  url?: string
}

/** The status of the last answer, or why there was none. */
export type Posted = { answered: number } | { reason: string }

export interface PosterParts {
  /** Times that a report is posted at most. */
  attemptsMax: number
  /** Milliseconds before the second time; twice as many before each next one. */
  retryMs: number
  /** Posts to one address that are under way at once. */
  atOnceMax: number
  pending: Pending
  journal: Journal
}

/** Neither asks nor posts ever throw. */
export interface Poster {
  /** @param make called for each try, because a signature may hold the time; it may throw where the address is none */
  post: (url: string, make: () => Post, attemptsMax?: number) => Promise<Posted>
  get: (url: string) => Promise<{ answered: number; text: string } | { reason: string }>
  /** `posts`: every try; `waiting`: reports that are under way, or wait for their next try. */
  counts: Readonly<Record<'posts' | 'accepted' | 'refused' | 'unreachable' | 'given_up' | 'waiting', number>>
  close: () => Promise<void>
}

const retryMsMax = 30_000
const timeouts = { connect: { timeout: 3000 }, headersTimeout: 10_000, bodyTimeout: 10_000, keepAliveTimeout: 30_000 }
const ownHeaders = { 'User-Agent': 'watchword-simulator/1.0' }

export function createPoster({ attemptsMax: standard, retryMs, atOnceMax, pending, journal }: PosterParts): Poster {
  const dispatcher = new Agent({ ...timeouts, connections: atOnceMax })
  const counts = { posts: 0, accepted: 0, refused: 0, unreachable: 0, given_up: 0, waiting: 0 }

  return {
    post: async (url, make, attemptsMax = standard) => {
      counts.waiting++
      try {
        for (let attempt = 1; ; attempt++) {
          const posted = await once(url, make)
          if ('answered' in posted && posted.answered === 200) return posted
          const waitMs = Math.min(retryMsMax, retryMs * 2 ** (attempt - 1))
          if (attempt < attemptsMax && (await pending.wait(waitMs))) continue
          if (attemptsMax > 1) counts.given_up++
          return posted
        }
      } finally {
        counts.waiting--
      }
    },
    get: async (url) => {
      try {
        const { statusCode, body } = await request(url, { dispatcher, headers: ownHeaders })
        return { answered: statusCode, text: (await body.text()).slice(0, 1000) }
      } catch (error) {
        return { reason: toReason(error) }
      }
    },
    counts,
    close: () => dispatcher.destroy(),
  }

  async function once(url: string, make: () => Post): Promise<Posted> {
    counts.posts++
    try {
      const { headers, body, method = 'POST', url: asked = url } = make()
      const sent =
        method === 'GET'
          ? { method, headers: { ...ownHeaders, ...headers } }
          : { method, headers: { ...ownHeaders, 'Content-Type': 'application/json', ...headers }, body }
      const response = await request(asked, { dispatcher, ...sent })
      await response.body.dump()
      const answered = response.statusCode
      counts[answered === 200 ? 'accepted' : 'refused']++
      if (answered !== 200) journal.note('report', `${url} answered ${answered} to a report`)
      return { answered }
    } catch (error) {
      counts.unreachable++
      journal.note('report', `${url} did not answer a report: ${toReason(error)}`)
      return { reason: toReason(error) }
    }
  }
}

function toReason(error: unknown): string {
  const { code = 'no code' } = error as { code?: unknown }
  return reasons[String(code)] ?? `the connection failed (${code})`
}

const late = 'it took too long'
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  ERR_INVALID_URL: 'the address is not a URL',
}
