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
  /** The slots of a counter for a key; none has its like twice. */
  slotsOf: (counterId: string, key: string) => readonly CountSlot[]
}

export interface KeptCounts extends SendCounts {
  /** SendCounts a send that is made. */
  addSend: (send: JudgedSend) => void
  /** SendCounts that the code of a send was verified. Its time is that of the send. */
  addVerified: (send: JudgedSend) => void
  /** Puts in what was counted elsewhere: it is added to what is here. */
  add: (rows: readonly CounterRow[]) => void
  /** Lets go of what is too old to say anything. @param at milliseconds of Unix time */
  forgetBefore: (at: number) => void
}

export function createCounts(counters: readonly Counter[]): KeptCounts {
  const byCounter = new Map(counters.map(({ id }) => [id, new Map<string, CountSlot[]>()]))

  function add(rows: readonly CounterRow[]): void {
    for (const { counter, key, ...added } of rows) {
      const byKey = byCounter.get(counter.id)
      const slots = byKey?.get(key)
      if (!slots) {
        byKey?.set(key, [added])
        continue
      }
      const place = slots.findLastIndex(({ from }) => from === added.from)
      if (place === -1) slots.push(added)
      else slots[place] = withAdded(slots[place]!, added)
    }
  }

  return {
    add,
    slotsOf: (counterId, key) => byCounter.get(counterId)?.get(key) ?? [],
    addSend: (send) => add(rowsOfSend(counters, send)),
    addVerified: (send) => add(rowsOfVerified(counters, send)),
    forgetBefore: (at) => {
      for (const { id, keepSeconds } of counters) {
        const byKey = byCounter.get(id)!
        for (const [key, slots] of byKey) {
          const left = slots.filter(({ from, seconds }) => from + (seconds + keepSeconds) * 1000 > at)
          if (left.length === 0) byKey.delete(key)
          else if (left.length < slots.length) byKey.set(key, left)
        }
      }
    },
  }
}
