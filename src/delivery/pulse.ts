/** What a connection did last: when it took a message, and when its provider reported. Kept beside the messages. */

import type { Log } from '../kit/runtime.ts'
import { type ConnectionNews, type ConnectionRevision, noteNews } from '../store/channels/connection.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Channel } from './channel.ts'

/** What is written of it is not awaited. */
export interface Pulse {
  /** It took a message. */
  taken: (at: Date, by: { balance?: number; channel: Pick<Channel, 'isReported'> }) => void
  /** Its provider told what became of messages. */
  reported: (at: Date) => void
  /** What is under way is written then; what would be written later, is not. */
  stop: () => Promise<void>
}

export interface PulseParts {
  commit: Pick<Commit, 'transaction'>
  log: Log
}

/** @param everyMs in which it is written once, with what is the last of them; a minute when left out */
export type StartPulse = (connection: ConnectionRevision, everyMs?: number) => Pulse

const standardMs = 60_000

type News = Omit<ConnectionNews, keyof ConnectionRevision>

export function createPulses({ commit, log }: PulseParts): StartPulse {
  return ({ accountId, id, revision }, everyMs = standardMs) => {
    let news: News | undefined
    let pause: NodeJS.Timeout | undefined
    let writing: Promise<void> = Promise.resolve()
    /** It was written that messages wait for reports, and no report since. */
    let isOverdue = false

    const write = () => {
      clearTimeout(pause)
      pause = undefined
      if (!news) return
      const written = { accountId, id, revision, ...news }
      isOverdue = news.unreported.count > 0 || (isOverdue && !news.reportedAt)
      news = undefined
      pause = setTimeout(write, everyMs).unref()
      writing = commit
        .transaction((tx) => noteNews(tx, written))
        .catch((error) =>
          log.warn({ err: error, account: accountId, connection: id }, 'could not keep what a connection did last'),
        )
    }

    return {
      taken: (takenAt, { balance, channel }) => {
        const { count, since } = news?.unreported ?? none
        const unreported = channel.isReported ? { count: count + 1, since: since ?? takenAt } : none
        news = { reportedAt: news?.reportedAt, takenAt, balance, unreported }
        if (!pause) write()
      },
      reported: (reportedAt) => {
        news = { takenAt: news?.takenAt, balance: news?.balance, reportedAt, unreported: none }
        if (!pause || isOverdue) write()
      },
      stop: () => {
        clearTimeout(pause)
        news = undefined
        return writing
      },
    }
  }
}

const none = { count: 0, since: undefined }

/** For what is no account's own. */
export const neverBeats: Pulse = { taken: () => {}, reported: () => {}, stop: async () => {} }
