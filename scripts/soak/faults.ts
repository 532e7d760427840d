/** What breaks, drawn by the seed: processes, the database, providers and a customer's endpoint. */
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import type postgres from 'postgres'
import type { Simulator } from '../../src/simulator/simulator.ts'
import type { Cluster } from '../../test/faults/cluster.ts'
import type { Strike as Blow } from '../../test/faults/standby.ts'
import type { Calm } from './calm.ts'
import type { Findings } from './findings.ts'
import type { Fleet, Name } from './fleet.ts'
import type { Mood, Receiver } from './receiver.ts'

/** What a fault needs to break something. */
export interface Breakable {
  fleet: Fleet
  database: Cluster
  /** Asks the database, on a connection of its own. */
  ask: <T>(question: (sql: postgres.Sql) => Promise<T>) => Promise<T>
  simulator: Simulator
  receiver: Receiver
}

interface Drawn {
  /** From 0 to 1: how long it waits and lasts. */
  after: number
  lasts: number
  seed: number
}

/** Resolves when everything is whole again. @param lasts from 0 to 1 */
type Strike = (at: Breakable, drawn: Drawn) => Promise<void>

/** Milliseconds that something is away, or behaves badly, at least and at most. */
const [awayMs, badMs] = [
  [0, 2000],
  [4000, 15_000],
] as const
const between = ([least, most]: readonly [number, number], part: number) => least + (most - least) * part

const replaced =
  (name: Name, signal: 'SIGTERM' | 'SIGKILL'): Strike =>
  async ({ fleet }, { lasts }) => {
    await fleet.end(name, signal)
    await wait(between(awayMs, lasts))
    await fleet.start(name)
  }

const receiverIs =
  (mood: Mood): Strike =>
  async ({ receiver }, { lasts }) => {
    receiver.behave(mood)
    await wait(between(badMs, lasts))
    receiver.behave('well')
  }

/** @param faults names of the simulator's; those that every service gets over when left out */
const providersHave =
  (probability: number, faults?: readonly string[]): Strike =>
  async ({ simulator }, { lasts, seed }) => {
    simulator.chaos({ probability, seed, ...(faults && { faults }) })
    await wait(between(badMs, lasts))
    simulator.chaos(null)
  }

/** What a provider says that is not so, or never says. */
const lies = [
  'late-delivered',
  'wrong-signature',
  'silent',
  'failed:131026',
  'nowhere',
  'error-in-200',
  'reported-twice',
]

/** How a primary is lost: it crashes, its machine does, or that stands still with every connection open. */
const blows: readonly Blow[] = ['SIGQUIT', 'SIGKILL', 'SIGSTOP']

const kinds: Record<string, Strike> = {
  'worker killed': replaced('worker 2', 'SIGKILL'),
  'worker stopped': replaced('worker 2', 'SIGTERM'),
  'serve stopped': replaced('serve 2', 'SIGTERM'),
  'serve killed': replaced('serve 2', 'SIGKILL'),
  'connections to the database terminated': async ({ ask }) => {
    await ask(
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
  },
  'database restarted': async ({ database }, { lasts }) => {
    await database.restart(between(awayMs, lasts))
  },
  'primary lost, standby promoted': async ({ database }, { lasts, seed }) => {
    await database.strike(blows[seed % blows.length]!)
    await wait(between(awayMs, lasts))
    await database.promote()
    await database.rejoin()
  },
  'providers fail': providersHave(0.5),
  'providers refuse: 429': providersHave(0.7, ['refused-once:130429', 'refused-once:FLOOD_WAIT_1']),
  'providers hang': providersHave(0.3, ['hangs', 'slow']),
  'providers lie': providersHave(0.5, lies),
  'endpoint fails': receiverIs('fails'),
  'endpoint hangs': receiverIs('hangs'),
  'endpoint slow': receiverIs('slow'),
}
const names = Object.keys(kinds)

/** More than any run has. */
const drawnCount = 5000
const draw = fc.record({
  after: fc.double({ min: 0.5, max: 1.5, noNaN: true }),
  lasts: fc.double({ min: 0, max: 1, noNaN: true }),
  seed: fc.nat({ max: 1_000_000 }),
})

export interface Faults {
  /** How often each kind has come. */
  counts: () => Record<string, number>
  /** Lets one that is under way end, and resolves when everything is whole. */
  stop: () => Promise<void>
}

/** @param everySeconds from one to the next, about */
export function startFaults(
  at: Breakable,
  { seed, everySeconds, calm, findings }: { seed: number; everySeconds: number; calm: Calm; findings: Findings },
): Faults {
  const counts: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    const order = createOrder(seed)
    for (const drawn of fc.sample(draw, { numRuns: drawnCount, seed })) {
      await wait(drawn.after * everySeconds * 1000, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const name = order()
      const end = calm.disturb()
      await kinds[name]!(at, drawn).finally(end)
      counts[name]!++
    }
  }
  const running = run().catch((error: unknown) => findings.add('what was broken could not be put right', String(error)))
  return {
    counts: () => counts,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Each kind once, in an order of chance, and then all of them again in another one. */
function createOrder(seed: number): () => string {
  const rounds = fc.sample(fc.shuffledSubarray(names, { minLength: names.length }), { numRuns: 500, seed })
  const all = rounds.flat()
  let next = 0
  return () => all[next++ % all.length]!
}
