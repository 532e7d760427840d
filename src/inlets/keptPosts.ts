/** The last posts of each inlet, kept for people to see: beside the posts, and at most once a second, whoever sends how many. */
import type { Log } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { type InletKey, type KeptPost, keepPosts } from '../store/inlets/inlet.ts'

export interface KeptPosts {
  /** It is not awaited. */
  note: (inlet: InletKey, post: Omit<KeptPost, 'at' | 'count'> & { at: Date }) => void
  /** Writes what is not written yet. */
  stop: () => Promise<void>
}

/** Of an inlet. */
const keptMax = 20
/** Milliseconds in which an inlet is written once. */
const everyMs = 1000

interface Noted {
  key: InletKey
  /** The latest first. */
  posts: KeptPost[]
}

export function createKeptPosts({ commit, log }: { commit: Pick<Commit, 'transaction'>; log: Log }): KeptPosts {
  const noted = new Map<string, Noted>()
  const writing = new Set<Promise<void>>()
  let pause: NodeJS.Timeout | undefined

  const write = () => {
    pause = undefined
    const list = [...noted.values()]
    noted.clear()
    for (const { key, posts } of list) {
      const written = commit
        .transaction((tx) => keepPosts(tx, key, (kept) => mergedPosts(posts, kept)))
        .catch((error: unknown) =>
          log.warn(
            { err: error, account_id: key.accountId, inlet: key.id },
            'could not keep the last posts of an inlet',
          ),
        )
        .finally(() => writing.delete(written))
      writing.add(written)
    }
  }

  return {
    note: ({ accountId, id }, { at, ...post }) => {
      const name = `${accountId} ${id}`
      const known = noted.get(name) ?? { key: { accountId, id }, posts: [] }
      known.posts = mergedPosts([{ at: at.toISOString(), ...post }], known.posts)
      noted.set(name, known)
      pause ??= setTimeout(write, everyMs).unref()
    },
    stop: async () => {
      clearTimeout(pause)
      write()
      await Promise.all(writing)
    },
  }
}

/** The same outcome several times in a row is one, with how often: what a crowd posts pushes out nothing else. */
function mergedPosts(posts: readonly KeptPost[], kept: readonly KeptPost[]): KeptPost[] {
  const merged: KeptPost[] = []
  for (const post of [...posts, ...kept]) {
    const last = merged.at(-1)
    const isRun =
      last?.outcome === post.outcome &&
      last.lacks === post.lacks &&
      last.fault === post.fault &&
      post.outcome !== 'accepted'
    if (isRun) last.count = (last.count ?? 1) + (post.count ?? 1)
    else merged.push({ ...post })
  }
  return merged.slice(0, keptMax)
}
