/** What the slots of a counter say of a window that ends at a send, with that send. */
import { type CountSlot, historyDays } from './counter.ts'

export interface WindowTally {
  sends: number
  unchecked: number
  verified: number
}

const dayMs = 86_400_000
/**
 * Milliseconds that a slot may begin after the send: another process may have a clock that is ahead. What begins later was
 * written by a clock that has been set back since.
 */
const aheadMaxMs = 120_000

/**
 * The sums over a window. Of the slot in which it begins, as much counts as lies in the window.
 *
 * @param at milliseconds of Unix time
 */
export function tallyUp(slots: readonly CountSlot[], at: number, windowSeconds: number): WindowTally {
  const tally = { sends: 0, unchecked: 0, verified: 0 }
  for (const slot of slots) {
    const part = partIn(slot, at, windowSeconds)
    if (part === 0) continue
    tally.sends += part * slot.sends
    tally.unchecked += part * slot.unchecked
    tally.verified += part * slot.verified
  }
  return tally
}

/** How many codes are not verified and may still be: those of each slot that begins or ends in the time before `at`. */
export function countUnsettled(slots: readonly CountSlot[], at: number, settlesSeconds: number): number {
  let unsettled = 0
  for (const { sends, unchecked, verified } of slotsIn(slots, at, settlesSeconds))
    unsettled += sends - unchecked - verified
  return Math.max(0, unsettled)
}

/** The slots of which something lies in the window. */
export function slotsIn(slots: readonly CountSlot[], at: number, windowSeconds: number): CountSlot[] {
  return slots.filter((slot) => partIn(slot, at, windowSeconds) > 0)
}

function partIn({ from, seconds }: CountSlot, at: number, windowSeconds: number): number {
  if (from > at + aheadMaxMs) return 0
  const end = from + seconds * 1000
  return Math.min(1, Math.max(0, (end - (at - windowSeconds * 1000)) / (seconds * 1000)))
}

/** The highest count of verified ones in a day (UTC), of the 14 days before that of `at`. @param days slots of a day each */
export function highestVerified(days: readonly CountSlot[], at: number): number {
  const today = at - (at % dayMs)
  const before = days.filter(({ from }) => from < today && from >= today - historyDays * dayMs)
  return Math.max(0, ...before.map(({ verified }) => verified))
}

/** Whether one was verified on a day that is so long ago, or longer: of the 14 days before that of `at`. */
export function hasHistory(days: readonly CountSlot[], at: number, seconds: number): boolean {
  const today = at - (at % dayMs)
  return days.some(
    ({ from, verified }) => verified > 0 && from <= today - seconds * 1000 && from >= today - historyDays * dayMs,
  )
}

/** Whether one was verified in the 14 days before that of `at`, or on that day. */
export function wasEverVerified(days: readonly CountSlot[], at: number): boolean {
  return days.some(({ from, verified }) => verified > 0 && from >= at - (at % dayMs) - historyDays * dayMs)
}
