/** What this process has counted and not yet told the others. */
import type { AddedSlot } from '../../../store/protection/count.ts'
import { type CounterRow, type CountSlot, withAdded } from '../counter.ts'
import { addSlot } from '../counts.ts'
import type { SubjectCounter } from './subjects.ts'

export type WaitingSlot = AddedSlot & CountSlot

/** By `countKeyOf`. */
export type WaitingSlots = ReadonlyMap<string, readonly WaitingSlot[]>

export interface WaitingCounts {
  /**
   * Counts, and has others told of it: of the only send that there is, not before there is a second one. A code that was right belongs
   * to the send that is held.
   */
  count: (counter: SubjectCounter, row: CounterRow) => void
  /** Has others told of what is held. */
  tell: (counter: SubjectCounter) => void
  add: (slot: WaitingSlot) => void
  of: (countKey: string) => readonly WaitingSlot[] | undefined
  size: () => number
  /** From then on nothing waits. */
  take: () => WaitingSlots
  putBack: (taken: WaitingSlots) => void
}

/**
 * Slots that wait at most: minutes of a busy account. While the database takes none, a slot more is not counted for other processes. A
 * send is counted when it is committed, so few come while the database is away.
 */
const slotsMax = 20_000

export function createWaitingCounts(): WaitingCounts {
  let slots = new Map<string, WaitingSlot[]>()
  let size = 0

  function add(slot: WaitingSlot): void {
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
  }

  function tell(counter: SubjectCounter): void {
    const { countKey, held } = counter
    counter.isTold = true
    counter.held = undefined
    if (held) add(waitingSlot(countKey, held))
  }

  return {
    add,
    tell,
    count: (counter, row) => {
      // An array with one in it is a tenth of one to which it is added.
      if (counter.slots.length === 0) counter.slots = [row]
      else addSlot(counter.slots, row)
      const { held, isTold } = counter
      const isFirst = !held && row.sends > 0
      const isOfHeld = held?.from === row.from && row.sends === 0
      if (!isTold && isFirst) counter.held = row
      else if (held && isOfHeld) counter.held = { ...row, ...withAdded(held, row) }
      else {
        tell(counter)
        add(waitingSlot(counter.countKey, row))
      }
    },
    of: (countKey) => slots.get(countKey),
    size: () => size,
    take: () => {
      const taken = slots
      slots = new Map()
      size = 0
      return taken
    },
    putBack: (taken) => {
      for (const slot of [...taken.values()].flat()) add(slot)
    },
  }
}

export function waitingSlot(countKey: string, row: CounterRow): WaitingSlot {
  const { slotSeconds, keepSeconds } = row.counter
  return { ...row, countKey, endsAt: row.from + (slotSeconds + keepSeconds) * 1000 }
}
