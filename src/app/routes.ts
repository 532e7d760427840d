/** Which connections messages take that are not made by a request. */
import type { Kinds } from '../delivery/channel.ts'
import { firstConnection } from '../delivery/channels/kinds.ts'
import { createFindRoute } from '../delivery/route.ts'
import { forTestKeysOnly } from '../domain/channels/liveUse.ts'
import type { FindRoute } from '../domain/sending/route.ts'
import type { Config } from '../settings/config.ts'
import { findConnections } from '../store/channels/connection.ts'
import type { Commit } from '../store/engine/commit.ts'

export interface RoutesParts {
  commit: Pick<Commit, 'reader'>
  kinds: Kinds
  sandboxLive: boolean
}

/** The routes of an account as its connections are now. */
export function toRoutes({ commit, kinds, sandboxLive }: RoutesParts): (accountId: string) => Promise<FindRoute> {
  return async (accountId) => {
    const [rows = []] = await findConnections(commit.reader, [accountId])
    const forTests = forTestKeysOnly(rows, { kinds, sandboxLive })
    const list = rows.map((row) => {
      const countries = row.countries ? new Set(row.countries) : undefined
      return { id: row.id, kind: row.kind, countries, isForTestKeys: forTests.has(row) }
    })
    return createFindRoute({ ofAccount: async () => list, kinds, forTests: firstConnection })
  }
}

/** What administers takes of the settings. */
export function adminSettingsOf({ countriesAllowed: countries, phonePrefixesAllowed: prefixes, ...config }: Config) {
  return { publicUrl: config.publicUrl, sandboxLive: config.sandboxLive, phones: { countries, prefixes } }
}
