/** When a connection took a message last: kept beside the messages, at most once a minute. */

import type { Log } from '../kit/runtime.ts'
import { type ConnectionRevision, noteTaken } from '../store/channels/connection.ts'
import type { Commit } from '../store/engine/commit.ts'

export interface Pulse {
  /** It took a message. Nobody waits for what is written of it. */
  beat: (at: Date, balance: number | undefined) => void
  /** What is under way is written then; what would be written later, is not. */
  stop: () => Promise<void>
}

export interface PulseParts {
  commit: Pick<Commit, 'transaction'>
  log: Log
}

export type StartPulse = (connection: ConnectionRevision) => Pulse

/** Milliseconds in which it is written once, with what is the last of them. */
const everyMs = 60_000

export function createPulses({ commit, log }: PulseParts): StartPulse {
  return ({ accountId, id, revision }) => {
    let latest: { at: Date; balance: number | undefined } | undefined
    let pause: NodeJS.Timeout | undefined
    let writing: Promise<void> = Promise.resolve()

    const write = () => {
      pause = undefined
      if (!latest) return
      const news = { accountId, id, revision, ...latest }
      latest = undefined
      pause = setTimeout(write, everyMs).unref()
      writing = commit
        .transaction((tx) => noteTaken(tx, news))
        .catch((error) =>
          log.warn(
            { err: error, account: accountId, connection: id },
            'could not keep that a connection took a message',
          ),
        )
    }

    return {
      beat: (at, balance) => {
        latest = { at, balance }
        if (!pause) write()
      },
      stop: () => {
        clearTimeout(pause)
        latest = undefined
        return writing
      },
    }
  }
}

/** For what is no account's own. */
export const neverBeats: Pulse = { beat: () => {}, stop: async () => {} }
