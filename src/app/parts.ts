/** What every role has, opened and joined: the database, the queue, the worker, the sending of events. */

import { EventEmitter } from 'node:events'
import about from '../../package.json' with { type: 'json' }
import { operationFacts } from '../contract/document.ts'
import { createEventCheck } from '../contract/eventCheck.ts'
import { twilioFacts } from '../contract/twilioDocument.ts'
import type { Channel } from '../delivery/channel.ts'
import { createDelivery, type DeliveryService } from '../delivery/delivery.ts'
import type { Changes } from '../domain/access/act.ts'
import { accountKeys, createAuthentication } from '../domain/access/authentication.ts'
import { openKeyring } from '../domain/access/keyring.ts'
import { createKnownReceiptKeys } from '../domain/access/knownReceiptKeys.ts'
import { createCounting } from '../domain/insight/counting.ts'
import { createPurge } from '../domain/keeping/retention.ts'
import { createTestMode } from '../domain/keeping/testMode.ts'
import { createAuthenticators } from '../domain/people/authenticator.ts'
import { createPasswords } from '../domain/people/password.ts'
import { createBudgets } from '../domain/protection/budget/dayBudgets.ts'
import { createSharedCounts } from '../domain/protection/judging/sharedCounts.ts'
import { createKnownRules } from '../domain/protection/known.ts'
import { liveLimits } from '../domain/sending/limit.ts'
import { takenAfterSeconds } from '../domain/sending/messageId.ts'
import { createSendDue } from '../domain/sending/notifications/due.ts'
import { createOptOuts } from '../domain/sending/phones/optOut.ts'
import { recipientOf } from '../domain/sending/phones/recipient.ts'
import { createInboundReplies } from '../domain/sending/phones/reply.ts'
import { createKnownWordings } from '../domain/sending/wordings/known.ts'
import { createEventService } from '../events/events.ts'
import { type CountRequest, createStrangers } from '../http/api/throttle.ts'
import { inletRoutes } from '../http/inlets/route.ts'
import { createMetrics } from '../http/ops/metrics.ts'
import type { OpsOptions } from '../http/ops/ops.ts'
import { reportRoutes } from '../http/reports/route.ts'
import type { ServerTimeouts } from '../http/server.ts'
import { createKeptPosts } from '../inlets/keptPosts.ts'
import { createOpenInlets } from '../inlets/openInlets.ts'
import { createCountingLoop } from '../jobs/counting.ts'
import { createPurges, type PurgeParts } from '../jobs/purge.ts'
import { createSweeps, type SweepParts } from '../jobs/sweep.ts'
import { createUpkeepLoop } from '../jobs/upkeep.ts'
import { createWorker } from '../jobs/worker.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../kit/runtime.ts'
import { noTracing, type Tracing } from '../kit/tracing.ts'
import type { Lookup } from '../outbound/lookup.ts'
import type { Config } from '../settings/config.ts'
import { type CommitOptions, createCommit } from '../store/engine/commit.ts'
import { countServerConnections, type Database } from '../store/engine/database.ts'
import { requireUsable } from '../store/engine/migrate.ts'
import { openQueue, type Queue } from '../store/engine/queue.ts'
import { traceCommits } from '../store/engine/tracedCommit.ts'
import { findWaitingJobs } from '../store/insight/waiting.ts'
import { countEndpointStates } from '../store/webhooks/endpoint.ts'
import { type Admin, commitOptions, guardEndpoints, keyringParts, openDatabase, toAdmin, toKinds } from './admin.ts'
import { ensureKeys, openSecrets } from './dataFolder.ts'
import { forgetChanged } from './forgetting.ts'
import { lookAfterSecrets } from './olderSecrets.ts'
import { lookAfterAddress } from './publicAddress.ts'
import { queues } from './queues.ts'
import { adminSettingsOf } from './routes.ts'
import type { TelemetryParts } from './telemetry.ts'

export interface Overrides {
  /** With a clock of its own, in place of the database's. */
  runtime?: Runtime
  /** Where the log goes: standard output, a line at a time, when left out. */
  logDestination?: RuntimeOptions['logDestination']
  /** What each line of it begins with. */
  logBase?: RuntimeOptions['logBase']
  /** Counts requests of keys where others count too; in this process alone when left out. */
  countRequest?: CountRequest
  /** Of all processes that share the work; of this one alone when left out. */
  metricsOfAll?: Pick<OpsOptions['metrics'], 'render'>
  /** Opened and brought to this version by the caller, who also closes it. */
  database?: Database
  /** Others in place of the built-in ones, by their kinds. */
  channels?: Readonly<Record<string, Channel>>
  /** How the names of endpoints are looked up. */
  lookup?: Lookup
  /** Milliseconds that a channel has to answer, and an endpoint. */
  answerMs?: number
  /** Milliseconds that a job rests which the database was in the way of. */
  restMs?: number
  timeouts?: Partial<ServerTimeouts>
  /** How requests share commits, where it is to be another way. */
  groups?: Partial<CommitOptions>
  drainMs?: number
  /** Shows what a sandbox phone receives. */
  onSandboxText?: (phone: string, text: string) => void
}

export type Parts = Awaited<ReturnType<typeof openParts>>

/** What was opened, in its order. Each is told when to call off what is under way, in milliseconds by `performance.now`. */
export type Closers = ((until: number) => Promise<unknown>)[]

/** What every role has: the database, the queue, the worker. */
export async function openParts(config: Config, overrides: Overrides, closers: Closers) {
  const base = await openBase(config, overrides, closers)
  const { database, commit, runtime, secrets, lookup, passwords, kinds } = base
  const changes: Changes = new EventEmitter()
  const admin = toAdmin({ ...base, ...adminSettingsOf(config), changes })
  const strangers = createStrangers(config.unknownKeysPerMinute)
  const authentication = createAuthentication({ commit, runtime, strangers })
  await ensureKeys(config, admin)
  const authenticators = createAuthenticators({ commit, secrets, runtime })
  await lookAfterSecrets(config, { ...admin, authenticators }, runtime.log)
  await lookAfterAddress(config, admin, runtime.log)
  const queue = await openQueue(database, queues, { log: runtime.log, supervise: config.workerInside })
  closers.push(queue.close)
  const metrics = createMetrics({ ...toFigures(base, queue), internalErrors: runtime.internalErrors })
  const told = await openEvents(config, overrides, { ...base, admin, metrics })
  closers.push(told.loop.stop)
  const optOuts = createOptOuts({ lookup, events: told.events })
  const delivery = createDelivery({
    ...{ commit, queue, secrets, runtime, optOuts },
    replies: createInboundReplies({ commit, optOuts, lookup, secrets, runtime, onReply: metrics.replied }),
    events: told.events,
    jobsMax: database.kind === 'embedded' ? { local: 4, remote: 256 } : { local: 32, remote: 2048 },
    kinds,
    sandboxLive: config.sandboxLive,
    publicUrl: config.publicUrl,
    openSettings: admin.connections.open,
    replaced: overrides.channels,
    answerMs: overrides.answerMs,
    onOutcome: metrics.delivered,
    // Of each message that its live keys may send, three.
    receiptsPerSecond: 3 * accountKeys * config.keyRatePerSecond,
    onSandboxText: overrides.onSandboxText,
  })
  closers.push(delivery.connections.close)
  metrics.watch({ channelStates: delivery.states, dueEvents: told.countDue })
  const known = createKnown(config, base, closers)
  const { inlets, posts } = openInletParts(config, { ...base, admin, closers })
  forgetChanged(changes, { authentication, delivery, told, known, inlets })
  const sendDue = createSendDue({
    ...{ commit, runtime, optOuts, dispatch: delivery.dispatch, move: delivery.move, rules: known.rules },
    ...{ budgets: createBudgets({ events: told.events }), limits: liveLimits },
  })
  const jobs = createJobs(config, overrides, { ...base, queue, delivery, sendDue, onPurged: metrics.purged })
  const { authenticate } = authentication
  const own = { authenticate, runtime, commit, kinds, admin, secrets, lookup, optOuts }
  return {
    ...delivery,
    ...jobs,
    ...own,
    ...{ events: told.events, eventLoop: told.loop },
    ...known,
    passwords,
    authenticators,
    metrics,
    strangers,
    inlets,
    posts,
  }
}

/** What this process knows of accounts, and looks at again every few seconds. */
function createKnown(
  { countedSubjectsMax: subjectsMax }: Config,
  { commit, secrets, runtime }: Base,
  closers: Closers,
) {
  const counts = createSharedCounts({ commit, runtime, subjectsMax })
  closers.push(counts.close)
  return {
    counts,
    wordings: createKnownWordings({ commit, runtime }),
    rules: createKnownRules({ commit, runtime }),
    receiptKeys: createKnownReceiptKeys({ commit, secrets, runtime }),
  }
}

type EventsFor = Base & { admin: Admin; metrics: ReturnType<typeof createMetrics> }

/** What tells the endpoints, and what it tells of itself. */
async function openEvents(config: Config, { answerMs }: Overrides, parts: EventsFor) {
  const { commit, runtime, endpointGuard: guard, lookup, admin, metrics } = parts
  return createEventService({
    ...{ commit, endpoints: admin.endpoints, guard, runtime, answerMs },
    recipientOf: ({ accountId, ...one }) => recipientOf(lookup.key, accountId, one),
    check: config.production ? undefined : await createEventCheck(),
    onAttempt: metrics.eventTried,
    onDisabled: metrics.endpointDisabled,
    onMoved: (moved) => metrics.moved({ ...moved, takenAfterSeconds: takenAfterSeconds(moved) }),
    onDecided: metrics.decided,
    onFound: metrics.found,
    onBudget: (reached) => {
      const { accountId, mode, budget, percent } = reached
      metrics.budgetReached(reached)
      runtime.log.warn({ account_id: accountId, mode, budget, percent }, 'a budget reached this percentage today')
    },
  })
}

/** What inlets are opened by, and what is kept of what comes to them. */
function openInletParts(
  { publicUrl }: Config,
  { commit, runtime, admin, closers }: Base & { admin: Admin; closers: Closers },
) {
  const posts = createKeptPosts({ commit, log: runtime.log })
  closers.push(posts.stop)
  return { posts, inlets: createOpenInlets({ commit, open: admin.inlets.open, publicUrl, runtime }) }
}

/** What happens by itself. */
function createJobs(
  { retentionDays, testMessagesMax }: Config,
  { restMs }: Overrides,
  parts: Base &
    Pick<SweepParts, 'sendDue'> & { queue: Queue; delivery: DeliveryService; onPurged: PurgeParts['onPurged'] },
) {
  const { database, commit, runtime, queue, delivery, sendDue, onPurged } = parts
  const { log } = runtime
  const erasing = { commit, runtime, retentionDays }
  const purge = createPurge(erasing)
  const trimTestMode = createTestMode({ ...erasing, messagesMax: testMessagesMax })
  const worker = createWorker({
    ...{ commit, queue, runtime, restMs },
    tasks: [...delivery.tasks, ...createPurges({ commit, queue, runtime, purge, trimTestMode, onPurged })],
    sweeps: createSweeps({ commit, move: delivery.move, sendDue, runtime }),
  })
  const countingLoop = createCountingLoop({ count: createCounting({ commit, runtime, retentionDays }), log })
  return { worker, countingLoop, upkeepLoop: createUpkeepLoop({ database, log }) }
}

/** What the metrics read of the database and of its queue. */
function toFigures({ database, commit }: Pick<Base, 'database' | 'commit'>, queue: Queue) {
  const names = queues.map(({ name }) => name)
  return {
    version: about.version,
    routes: new Map([...contractRoutes, ...reportRoutes, ...inletRoutes]),
    queue,
    waitingJobs: () => findWaitingJobs(commit.reader, names),
    database: {
      pool: database.pool,
      server: async () => (database.kind === 'postgres' ? countServerConnections(commit.reader) : undefined),
      check: () => requireUsable(commit.reader),
    },
    endpoints: () => countEndpointStates(commit.reader),
  }
}

/** Of both contracts: also where the second one is closed, its few names harm nobody. */
const contractRoutes = [...operationFacts, ...twilioFacts].map(
  ({ operationId, method, path }) => [operationId, { method: method.toUpperCase(), route: path }] as const,
)

type Base = Awaited<ReturnType<typeof openBase>>

/** What everything else is made with. */
async function openBase(
  config: Config,
  { runtime: given, logDestination, logBase, ...overrides }: Overrides,
  closers: Closers,
) {
  let told: Pick<Runtime, 'log' | 'internalErrors'> | undefined
  const tracing = await openTracing(config, {
    onTurn: (failure) =>
      failure
        ? told?.log.warn({ err: failure }, 'the collector accepts no traces: they are dropped')
        : told?.log.info('the collector accepts traces again'),
    onFault: (error) => told?.internalErrors.note('traces', error),
  })
  closers.push(tracing.close)
  const database = overrides.database ?? (await openDatabase(config))
  if (!overrides.database) closers.push(database.close)
  const commit = createCommit(database, { ...commitOptions(database), ...overrides.groups })
  const runtime: Runtime = given
    ? // Not copied: whoever gave it may replace a part of it later.
      Object.assign(Object.create(given) as Runtime, { tracing })
    : createRuntime(config.logLevel, { now: database.now, logDestination, logBase, tracing })
  told = runtime
  const { secrets, keep } = await openSecrets(config)
  const lookup = await openKeyring({ ...keyringParts(config, { commit, secrets }), now: runtime.now }, runtime.log)
  await keep()
  return {
    database,
    commit: traceCommits(commit, tracing),
    runtime,
    secrets,
    lookup,
    passwords: createPasswords(),
    kinds: toKinds(config),
    endpointGuard: guardEndpoints(config, overrides.lookup),
  }
}

/** What traces are made with is loaded by those who want some. */
async function openTracing(
  { telemetry, outboundProxy: proxy }: Config,
  told: Pick<TelemetryParts, 'onTurn' | 'onFault'>,
): Promise<Tracing> {
  if (!telemetry) return noTracing
  const { createTelemetry } = await import('./telemetry.ts')
  return createTelemetry(telemetry, { proxy, ...told })
}
