/** People who look at the dashboard all the time: page after page, and on each what changes by itself. */
import { setTimeout as wait } from 'node:timers/promises'
import { visitorWith } from '../../test/support/visitor.ts'
import type { Calm } from './calm.ts'
import type { Findings } from './findings.ts'
import type { Latencies } from './latency.ts'

export interface Dashboards {
  counts: () => { pages: number; parts: number; missed: number }
  stop: () => Promise<void>
}

export interface DashboardParts {
  /** For one person each: where the dashboard is that he looks at. */
  urls: readonly string[]
  /** Of an invitation that anybody may use. */
  token: string
  /** A message that there is. */
  recentId: () => string | undefined
  calm: Calm
  latencies: Latencies
  findings: Findings
}

/** What the latency of a page is noted as. */
export const page = 'a page of the dashboard'
/** Milliseconds on a page. */
const stayMs = 15_000
const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }
const pages = [
  ...['/', '/messages', '/webhooks', '/messages?status=failed', '/channels', '/templates', '/people', '/audit'],
  ...['/keys', '/profile', '/sandbox'],
]

/** One person is invited, and signs in as often as there are dashboards. */
export async function openDashboards(parts: DashboardParts): Promise<Dashboards> {
  const counts = { pages: 0, parts: 0, missed: 0 }
  const stopping = new AbortController()
  const [first] = parts.urls
  if (first !== undefined) await join(first, parts.token)
  const people = await Promise.all(parts.urls.map((url, index) => open(url, index)))

  async function open(url: string, index: number): Promise<() => Promise<void>> {
    const visitor = visitorWith({ dashboardUrl: url }, '')
    const { email, password } = person
    const { status } = await visitor.post('/sign-in', { email, password })
    if (status !== 303) throw new Error(`Nobody can sign in to the dashboard: ${status}`)
    const look = lookWith(visitor.get, parts, counts)
    return async () => {
      for (let turn = index; !stopping.signal.aborted; turn++) {
        const id = parts.recentId()
        const path = turn % 4 === 3 && id !== undefined ? `/messages/${id}` : pages[turn % pages.length]!
        await stay(path, look, stopping.signal)
      }
    }
  }
  const all = Promise.all(people.map((look) => look()))
  // It comes out of `stop`.
  all.catch(() => {})
  return {
    counts: () => counts,
    stop: async () => {
      stopping.abort()
      await all
    },
  }
}

async function join(url: string, token: string): Promise<void> {
  const { status, text } = await visitorWith({ dashboardUrl: url }, '').post('/invitation/claim', { token, ...person })
  if (status !== 303) throw new Error(`Nobody can join: ${status} ${text.slice(0, 500)}`)
}

type Look = (path: string, part?: string) => Promise<string | undefined>

/** @returns what gets a page or a part of one; undefined when that was not to be had */
function lookWith(
  get: (path: string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>,
  { calm, latencies, findings }: DashboardParts,
  counts: ReturnType<Dashboards['counts']>,
): Look {
  return async (path, part) => {
    const startedAt = performance.now()
    const seen = await get(path, part === undefined ? {} : { 'X-Part': part }).catch((error: Error) => ({
      status: 0,
      text: String(error.cause ?? error),
    }))
    const isCalm = calm.since(startedAt)
    if (seen.status === 200) {
      counts[part === undefined ? 'pages' : 'parts']++
      latencies.note(page, performance.now() - startedAt, isCalm)
      return seen.text
    }
    counts.missed++
    // While the database is away, nobody can tell who is signed in; but nobody is signed out by that.
    if (isCalm || (seen.status !== 0 && seen.status < 500)) {
      findings.add(`a page of the dashboard was answered ${seen.status}`, `${path} ${seen.text}`)
    }
    return undefined
  }
}

/** As the script of the pages does it. */
async function stay(path: string, look: Look, signal: AbortSignal): Promise<void> {
  const until = performance.now() + stayMs
  const text = await look(path)
  const parts = Array.from(liveParts(text ?? ''))
  const refresh = async (id: string, seconds: number) => {
    for (let again = true; again; ) {
      if (performance.now() + seconds * 1000 > until) return
      await wait(seconds * 1000, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const now = await look(path, id)
      again = now === undefined || liveParts(now).has(id)
    }
  }
  await Promise.all(parts.map(([id, seconds]) => refresh(id, seconds)))
  await wait(Math.max(0, until - performance.now()), undefined, { signal }).catch(() => {})
}

/** By id: every how many seconds it is to be asked for again. */
function liveParts(text: string): Map<string, number> {
  const tags = text.match(/<[a-z]+ [^>]*data-live="\d+"[^>]*>/g) ?? []
  return new Map(
    tags.flatMap((tag): [string, number][] => {
      const [id, seconds] = [/ id="([^"]+)"/.exec(tag)?.[1], /data-live="(\d+)"/.exec(tag)?.[1]]
      return id === undefined ? [] : [[id, Number(seconds)]]
    }),
  )
}
