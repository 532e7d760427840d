/** What a process knows of the caps of a connection: what they are, and until when they are used up. */
import { type Caps, hasCaps, pickCaps } from '../../domain/channels/caps.ts'
import { handOverSeconds } from '../../store/channels/cap.ts'

/** Until when a connection takes nothing, as its caps were used up. */
export interface Full {
  until: Date
  /** Its day is used up. */
  isOfDay: boolean
}

/** Of one connection, as this process knows it. */
export interface Capacity {
  caps: Caps
  full?: Full
  /** When it was logged that its day is used up. */
  toldAt?: Date
}

export function capacityOf(caps: Caps): Capacity | undefined {
  return hasCaps(caps) ? { caps: pickCaps(caps) } : undefined
}

/** Of messages that wait for a turn, how many come back in a second. */
export function computeReturn({ perMinute, perHour, perDay }: Caps): number {
  const rates = [(perMinute ?? Infinity) / 60, (perHour ?? Infinity) / 3600, (perDay ?? Infinity) / 86_400]
  return Math.max(1, Math.min(...rates))
}

export function findFull({ capacity }: { capacity: Capacity | undefined }, now: Date): Full | undefined {
  const full = capacity?.full
  if (!full || full.until <= now) return undefined
  // One that is longer was found by a clock that has been set back since.
  return full.until.getTime() - now.getTime() <= fullMsMax ? full : undefined
}

const fullMsMax = (86_400 + handOverSeconds) * 1000
