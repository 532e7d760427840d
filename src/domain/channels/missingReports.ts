/** Whether a provider that is to report what becomes of messages does so: an address that was never set up is the commonest fault. */
import type { Connection } from '../../store/channels/connection.ts'

export interface MissingReports {
  /** That the connection took since a report came. */
  messages: number
  /** When it took the first of them. */
  since: Date
}

/**
 * Messages without a report that say that none comes, once they have had so many milliseconds. Processes write what they know
 * once a minute. One message says nothing: its phone may be switched off.
 */
const enough = [
  { messages: 50, afterMs: 2 * 60_000 },
  { messages: 3, afterMs: 3600_000 },
]

/** @returns undefined where reports come, where none are waited for, and where it is too early to tell */
export function findMissingReports(
  { unreportedCount: messages, unreportedSince: since }: Pick<Connection, 'unreportedCount' | 'unreportedSince'>,
  now: Date,
): MissingReports | undefined {
  if (since === null) return undefined
  const waitedMs = now.getTime() - since.getTime()
  const isMissing = enough.some((least) => messages >= least.messages && waitedMs >= least.afterMs)
  return isMissing ? { messages, since } : undefined
}
