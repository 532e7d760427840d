/** Whose key a caller presents. A key that is in use is known; one that is unknown costs the database next to nothing. */
import { Problem } from '../../kit/problem.ts'
import { createRemembered, type Remembered } from '../../kit/remembered.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { findApiKeysByHash, type KnownKey, listApiKeyHashes, markOf, touchApiKey } from '../../store/access/apiKey.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { hashOf, isWellFormed } from './keyText.ts'

/** The keys of an account together, in each mode, have the rate of so many keys: more keys alone give an account no more. */
export const accountKeys = 20

/** Keys that are remembered. */
const rememberedMax = 10_000
/** Milliseconds that a list of all keys is used, while somebody presents too many that nobody has. */
const listMs = 2000
/** Keys on that list, those in use first: it is read in some milliseconds. */
const listedMax = 100_000
/** Milliseconds between two writes of a key's last use. */
const touchMs = 60_000
const dayMs = 24 * 3600 * 1000

const tooManyUnknown = 'Too many requests with unknown API keys from this address. Check the key and try again later.'

/** Made once, as it costs nothing to send. */
const malformed = new Problem('invalid_api_key', {
  message:
    'This is not an API key, or not the whole of one. Send it as it was shown: without quotes, brackets or other characters.',
})

interface Known {
  key: KnownKey
  caller: Caller
  use: Use
}

/** How a key was used since that was written last. */
interface Use {
  writtenAt: number
  /** The days since 1970, in UTC, that `count` is of. */
  day: number
  count: number
}

/** Who makes a request. */
export interface Caller {
  accountId: string
  keyId: string
  mode: Mode
  scopes: readonly string[]
}

/** Counts the unknown keys, by the address that they come from. */
export interface Strangers {
  /** Whether so many came from there that no more are asked for. */
  tooMany: (address: string) => Promise<boolean>
  count: (address: string) => void
}

export interface Authentication {
  /**
   * A key that is known is let in from wherever it comes. Where too many came that nobody has, the database is asked only
   * for those that are on a list of all keys, which is read every 2 seconds then.
   *
   * @param presented the key as the caller sent it
   * @param address where it comes from; nothing is counted when left out
   * @returns at once for a key that was read a moment ago
   * @throws Problem `invalid_api_key`, `revoked_api_key`, `expired_api_key`, `rate_limited`
   */
  authenticate: (presented: string, address?: string) => Caller | Promise<Caller>
  /** Reads every key again. */
  forget: () => void
}

export interface AuthenticationParts {
  commit: Commit
  runtime: Runtime
  /** Left out, unknown keys are not counted. */
  strangers?: Strangers | undefined
}

export function createAuthentication({ commit, runtime, strangers }: AuthenticationParts): Authentication {
  const keys = createKeys({ commit, runtime })
  const isListed = createListing({ commit, runtime })

  return {
    authenticate: (presented, address) => {
      const hash = hashOf(presented)
      const recent = keys.recent(hash)
      if (recent?.value) return admit(recent.value, address)
      if (!recent && !isWellFormed(presented)) throw malformed
      if (recent) throw new Problem('invalid_api_key')
      return meet(hash, address)
    },
    forget: () => keys.forget(),
  }

  async function meet(hash: string, address: string | undefined): Promise<Caller> {
    const isUnheard = keys.last(hash) === undefined && !keys.reading.has(hash)
    const isStranger = isUnheard && address !== undefined && strangers !== undefined
    if (isStranger && (await strangers.tooMany(address)) && !(await isListed(hash))) {
      throw new Problem('rate_limited', { message: tooManyUnknown, retryAfterSeconds: listMs / 1000 })
    }
    const known = await keys.read(hash)
    if (known) return admit(known, address)
    if (isStranger) strangers.count(address)
    throw new Problem('invalid_api_key')
  }

  function admit({ key, caller, use }: Known, address: string | undefined): Caller {
    const now = runtime.now().getTime()
    // Whatever this process's clock says of the moment: revoked is revoked.
    if (key.revokedAt) throw new Problem('revoked_api_key')
    // A time that is none, is past.
    if (key.expiresAt && !(key.expiresAt.getTime() > now)) throw new Problem('expired_api_key')
    const day = Math.floor(now / dayMs)
    // What was counted of another day is no part of this one's.
    if (use.day !== day) use.count = 0
    use.day = day
    use.count += 1
    if (now - use.writtenAt >= touchMs) touch(caller, use, address, now)
    return caller
  }

  /** Beside the request: that it fails is no reason to refuse the caller. */
  function touch({ accountId, keyId: id }: Caller, use: Use, address: string | undefined, now: number): void {
    const written = { at: new Date(now), from: address?.replace(/^::ffff:/, ''), count: use.count }
    use.writtenAt = now
    use.count = 0
    commit
      .transaction((tx) => touchApiKey(tx, { accountId, id }, written))
      .catch((error: unknown) => runtime.log.warn({ err: error, key_id: id }, 'could not save the last use of a key'))
  }
}

/** What the database has said of keys, by their hashes. */
function createKeys({ commit, runtime }: Pick<AuthenticationParts, 'commit' | 'runtime'>): Remembered<Known> {
  // Those of a moment are asked for in one statement. Those that were good before do not wait behind those of strangers.
  const question = { work: findApiKeysByHash }
  const find = commit.shareReads<string, KnownKey | undefined>(question)
  const findAgain = commit.shareReads<string, KnownKey | undefined>(question)
  return createRemembered<KnownKey | undefined, Known>({
    now: runtime.elapsedMs,
    keysMax: rememberedMax,
    read: (hash, last) => (last ? findAgain : find)(hash),
    keep: (key, _hash, last) => {
      if (!key) return undefined
      const { accountId, id: keyId, mode, scopes } = key
      // What was counted of its use, and is not written yet, stays.
      const use = last?.use ?? { writtenAt: key.lastUsedAt?.getTime() ?? 0, day: 0, count: 0 }
      return { key, caller: { accountId, keyId, mode, scopes }, use }
    },
  })
}

/** @returns whether a key is among all there are, those of the last seconds left out */
function createListing({ commit, runtime }: Pick<AuthenticationParts, 'commit' | 'runtime'>) {
  const list = commit.shareReads<undefined, Set<string>>({
    work: async (reader, drafts) => {
      const marks = await listApiKeyHashes(reader, listedMax)
      return drafts.map(() => marks)
    },
  })
  const listed = createRemembered<Set<string>, Set<string>>({
    now: runtime.elapsedMs,
    keysMax: 1,
    staleMs: listMs,
    read: () => list(undefined),
    keep: (marks) => marks,
  })
  return async (hash: string): Promise<boolean> => (await listed.get('all'))?.has(markOf(hash)) ?? false
}
