/** The one owner of the commit: nobody else opens a transaction. */
import { setTimeout } from 'node:timers/promises'
import { unavailable } from '../../kit/problem.ts'
import type { Database } from './database.ts'
import { isTransient } from './failure.ts'
import { createGroups, type GroupLimits } from './group.ts'
import type { Link, Manner, Reader, Tx } from './session.ts'

/** A kind of draft, those of a moment share a transaction. */
export interface DraftKind<Draft, Outcome> {
  /** What no two drafts of a group may have in common. */
  conflictOf?: (draft: Draft) => string
  /** Whose draft it is: owners take turns when many wait. */
  ownerOf?: (draft: Draft) => string
  /** Drafts that share transactions with none but each other: they may have to wait for other processes, and the rest is not to wait with them. */
  isIsolated?: ((draft: Draft) => boolean) | undefined
  /** Most drafts that it can do at once; 64 when left out. */
  membersMax?: number
  /** As how many drafts one counts; as one when left out. */
  weigh?: (draft: Draft) => number
  /**
   * Its callers wait until their group is over, however long that takes and however many they are: who is told that it
   * failed, knows then that nothing was done, unless the connection broke over the commit. Of no use where somebody waits for
   * an answer.
   */
  isPatient?: boolean
  /** @returns the outcome of each draft, in their order; a refusal is an outcome */
  work: (tx: Tx, drafts: Draft[]) => Promise<Outcome[]>
}

/** A kind of question, those of a moment are asked at once. */
export interface ReadKind<Draft, Outcome> {
  ownerOf?: (draft: Draft) => string
  /** As how many questions one counts; as one when left out. */
  weigh?: (draft: Draft) => number
  work: (reader: Reader, drafts: Draft[]) => Promise<Outcome[]>
}

export interface CommitOptions extends GroupLimits {
  /** In place of `workMs` for what only reads: of that, nothing is ever open. */
  readMs: number
  /** @returns what removes the cause of an error, in a transaction of its own, so that it is tried again; undefined for others */
  remedyOf: (error: unknown) => ((tx: Tx) => Promise<void>) | undefined
}

export interface Commit {
  reader: Reader
  /**
   * Runs `work` in a transaction of its own, again when the database asks for it (a deadlock or a serialization failure).
   * What `work` does beside the database must bear being done again.
   */
  transaction: <T>(work: (tx: Tx) => Promise<T>, manner?: Manner) => Promise<T>
  /** @returns does a draft in a transaction that it shares with others of its kind; kinds do not wait for each other */
  share: <Draft, Outcome>(kind: DraftKind<Draft, Outcome>) => (draft: Draft) => Promise<Outcome>
  shareReads: <Draft, Outcome>(question: ReadKind<Draft, Outcome>) => (draft: Draft) => Promise<Outcome>
}

const forever = Number.POSITIVE_INFINITY

/** How often a transaction is tried that the database gives up; with the pauses below, for about a second. */
const attemptsMax = 8

export function createCommit(database: Database, options: CommitOptions): Commit {
  const once = async <T>(work: (tx: Tx) => Promise<T>, manner?: Manner): Promise<T> => {
    const hints: (() => void)[] = []
    const result = await database.transact((link) => work(openTx(link, hints)), manner)
    for (const hint of hints) hint()
    return result
  }

  const transaction: Commit['transaction'] = async (work, manner) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work, manner)
      } catch (error) {
        const remedy = options.remedyOf(error)
        if (remedy) await once(remedy).catch(() => {})
        else if (!isTransient(error)) throw error
        if (attempt === attemptsMax) throw unavailable(error)
        // Longer each time, and spread, so that those who met do not meet again.
        await setTimeout(2 ** attempt * (1 + Math.random()))
      }
    }
  }

  return {
    reader: database.reader,
    transaction,
    share: ({ membersMax = options.membersMax, isPatient = false, isIsolated, work, ...kind }) => {
      const open = () =>
        createGroups({
          ...options,
          ...(isPatient && { waitingMax: forever, waitMs: forever, workMs: forever }),
          ...kind,
          membersMax,
          // A group that met another is split at once; who is alone tries again.
          work: (drafts) => (drafts.length === 1 ? transaction : once)((tx) => work(tx, drafts)),
        })
      const others = open()
      if (!isIsolated) return others
      const isolated = open()
      return (draft) => (isIsolated(draft) ? isolated : others)(draft)
    },
    shareReads: ({ ownerOf, weigh, work }) =>
      createGroups({
        ...options,
        workMs: options.readMs,
        ownerOf,
        weigh,
        work: (drafts) => work(database.reader, drafts),
      }),
  }
}

/** The only place where a link becomes a `Tx`. */
function openTx(link: Link, hints: (() => void)[]): Tx {
  const afterCommit: Tx['afterCommit'] = (hint) => void hints.push(hint)
  return { ...link, afterCommit } as Tx
}
