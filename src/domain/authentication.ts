/** Whose key a caller presents. A key that is in use is known; one that nobody knows costs the database next to nothing. */
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKeysByHash, type KnownKey, touchApiKey } from '../store/apiKey.ts'
import type { Commit } from '../store/commit.ts'
import type { Mode } from '../store/schema.ts'
import { hashOf, isWellFormed } from './keyText.ts'

/** Milliseconds that an answer of the database is taken for true: a revocation is seen by every process within 5 seconds. */
const trueMs = 4000
/** Keys that are remembered; as many again of those that there are not, so that the one cannot push out the other. */
const rememberedMax = 10_000
/** Milliseconds between two writes of a key's last use. */
const touchMs = 60_000

interface Known {
  key: KnownKey
  caller: Caller
  readAt: number
  touchedAt: number
}

/** Who makes a request. */
export interface Caller {
  accountId: string
  keyId: string
  mode: Mode
  scopes: readonly string[]
}

export interface Authentication {
  /**
   * @param presented the key as the caller sent it
   * @returns at once for a key that was read a moment ago
   * @throws Problem `invalid_api_key`, `revoked_api_key`, `expired_api_key`
   */
  authenticate: (presented: string) => Caller | Promise<Caller>
  /** Reads every key anew. */
  forget: () => void
}

export function createAuthentication({ commit, runtime }: { commit: Commit; runtime: Runtime }): Authentication {
  const known = new LRUCache<string, Known>({ max: rememberedMax })
  /** When the database said so. */
  const unknown = new LRUCache<string, number>({ max: rememberedMax })
  // By a clock that nobody sets.
  const isTrue = (readAt: number) => runtime.elapsedMs() - readAt < trueMs
  // Those of a moment are asked for in one statement.
  const find = commit.shareReads<string, KnownKey | undefined>({ work: findApiKeysByHash })

  return {
    authenticate: (presented) => {
      const hash = hashOf(presented)
      const found = known.get(hash)
      if (found && isTrue(found.readAt)) return admit(found)
      if (isTrue(unknown.get(hash) ?? -Infinity) || !isWellFormed(presented)) throw new Problem('invalid_api_key')
      return lookUp(hash)
    },
    forget: () => {
      known.clear()
      unknown.clear()
    },
  }

  async function lookUp(hash: string): Promise<Caller> {
    const readAt = runtime.elapsedMs()
    const key = await find(hash)
    if (!key) {
      known.delete(hash)
      unknown.set(hash, readAt)
      throw new Problem('invalid_api_key')
    }
    const { accountId, id: keyId, mode, scopes } = key
    const touchedAt = known.get(hash)?.touchedAt ?? key.lastUsedAt?.getTime() ?? 0
    const entry = { key, caller: { accountId, keyId, mode, scopes }, readAt, touchedAt }
    known.set(hash, entry)
    return admit(entry)
  }

  function admit(entry: Known): Caller {
    const { key, caller } = entry
    const now = runtime.now().getTime()
    // Whatever this process's clock says of the moment: revoked is revoked.
    if (key.revokedAt) throw new Problem('revoked_api_key')
    // A time that is none, is past.
    if (key.expiresAt && !(key.expiresAt.getTime() > now)) throw new Problem('expired_api_key')
    if (now - entry.touchedAt >= touchMs) {
      entry.touchedAt = now
      touch(caller, now)
    }
    return caller
  }

  /** Beside the request: that it fails is no reason to refuse the caller. */
  function touch({ accountId, keyId: id }: Caller, now: number): void {
    commit
      .transaction((tx) => touchApiKey(tx, { accountId, id }, new Date(now), new Date(now - touchMs)))
      .catch((error: unknown) => runtime.log.warn({ err: error, key_id: id }, 'could not write the last use of a key'))
  }
}
