/** How much of its day a connection has used, where only so many messages may go through it in 24 hours. */
import { findTurnUse } from '../../store/channels/cap.ts'
import { type Connection, noCaps } from '../../store/channels/connection.ts'
import type { Reader } from '../../store/engine/session.ts'

export interface UsedDay {
  used: number
  of: number
  /** When the next message is free; null while one is. */
  freeAt: Date | null
}

/** A part of its day that is worth a word. */
const muchShare = 0.8

/** By the ids of those of an account whose day has a cap. */
export async function findUsedDays(
  reader: Reader,
  connections: readonly Connection[],
  now: Date,
): Promise<ReadonlyMap<string, UsedDay>> {
  const used = connections.map(async ({ accountId, id, perDay }): Promise<[string, UsedDay][]> => {
    if (perDay === null) return []
    const { day: used, freeAt } = await findTurnUse(reader, { ...noCaps, accountId, id, perDay }, now)
    return [[id, { used, freeAt, of: perDay }]]
  })
  return new Map((await Promise.all(used)).flat())
}

export function isMuch({ used, of }: UsedDay): boolean {
  return used >= of * muchShare
}

/** It takes nothing until then. */
export function usedUp(day: UsedDay | undefined): { until: Date; reason: string } | undefined {
  return day?.freeAt ? { until: day.freeAt, reason: `its ${day.of} messages of a day are used up` } : undefined
}
