/** Counters for Prometheus. Labels come from closed lists and from the operator's own: never a key, a phone or a message's id. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { InternalErrors } from '../../kit/internalErrors.ts'
import type { Queue } from '../../store/engine/queue.ts'
import { type DatabaseFigures, measureDatabase } from './databaseMetrics.ts'
import { measureInternalErrors } from './internalErrorMetrics.ts'
import { createMessageCounters, type MessageCounters } from './messageMetrics.ts'
import { measureRequests, type OperationRoutes } from './requestMetrics.ts'
import { createRead } from './shared.ts'

export interface Metrics extends MessageCounters {
  /** `mode`: that of the caller's key. */
  answered: (answer: { operation: string; status: number; seconds: number; mode?: string | undefined }) => void
  delivered: (outcome: {
    channel: string
    kind: string
    segments?: { accountId: string; connection: string; count: number }
  }) => void
  /** `refused`: why a provider's report was not taken, a word of a closed list. */
  reported: (report: { operation: string; status: number; seconds: number; refused: string | undefined }) => void
  /** What came of what a person answered, a word of a closed list. */
  replied: (fate: string) => void
  /** `refused`: why a post to an inlet was not taken, a word of a closed list. */
  posted: Metrics['reported']
  /** A phone number was refused that no numbering plan of this version has. `prefix`: how it begins, from a bounded list. */
  unlisted: (refused: { prefix: string }) => void
  /** An attempt to bring an event to an endpoint. */
  eventTried: (attempt: { outcome: string }) => void
  endpointDisabled: (endpoint: { reason: string }) => void
  /** A purge has come to its end; or its worker begins, so that it is seen when none does. */
  purged: (at: Date) => void
  /** Tells what other parts know of themselves: they are made later, as they count here. */
  watch: (watched: Watched) => void
  /** In Prometheus's text format. */
  render: () => Promise<string>
  /** The same as values, to be put together with those of other processes. */
  snapshot: () => Promise<object[]>
  contentType: string
}

/** A connection of an account. */
export interface ChannelState {
  accountId: string
  connection: string
  /** False while it rests: the provider has to be asked for, or the operator must act. */
  up: boolean
  /** What the provider said last that is left, in its own currency. */
  balance?: number | undefined
}

export interface MetricsParts {
  /** Of this service. */
  version: string
  routes: OperationRoutes
  queue: Pick<Queue, 'depths'>
  /** For how many seconds the next job of each queue has been due; queues of which none is due are left out. */
  waitingJobs: () => Promise<{ name: string; seconds: number }[]>
  database: DatabaseFigures
  /** How many endpoints there are. */
  endpoints: () => Promise<{ enabled: number; disabled: number }>
  internalErrors: Pick<InternalErrors, 'count'>
  /** Milliseconds for each read of the database: a figure that takes longer is left out, as when its read fails. */
  readMs?: number
}

export interface Watched {
  channelStates: () => Iterable<ChannelState>
  /** How many events are due for endpoints. */
  dueEvents: () => Promise<number>
}

/** Well below what a process is given for its snapshot, and what Prometheus waits for a page. */
const standardReadMs = 1000

/** How the figures of several processes become one, where each has read the same in the database. */
const ofDatabase = 'max'

export function createMetrics(parts: MetricsParts): Metrics {
  const { version, routes, readMs = standardReadMs } = parts
  const reads = createReads(parts)
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'watchword_build_info',
    help: 'Always 1; its labels tell the version.',
    aggregator: 'first',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  const observe = measureRequests(registry, routes)
  const byReason = (name: string, help: string) => new Counter({ name, help, labelNames: ['reason'], registers })
  const refusals = byReason('watchword_reports_refused_total', 'Reports of providers that were not taken, by reason.')
  const postRefusals = byReason('watchword_inlets_refused_total', 'Posts to inlets that were not taken, by reason.')
  const replies = new Counter({ name: 'watchword_replies_total', help: repliesHelp, labelNames: ['reply'], registers })
  measureInternalErrors(registers, parts.internalErrors)
  measureQueues(registers, reads)
  measureDatabase(registers, reads.database)
  const { accepted, moved, decided, found, budgetReached } = createMessageCounters(registers)
  const answered: Metrics['answered'] = ({ operation, status, seconds, mode }) => {
    observe(operation, status, seconds)
    if (status === 200 && mode !== undefined) accepted({ operation, mode })
  }
  return {
    answered,
    accepted,
    moved,
    decided,
    found,
    budgetReached,
    reported: (report) => {
      answered(report)
      if (report.refused) refusals.inc({ reason: report.refused })
    },
    replied: (fate) => replies.inc({ reply: fate }),
    posted: (post) => {
      answered(post)
      if (post.refused) postRefusals.inc({ reason: post.refused })
    },
    ...{ unlisted: countUnlisted(registers), delivered: countDeliveries(registers) },
    ...measureEvents(registers, reads),
    ...measurePurges(registers),
    watch: ({ channelStates, dueEvents }) => {
      measureChannels(registers, channelStates)
      measureDueEvents(registers, createRead(dueEvents, readMs))
    },
    render: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

const repliesHelp = 'What people answered to messages, by what came of it.'

function countUnlisted(registers: Registry[]): Metrics['unlisted'] {
  const refused = new Counter({
    name: 'watchword_phones_unlisted_total',
    help: "Phone numbers that were refused because they are not in this version's numbering plan, by how they begin.",
    labelNames: ['prefix'],
    registers,
  })
  return (phone) => refused.inc(phone)
}

function countDeliveries(registers: Registry[]): Metrics['delivered'] {
  const outcomes = new Counter({
    name: 'watchword_deliveries_total',
    help: 'What channels answered, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  const segments = new Counter({
    name: 'watchword_sms_segments_total',
    help: 'Segments (SMS) of the texts that channels took, by connection.',
    labelNames: ['channel', 'connection', 'account'],
    registers,
  })
  return ({ channel, kind, segments: taken }) => {
    outcomes.inc({ channel, outcome: kind })
    if (taken) segments.inc({ channel, connection: taken.connection, account: taken.accountId }, taken.count)
  }
}

type Reads = Pick<MetricsParts, 'queue' | 'waitingJobs' | 'database' | 'endpoints'>

/** What is read in the database, in time. While it hangs, the other figures are wanted more than ever. */
function createReads({ queue, waitingJobs, database, endpoints, readMs = standardReadMs }: MetricsParts): Reads {
  return {
    queue: { depths: createRead(queue.depths, readMs) },
    waitingJobs: createRead(waitingJobs, readMs),
    database: {
      pool: database.pool,
      server: createRead(database.server, readMs),
      check: createRead(database.check, readMs),
    },
    endpoints: createRead(endpoints, readMs),
  }
}

function measureQueues(registers: Registry[], { queue, waitingJobs }: Pick<Reads, 'queue' | 'waitingJobs'>): void {
  new Gauge({
    name: 'watchword_jobs',
    help: 'Jobs in the queues, by queue and state; at most a minute old.',
    aggregator: ofDatabase,
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      // While the database is away there are no depths to tell; the other figures are wanted then more than ever.
      for (const { name, waiting, active } of await queue.depths().catch(() => [])) {
        this.set({ queue: name, state: 'waiting' }, waiting)
        this.set({ queue: name, state: 'active' }, active)
      }
    },
  })
  new Gauge({
    name: 'watchword_oldest_job_seconds',
    help: 'For how long the next job of a queue has been due, urgent or not; absent for a queue without a due job.',
    aggregator: ofDatabase,
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset()
      for (const { name, seconds } of await waitingJobs().catch(() => [])) this.set({ queue: name }, seconds)
    },
  })
}

function measureChannels(registers: Registry[], channelStates: Watched['channelStates']): void {
  const gauge = (name: string, help: string, measure: (state: ChannelState) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['connection', 'account'],
      // Of what several processes know of a connection, the worst: each learns of it when it uses it.
      aggregator: 'min',
      registers,
      collect() {
        // A connection that was taken off the list has no state any more.
        this.reset()
        for (const state of channelStates()) {
          const value = measure(state)
          if (value !== undefined) this.set({ connection: state.connection, account: state.accountId }, value)
        }
      },
    })
  gauge('watchword_channel_up', 'Whether a connection is used (1) or rests (0).', ({ up }) => (up ? 1 : 0))
  gauge(
    'watchword_channel_balance',
    'The balance that a provider told last, in its currency.',
    ({ balance }) => balance,
  )
}

function measureEvents(
  registers: Registry[],
  { endpoints }: Pick<Reads, 'endpoints'>,
): Pick<Metrics, 'eventTried' | 'endpointDisabled'> {
  const attempts = new Counter({
    name: 'watchword_event_attempts_total',
    help: 'Attempts to send events to endpoints, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  // Prometheus sees no increase in a series that begins with its first count.
  for (const outcome of ['delivered', 'failed', 'given_up', 'gone']) attempts.inc({ outcome }, 0)
  const disabled = new Counter({
    name: 'watchword_endpoints_disabled_total',
    help: 'Endpoints that this process has disabled, by reason.',
    labelNames: ['reason'],
    registers,
  })
  new Gauge({
    name: 'watchword_endpoints',
    help: 'Endpoints of all accounts, by state. A disabled one gets nothing until a user enables it.',
    aggregator: ofDatabase,
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      for (const [state, count] of Object.entries(await endpoints().catch(() => ({})))) this.set({ state }, count)
    },
  })
  return {
    eventTried: ({ outcome }) => attempts.inc({ outcome }),
    endpointDisabled: ({ reason }) => disabled.inc({ reason }),
  }
}

function measureDueEvents(registers: Registry[], dueEvents: Watched['dueEvents']): void {
  new Gauge({
    name: 'watchword_events_due',
    help: 'Events that are due: at most a thousand endpoints, and a thousand events of each, are counted.',
    aggregator: ofDatabase,
    registers,
    async collect() {
      const count = await dueEvents().catch(() => undefined)
      // While the database is away nobody can count them, and none would not be true.
      if (count === undefined) this.remove()
      else this.set(count)
    },
  })
}

function measurePurges(registers: Registry[]): Pick<Metrics, 'purged'> {
  const last = new Gauge({
    name: 'watchword_purged_timestamp_seconds',
    help: 'When a purge of this process came to its end last, or its worker began; nothing without a worker.',
    // Any one of them does it for all.
    aggregator: 'max',
    registers,
  })
  // It would be 0, a purge long ago, where there is no worker.
  last.remove()
  return { purged: (at) => last.set(at.getTime() / 1000) }
}
