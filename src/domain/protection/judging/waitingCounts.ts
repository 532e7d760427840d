/** What this process has counted and not yet told the others. */
import type { AddedSlot } from '../../../store/protection/count.ts'
import { type CountSlot, withAdded } from '../counter.ts'

export type WaitingSlot = AddedSlot & CountSlot

/** By `countKeyOf`. */
export type WaitingSlots = ReadonlyMap<string, readonly WaitingSlot[]>

export interface WaitingCounts {
  add: (slot: WaitingSlot) => void
  of: (countKey: string) => readonly WaitingSlot[] | undefined
  size: () => number
  /** From then on nothing waits. */
  take: () => WaitingSlots
}

/**
 * Slots that wait at most: minutes of a busy account. While the database takes none, a slot more is not counted for other processes. A
 * send is counted when it is committed, so few come while the database is away.
 */
const slotsMax = 20_000

export function createWaitingCounts(): WaitingCounts {
  let slots = new Map<string, WaitingSlot[]>()
  let size = 0
  return {
    add: (slot) => {
      const own = slots.get(slot.countKey)
      const place = own?.findIndex(({ from }) => from === slot.from) ?? -1
      if (own && place >= 0) {
        own[place] = { ...slot, ...withAdded(own[place]!, slot) }
        return
      }
      if (size >= slotsMax) return
      size += 1
      if (own) own.push(slot)
      else slots.set(slot.countKey, [slot])
    },
    of: (countKey) => slots.get(countKey),
    size: () => size,
    take: () => {
      const taken = slots
      slots = new Map()
      size = 0
      return taken
    },
  }
}
