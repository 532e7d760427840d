/** Who listens: the endpoints of accounts, as this process knows them, at most five seconds behind the database. */
import type { Audience, FindEndpoints } from '../domain/webhooks/event.ts'
import { createRemembered } from '../kit/remembered.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { type Endpoint, findEndpoints } from '../store/webhooks/endpoint.ts'

export interface KnownEndpointsParts {
  commit: Commit
  runtime: Pick<Runtime, 'elapsedMs'>
}

const accountsMax = 10_000

type Listening = Pick<Endpoint, 'mode' | 'types'>[]

export interface KnownEndpoints extends FindEndpoints {
  /** Looks again at the next call: this process has changed the endpoints of the account. */
  forget: (accountId: string) => void
}

export function createKnownEndpoints({ commit, runtime }: KnownEndpointsParts): KnownEndpoints {
  const accounts = createRemembered<Endpoint[], Listening>({
    now: runtime.elapsedMs,
    keysMax: accountsMax,
    read: commit.shareReads<string, Endpoint[]>({ work: findEndpoints }),
    keep: (rows) => rows.map(({ mode, types }) => ({ mode, types })),
  })
  return {
    mayWant: ({ accountId, mode }, type) => {
      const endpoints = accounts.recent(accountId)?.value
      // It is not awaited.
      if (!endpoints) accounts.read(accountId).catch(() => {})
      return endpoints?.some((one) => one.mode === mode && (!one.types || one.types.includes(type))) ?? true
    },
    isAny: async ({ accountId, mode }: Audience) => {
      const endpoints = (await accounts.get(accountId)) ?? []
      return endpoints.some((one) => one.mode === mode)
    },
    forget: accounts.forget,
  }
}
