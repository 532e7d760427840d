/** Who listens: the endpoints of accounts, as this process knows them, at most five seconds behind the database. */
import { LRUCache } from 'lru-cache'
import type { Audience, Listeners } from '../domain/webhooks/event.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { type Endpoint, findEndpoints } from '../store/webhooks/endpoint.ts'

export interface ListenersParts {
  commit: Commit
  runtime: Pick<Runtime, 'elapsedMs'>
}

/** Milliseconds after which an account is looked up again beside its use, and after which nothing is known of it. */
const freshMs = 2000
const staleMs = 4500
const accountsMax = 10_000

interface Entry {
  readAt: number
  endpoints: Pick<Endpoint, 'mode' | 'types'>[]
}

export interface KnownListeners extends Listeners {
  /** Looks again at the next call: this process has changed the endpoints of the account. */
  forget: (accountId: string) => void
}

export function createListeners({ commit, runtime }: ListenersParts): KnownListeners {
  const entries = new LRUCache<string, Entry>({ max: accountsMax })
  const loading = new Map<string, Promise<Entry>>()
  const find = commit.shareReads<string, Endpoint[]>({ work: findEndpoints })

  const load = (accountId: string): Promise<Entry> => {
    const begun = loading.get(accountId)
    if (begun) return begun
    const readAt = runtime.elapsedMs()
    // Once it is forgotten, it may have been read before: then it is good for those who asked before, and nobody else.
    const isCurrent = () => loading.get(accountId) === loaded
    const loaded: Promise<Entry> = find(accountId)
      .then((rows) => {
        const entry: Entry = { readAt, endpoints: rows.map(({ mode, types }) => ({ mode, types })) }
        if (isCurrent()) entries.set(accountId, entry)
        return entry
      })
      .finally(() => {
        if (isCurrent()) loading.delete(accountId)
      })
    loading.set(accountId, loaded)
    return loaded
  }

  /** Nobody waits for what is looked up behind it. */
  const known = (accountId: string): Entry | undefined => {
    const entry = entries.get(accountId)
    const age = entry ? runtime.elapsedMs() - entry.readAt : Number.POSITIVE_INFINITY
    if (age >= freshMs) load(accountId).catch(() => {})
    return age < staleMs ? entry : undefined
  }

  return {
    mayWant: ({ accountId, mode }, type) => {
      const entry = known(accountId)
      return !entry || entry.endpoints.some((one) => one.mode === mode && (!one.types || one.types.includes(type)))
    },
    isAny: async ({ accountId, mode }: Audience) => {
      const { endpoints } = known(accountId) ?? (await load(accountId))
      return endpoints.some((one) => one.mode === mode)
    },
    forget: (accountId) => {
      entries.delete(accountId)
      loading.delete(accountId)
    },
  }
}
