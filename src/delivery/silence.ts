/** A phone that took messages and tells of none of them: it is off, though its gateway goes on taking them. */
import type { Connection } from '../store/channels/connection.ts'

type Told = Pick<Connection, 'reportedAt' | 'restsUntil' | 'takenAt' | 'unreportedSince'>

/**
 * @param withinSeconds in which the first report of each message comes; undefined where that is not known
 * @returns why the connection is to rest. Not where no report ever came: then its address was not entered yet. Not again before
 * another message was tried: a phone that is on again is heard of by one.
 */
export function findSilence(told: Told, withinSeconds: number | undefined, now: Date): string | undefined {
  const { reportedAt, restsUntil, takenAt, unreportedSince } = told
  if (withinSeconds === undefined || !reportedAt || !takenAt || !unreportedSince) return undefined
  if (now.getTime() - unreportedSince.getTime() < withinSeconds * 1000) return undefined
  if (restsUntil && takenAt <= restsUntil) return undefined
  return `no report came for ${withinSeconds} seconds: check that the phone is online, and that it can reach the address for reports`
}
