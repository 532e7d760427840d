/** Looks at every process all the time: memory, handles and connections, and what its operations port tells. */
import { median } from '../bench/figure.ts'
import { residentMb } from '../bench/process.ts'
import type { Calm } from './calm.ts'
import type { Findings } from './findings.ts'
import type { Fleet, Name, Running } from './fleet.ts'
import { heldBy } from './held.ts'
import type { Measure } from './limits.ts'

/** A process from its start to its end, a value a minute. */
export interface Series {
  name: Name
  turn: number
  minutes: ({ minute: number } & Partial<Record<Measure, number>>)[]
}

export interface Watch {
  /** Ends a minute. @returns those that run, with what was seen of them */
  turn: (minute: number) => Series[]
  series: () => readonly Series[]
  /** Answers of operations ports, and how often there was none. */
  scrapes: () => { taken: number; missed: number }
  stop: () => Promise<void>
}

const [lookMs, scrapeMs, scrapeWithinMs] = [2000, 5000, 5000]

/** @param databasePorts of its servers, on this machine */
export function startWatch(parts: {
  fleet: Fleet
  databasePorts: readonly number[]
  calm: Calm
  findings: Findings
}): Watch {
  const { fleet, databasePorts, calm, findings } = parts
  const { note, turn, series } = createNotes()
  const scrapes = { taken: 0, missed: 0 }
  const look = () => {
    // What a fault breaks off and has made again, says nothing of what stays.
    const isCalm = calm.since(performance.now())
    for (const one of fleet.running()) {
      ifAlive(() => {
        const { pid } = one.server
        note(one, { rssMb: residentMb(pid), ...(isCalm && heldBy(pid, databasePorts)) })
      })
    }
  }
  const scrape = async (one: Running) => {
    const startedAt = performance.now()
    const heapMb = await readHeapMb(one).catch(() => undefined)
    if (heapMb !== undefined) {
      scrapes.taken++
      note(one, { heapMb })
    } else {
      scrapes.missed++
      if (calm.since(startedAt)) findings.add('an operations port did not answer, and nothing was broken', one.name)
    }
  }
  let scraping: Promise<unknown> = Promise.resolve()
  const timers = [
    setInterval(look, lookMs),
    setInterval(() => {
      scraping = Promise.all(fleet.running().map(scrape))
    }, scrapeMs),
  ]
  return {
    turn: (minute) => turn(minute, fleet.running()),
    series,
    scrapes: () => scrapes,
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await scraping
    },
  }
}

/** What was seen in the minute that is under way. */
type Seen = Record<Measure, number[]>

/** What was seen of each process, by minutes. */
function createNotes() {
  const seen = new Map<string, { one: Running; values: Seen }>()
  const series = new Map<string, Series>()
  const keyOf = ({ name, turn }: Running) => `${name} ${turn}`
  const seriesOf = (one: Running): Series => {
    const found = series.get(keyOf(one)) ?? { name: one.name, turn: one.turn, minutes: [] }
    series.set(keyOf(one), found)
    return found
  }
  return {
    note: (one: Running, values: Partial<Record<Measure, number>>) => {
      const known = seen.get(keyOf(one)) ?? { one, values: { rssMb: [], heapMb: [], handles: [], connections: [] } }
      seen.set(keyOf(one), known)
      for (const [measure, value] of Object.entries(values)) known.values[measure as Measure].push(value)
    },
    turn: (minute: number, running: readonly Running[]) => {
      // Those that have ended meanwhile, too.
      for (const { one, values } of seen.values()) {
        if (minute > 0) seriesOf(one).minutes.push({ minute, ...inMinute(values) })
      }
      seen.clear()
      return running.map(seriesOf)
    },
    series: () => [...series.values()],
  }
}

/** One that has just ended is not there. */
function ifAlive(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** As Prometheus and an orchestrator ask. @returns mebibytes of the heap that are in use */
async function readHeapMb({ server: { opsPort } }: Running): Promise<number | undefined> {
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${opsPort}${path}`, { signal: AbortSignal.timeout(scrapeWithinMs) })
  const [metrics, ready] = await Promise.all([ask('/metrics'), ask('/readyz')])
  const [text] = await Promise.all([metrics.text(), ready.text()])
  const [, bytes] = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text) ?? []
  return bytes === undefined ? undefined : Number(bytes) / 1024 ** 2
}

/** Of what goes up and down as it is used and cleaned up, the lowest: what leaks stays. Memory is given back late, if at all. */
function inMinute(seen: Seen): Partial<Record<Measure, number>> {
  const values = Object.entries(seen).flatMap(([measure, found]) => {
    if (found.length === 0) return []
    return [[measure, measure === 'rssMb' ? median(found) : Math.min(...found)]]
  })
  return Object.fromEntries(values)
}
