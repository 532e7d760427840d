/**
 * What was counted, as this process knows it: a send is judged by it at once, without waiting for the database. What a process
 * counts, it knows itself; every quarter of a second, one statement adds that for the others, and reads what they have added. Most
 * addresses, users and prefixes have one send only: of these, others are told nothing. So each further process may let two sends
 * pass besides: the one that it holds, and one before it hears of the others.
 */
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { addCounts, type CountedSlot, countKeyOf } from '../../../store/protection/count.ts'
import type { Counter, CounterRow, CountSlot, JudgedSend } from '../counter.ts'
import { addSlot } from '../counts.ts'
import type { RulesInForce } from '../known.ts'
import { createExchanges } from './exchanges.ts'
import { createSubjects, type Subject, type SubjectCounter, type SubjectOwner } from './subjects.ts'
import { createWaitingCounts, waitingSlot } from './waitingCounts.ts'

export interface SharedCounts {
  /** What is known of all that a send has in common with others. */
  of: (owner: SubjectOwner, inForce: Pick<RulesInForce, 'asked'>, send: JudgedSend) => KnownCounts
  /** Counts what was committed. */
  add: (owner: SubjectOwner, rows: readonly CounterRow[]) => void
  /** Exchanges with the other processes what was counted until now. @returns whether it could; it is logged if not */
  exchange: () => Promise<boolean>
  /** Tells the others what they are to know before this process stops. */
  close: () => Promise<void>
}

export interface KnownCounts {
  slotsOf: (counterId: string) => readonly CountSlot[]
  /** Counts a send that is about to be made. */
  begin: (rows: readonly CounterRow[]) => BegunSend
}

export interface BegunSend {
  /** Counts it for good. */
  made: () => void
  /** It is not made, or was made: from then on it does not count as begun. */
  end: () => void
}

export interface SharedCountParts {
  commit: Pick<Commit, 'transaction'>
  runtime: Pick<Runtime, 'now' | 'log'>
  /** How many countries, prefixes, addresses and so on are remembered. */
  subjectsMax: number
}

/** With so many slots that wait, the next exchange does not. */
const waitingMax = 2000

export function createSharedCounts({ commit, runtime, subjectsMax }: SharedCountParts): SharedCounts {
  const subjects = createSubjects(subjectsMax)
  const waiting = createWaitingCounts()
  /** Those that were looked at since the last exchange. */
  let asked = new Set<Subject>()
  const { exchange, schedule } = createExchanges({ work, isDue: () => waiting.size() >= waitingMax, log: runtime.log })

  async function work(): Promise<void> {
    const [added, asking] = [waiting.take(), asked]
    asked = new Set()
    const counters = [...asking].flatMap((subject) => subject.counters)
    if (added.size === 0 && counters.length === 0) return
    const now = runtime.now().getTime()
    const keys = counters.map(({ countKey, counter }) => ({ countKey, since: now - lookBackMs(counter) }))
    const found = await commit
      .transaction((tx) => addCounts(tx, { added: [...added.values()].flat(), asked: keys }))
      .catch((error) => {
        // If the connection broke over its commit, it may be added twice.
        waiting.putBack(added)
        throw error
      })
    const before = Map.groupBy(found, ({ countKey }) => countKey)
    for (const one of counters) {
      const { countKey, counter } = one
      const others = before.get(countKey)
      if (others) {
        if (one.held) schedule()
        waiting.tell(one)
      } else if (one.held) continue
      // What was there before, what this adds, and what was counted meanwhile.
      one.slots = mergeSlots([others, added.get(countKey), waiting.of(countKey)], counter.slotSeconds)
    }
  }

  return {
    of: (owner, inForce, send) => {
      const own = subjects.of(owner, inForce, send)
      for (const subject of own) asked.add(subject)
      schedule()
      return knownCounts(own, (counter, row) => {
        waiting.count(counter, row)
        schedule()
      })
    },
    add: (owner, rows) => {
      for (const row of rows) {
        const { counter, key } = row
        const known = subjects.find(owner, counter.by, key)?.counters.find(({ id }) => id === counter.id)
        if (known) waiting.count(known, row)
        else waiting.add(waitingSlot(countKeyOf({ ...owner, counter: counter.id, key }), row))
      }
      schedule()
    },
    exchange,
    close: async () => {
      // By the first one, it may hear that others have counted what it holds.
      if (await exchange()) await exchange()
    },
  }
}

/** A list that is new looks at what the one before has counted, too: such a counter has the same id, and slots of another length. */
function knownCounts(
  subjects: readonly Subject[],
  count: (counter: SubjectCounter, row: CounterRow) => void,
): KnownCounts {
  return {
    slotsOf: (counterId) => {
      let slots = noSlots
      for (const { counters } of subjects) {
        for (const { counter, slots: counted, begun } of counters) {
          if (counter.id !== counterId) continue
          slots = joined(joined(slots, counted), begun)
        }
      }
      return slots
    },
    begin: (rows) => {
      const counters = subjects.flatMap((subject) => subject.counters)
      const begun = rows.map((row) => ({ row, counter: counters.find(({ id }) => id === row.counter.id)! }))
      for (const { row, counter } of begun) counter.begun = [...counter.begun, row]
      const end = () => {
        for (const { row, counter } of begun.splice(0)) counter.begun = counter.begun.filter((one) => one !== row)
      }
      return {
        made: () => {
          for (const { row, counter } of begun) count(counter, row)
          end()
        },
        end,
      }
    },
  }
}

const noSlots: readonly CountSlot[] = []

function joined(slots: readonly CountSlot[], more: readonly CountSlot[]): readonly CountSlot[] {
  if (more.length === 0) return slots
  return slots.length === 0 ? more : [...slots, ...more]
}

function mergeSlots(lists: readonly (readonly CountedSlot[] | undefined)[], seconds: number): CountSlot[] {
  const slots: CountSlot[] = []
  for (const slot of lists.flatMap((list = []) => list)) addSlot(slots, { ...slot, seconds })
  return slots
}

/** A slot that began before the window has a part in it; and the clock of another process may be behind. */
function lookBackMs({ windowSeconds, slotSeconds }: Counter): number {
  return (windowSeconds + 2 * slotSeconds) * 1000
}
