/** Counters in memory: those of a replay, and of the sends of a moment that are judged one after the other. */
import {
  type Counter,
  type CounterRow,
  type CountSlot,
  type JudgedSend,
  rowsOfSend,
  rowsOfVerified,
  withAdded,
} from './counter.ts'

/** What the rules look at. */
export interface SendCounts {
  /** The slots of a counter for a key. What is of one time may be in several. */
  slotsOf: (counterId: string, key: string) => readonly CountSlot[]
}

export interface KeptCounts extends SendCounts {
  /** Counts a send that is made. */
  addSend: (send: JudgedSend) => void
  /** Counts that the code of a send was verified. Its time is that of the send. */
  addVerified: (send: JudgedSend) => void
  /** Puts in what was counted elsewhere: it is added to what is here. */
  add: (rows: readonly CounterRow[]) => void
  /** Lets go of what is too old to say anything. @param at milliseconds of Unix time */
  forgetBefore: (at: number) => void
}

const noSlots: readonly CountSlot[] = []

export function createCounts(counters: readonly Counter[]): KeptCounts {
  const byCounter = new Map(counters.map(({ id }) => [id, new Map<string, CountSlot[]>()]))

  function add(rows: readonly CounterRow[]): void {
    for (const row of rows) {
      const byKey = byCounter.get(row.counter.id)
      const slots = byKey?.get(row.key)
      if (!slots) byKey?.set(row.key, [row])
      else addSlot(slots, row)
    }
  }

  return {
    add,
    slotsOf: (counterId, key) => byCounter.get(counterId)?.get(key) ?? noSlots,
    addSend: (send) => add(rowsOfSend(counters, send)),
    addVerified: (send) => add(rowsOfVerified(counters, send)),
    forgetBefore: (at) => {
      for (const { id, keepSeconds } of counters) forget(byCounter.get(id)!, at - keepSeconds * 1000)
    },
  }
}

/** Adds it to the slot of the same time, if there is one. */
export function addSlot(slots: CountSlot[], added: CountSlot): void {
  // The newest are at the end: most sends are of one of these.
  for (let place = slots.length - 1; place >= 0; place--) {
    const { from, seconds } = slots[place]!
    if (from !== added.from || seconds !== added.seconds) continue
    slots[place] = withAdded(slots[place]!, added)
    return
  }
  slots.push(added)
}

function forget(byKey: Map<string, CountSlot[]>, before: number): void {
  for (const [key, slots] of byKey) {
    if (slots.every((slot) => endOf(slot) > before)) continue
    const left = slots.filter((slot) => endOf(slot) > before)
    if (left.length === 0) byKey.delete(key)
    else byKey.set(key, left)
  }
}

function endOf({ from, seconds }: CountSlot): number {
  return from + seconds * 1000
}
