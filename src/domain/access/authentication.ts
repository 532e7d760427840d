/** Whose key a caller presents. A key that is in use is known; one that nobody knows costs the database next to nothing. */
import { LRUCache } from 'lru-cache'
import { Problem } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { findApiKeysByHash, type KnownKey, listApiKeyHashes, markOf, touchApiKey } from '../../store/access/apiKey.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { hashOf, isWellFormed } from './keyText.ts'

/** Milliseconds that an answer of the database is taken for true: a revocation is seen by every process within 5 seconds. */
const trueMs = 4000
/** After so many it is read again beside the request that brings it: only a key that was idle for longer keeps its caller waiting. */
const freshMs = 2000

/** Keys that are remembered; as many again of those that there are not, so that the one cannot push out the other. */
const rememberedMax = 10_000
/** Milliseconds that a list of all keys is used, while somebody presents too many that nobody has. */
const listMs = 2000
/** Keys on that list, those in use first: it is read in some milliseconds. */
const listedMax = 100_000
/** Milliseconds between two writes of a key's last use. */
const touchMs = 60_000
const dayMs = 24 * 3600 * 1000

const tooManyUnknown = 'Too many keys that nobody has came from this address. Look at the key, and ask more slowly.'

interface Known {
  key: KnownKey
  caller: Caller
  readAt: number
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

/** Counts the keys that nobody has, by the address that they come from. */
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
  /** Reads every key anew. */
  forget: () => void
}

export interface AuthenticationParts {
  commit: Commit
  runtime: Runtime
  /** Left out, keys that nobody has are not counted. */
  strangers?: Strangers | undefined
}

export function createAuthentication({ commit, runtime, strangers }: AuthenticationParts): Authentication {
  const keys = createKeys({ commit, runtime })
  const isYoung = (readAt: number) => runtime.elapsedMs() - readAt < listMs
  const isListed = createListing({ commit, isYoung, now: runtime.elapsedMs })

  return {
    authenticate: (presented, address) => {
      const hash = hashOf(presented)
      const { found, ageMs } = keys.remembered(hash)
      const isTrue = ageMs < trueMs
      // Where it fails, whoever comes when this is too old is told why.
      if (found && ageMs >= freshMs) keys.ask(hash).catch(() => {})
      if (found && isTrue) return admit(found, address)
      if (isTrue || !isWellFormed(presented)) throw new Problem('invalid_api_key')
      return meet(hash, address, found !== undefined)
    },
    forget: keys.forget,
  }

  async function meet(hash: string, address: string | undefined, wasKnown: boolean): Promise<Caller> {
    const isStranger = !wasKnown && address !== undefined && strangers !== undefined && !keys.isAsked(hash)
    if (isStranger && (await strangers.tooMany(address)) && !(await isListed(hash))) {
      throw new Problem('rate_limited', { message: tooManyUnknown, retryAfterSeconds: listMs / 1000 })
    }
    const entry = await keys.ask(hash)
    if (entry) return admit(entry, address)
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
function createKeys({ commit, runtime }: Pick<AuthenticationParts, 'commit' | 'runtime'>) {
  const known = new LRUCache<string, Known>({ max: rememberedMax })
  /** When it said that there is no such key. */
  const unknown = new LRUCache<string, number>({ max: rememberedMax })
  // Those of a moment are asked for in one statement. Those that were good before do not wait behind those of strangers.
  const question = { work: findApiKeysByHash }
  const find = commit.shareReads<string, KnownKey | undefined>(question)
  const findAgain = commit.shareReads<string, KnownKey | undefined>(question)
  /** What is being asked for. */
  const asked = new Map<string, Promise<Known | undefined>>()
  /** How often all was forgotten. */
  let generation = 0

  const read = async (hash: string): Promise<Known | undefined> => {
    const readAt = runtime.elapsedMs()
    const begunIn = generation
    const before = known.get(hash)
    const key = await (before ? findAgain : find)(hash)
    // It may say what was so before: good for those who asked then, and not to be remembered.
    const isOld = begunIn !== generation
    if (!key) {
      if (isOld) return undefined
      known.delete(hash)
      unknown.set(hash, readAt)
      return undefined
    }
    const { accountId, id: keyId, mode, scopes } = key
    const use = before?.use ?? { writtenAt: key.lastUsedAt?.getTime() ?? 0, day: 0, count: 0 }
    const entry = { key, caller: { accountId, keyId, mode, scopes }, readAt, use }
    if (!isOld) known.set(hash, entry)
    return entry
  }

  const begin = (hash: string): Promise<Known | undefined> => {
    const asking = read(hash).finally(() => {
      if (asked.get(hash) === asking) asked.delete(hash)
    })
    asked.set(hash, asking)
    return asking
  }

  return {
    /** The key, if there was one, and how long ago the database said so, by a clock that nobody sets. */
    remembered: (hash: string): { found: Known | undefined; ageMs: number } => {
      const found = known.get(hash)
      return { found, ageMs: runtime.elapsedMs() - (found?.readAt ?? unknown.get(hash) ?? -Infinity) }
    },
    isAsked: (hash: string) => asked.has(hash),
    /** Once, for all that present it at the same time. */
    ask: (hash: string): Promise<Known | undefined> => asked.get(hash) ?? begin(hash),
    forget: () => {
      generation += 1
      // What was counted of their uses, and is not written yet, stays.
      for (const entry of known.values()) entry.readAt = -Infinity
      unknown.clear()
      asked.clear()
    },
  }
}

interface ListingParts extends Pick<AuthenticationParts, 'commit'> {
  /** Milliseconds, by a clock that nobody sets. */
  now: () => number
  isYoung: (readAt: number) => boolean
}

/** @returns whether a key is among all there are, those of the last seconds left out */
function createListing({ commit, now, isYoung }: ListingParts): (hash: string) => Promise<boolean> {
  const list = commit.shareReads<undefined, Set<string>>({
    work: async (reader, drafts) => {
      const marks = await listApiKeyHashes(reader, listedMax)
      return drafts.map(() => marks)
    },
  })
  let listed = { marks: new Set<string>(), readAt: -Infinity }
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    const readAt = now()
    try {
      listed = { marks: await list(undefined), readAt }
    } finally {
      reading = undefined
    }
  }
  return async (hash) => {
    if (!isYoung(listed.readAt)) {
      reading ??= read()
      await reading
    }
    return listed.marks.has(markOf(hash))
  }
}
