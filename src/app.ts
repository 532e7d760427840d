/** The composition root: the one file that sees every part. What is opened is closed in the reverse order. */
import { type Admin, adminOf, endpointGuardOf, groupLimits, kindsOf, openDatabase } from './admin.ts'
import { createApiServer } from './apiServer.ts'
import type { Config } from './config.ts'
import { createEventCheck } from './contract/eventCheck.ts'
import { type CountingLoop, createCountingLoop } from './countingLoop.ts'
import { createDashboardServer, openDashboard } from './dashboardServer.ts'
import { ensureKeys, secretsOf } from './dataFolder.ts'
import type { Channel } from './delivery/channel.ts'
import { firstConnection } from './delivery/channels/kinds.ts'
import { createDelivery, queues } from './delivery/delivery.ts'
import type { Receipts } from './delivery/receipts.ts'
import type { Worker } from './delivery/worker.ts'
import type { Connections } from './domain/connection.ts'
import { createCounting } from './domain/counting.ts'
import type { Endpoints } from './domain/endpoint.ts'
import { createPasswords } from './domain/password.ts'
import { createPurge } from './domain/retention.ts'
import { createEventService } from './events/events.ts'
import type { Loop } from './events/loop.ts'
import { createStrangers } from './http/api/throttle.ts'
import { listenForCommands } from './http/commands/commands.ts'
import { createHostCheck } from './http/host.ts'
import { createMetrics } from './http/ops/metrics.ts'
import { createOps } from './http/ops/ops.ts'
import { listen, type ServerTimeouts } from './http/server.ts'
import { createRuntime, type Log, type Runtime, type RuntimeOptions } from './runtime.ts'
import { createCommit } from './store/commit.ts'
import { type Database, ping } from './store/database.ts'
import { countStates } from './store/endpoint.ts'
import type { GroupLimits } from './store/group.ts'
import { openQueue } from './store/queue.ts'
import { listSandboxMessages } from './store/sandboxMessage.ts'

/** Milliseconds for which clients with open connections are told to close them, before a stopping process does. */
const drainMs = 500
/** Milliseconds for which a stopping process waits for its providers; then it calls them off, and has the time to write that down. */
const patienceMs = 8500

export interface App extends Admin {
  worker: Worker
  /** Brings events to endpoints. */
  eventLoop: Loop
  /** Counts messages into figures. */
  countingLoop: CountingLoop
  receipts: Receipts
  log: Log
  /**
   * Starts the worker, the sending of events and the counting, if this process has them, and listens.
   *
   * @returns the ports; the system has chosen those that were set to 0
   */
  listen: (roles: {
    api: boolean
    worker: boolean
  }) => Promise<{ port: number | undefined; opsPort: number; dashboardPort?: number }>
  /** Accepts no more, finishes what is under way, and closes. */
  close: () => Promise<void>
}

export interface Overrides {
  /** With a clock of its own, in place of the database's. */
  runtime?: Runtime
  /** Where the log goes: standard output, a line at a time, when left out. */
  logDestination?: RuntimeOptions['logDestination']
  /** Opened and brought to this version by the caller, who also closes it. */
  database?: Database
  /** Others in place of the built-in ones, by their kinds. */
  channels?: Readonly<Record<string, Channel>>
  /** Milliseconds that a channel has to answer, and an endpoint. */
  answerMs?: number
  timeouts?: Partial<ServerTimeouts>
  /** How requests share commits, where it is to be another way. */
  groups?: Partial<GroupLimits>
  drainMs?: number
  /** Shows what a sandbox phone receives. */
  onSandboxText?: (phone: string, text: string) => void
}

/** @throws DatabaseHeld, or what the driver throws when the database is out of reach */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const closers: (() => Promise<unknown>)[] = []
  const closeAll = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  try {
    const parts = await openParts(config, overrides, closers)
    const reached = { apiUrl: config.publicUrl ?? '' }
    const { api, ops, dashboard } = await createDoors(config, overrides, parts, {
      isStopping: () => closing !== undefined,
      apiUrl: () => reached.apiUrl,
    })
    const { admin, worker, eventLoop, countingLoop, receipts, connections, runtime } = parts
    return {
      ...admin,
      worker,
      eventLoop,
      countingLoop,
      receipts,
      log: runtime.log,
      close,
      listen: async (roles) => {
        const opsPort = await listen(ops, config.opsPort, config.opsHost)
        closers.push(() => opsPort.shut(0))
        if (config.database.kind === 'embedded') {
          const operator = admin.as({ kind: 'operator', name: 'command line' })
          const commands = await listenForCommands(config.database.dataDir, { admin: operator, log: runtime.log })
          if (commands) closers.push(() => commands.shut(0))
        }
        if (roles.worker) {
          worker.start()
          eventLoop.start()
          countingLoop.start()
          // Together: each may take some seconds.
          closers.push(async () => {
            const patience = setTimeout(connections.close, patienceMs)
            await Promise.all([worker.stop(), eventLoop.stop(), countingLoop.stop()])
            clearTimeout(patience)
          })
        }
        if (!roles.api) return { port: undefined, opsPort: opsPort.port }
        const apiPort = await listen(api, config.port, config.host)
        closers.push(() => apiPort.shut(overrides.drainMs ?? drainMs))
        if (!config.publicUrl) reached.apiUrl = `http://${config.host}:${apiPort.port}`
        if (config.dashboardPort === undefined) return { port: apiPort.port, opsPort: opsPort.port }
        const dashboardPort = await openDashboard(config, parts, dashboard)
        closers.push(() => dashboardPort.shut(0))
        return { port: apiPort.port, opsPort: opsPort.port, dashboardPort: dashboardPort.port }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

/** What every role has: the database, the queue, the worker. */
async function openParts(config: Config, overrides: Overrides, closers: (() => Promise<unknown>)[]) {
  const database = overrides.database ?? (await openDatabase(config))
  const { logDestination } = overrides
  const runtime = overrides.runtime ?? createRuntime(config.logLevel, { now: database.now, logDestination })
  if (!overrides.database) closers.push(database.close)
  const commit = createCommit(database, { ...groupLimits(database), ...overrides.groups })
  const secrets = await secretsOf(config)
  const { publicUrl } = config
  const kinds = kindsOf(config)
  const endpointGuard = endpointGuardOf(config)
  const strangers = createStrangers(config.unknownKeysPerMinute)
  const passwords = createPasswords()
  const admin = adminOf({
    commit,
    runtime,
    secrets,
    strangers,
    passwords,
    operator: { kind: 'operator', name: 'service' },
    kinds,
    endpointGuard,
    publicUrl,
    onChange: {
      connections: (accountId) => delivery.connections.forget(accountId),
      endpoints: (accountId) => told.forget(accountId),
    },
  })
  await ensureKeys(config, admin)
  await lookAfterConnections(config, admin.connections, runtime.log)
  await lookAfterEndpoints(admin.endpoints, runtime.log)
  const queue = await openQueue(database, queues, { log: runtime.log, supervise: config.workerInside })
  closers.push(queue.close)
  const metrics = createMetrics({
    queue,
    channelStates: () => delivery.states(),
    dueEvents: () => told.countDue(),
    endpoints: () => countStates(commit.reader),
  })
  const told = createEventService({
    commit,
    endpoints: admin.endpoints,
    guard: endpointGuard,
    runtime,
    answerMs: overrides.answerMs,
    check: config.production ? undefined : await createEventCheck(),
    onAttempt: metrics.eventTried,
    onDisabled: metrics.endpointDisabled,
  })
  closers.push(told.loop.stop)
  const delivery = createDelivery({
    commit,
    queue,
    secrets,
    runtime,
    events: told.events,
    purge: createPurge({ commit, runtime, retentionDays: config.retentionDays }),
    jobsMax: database.kind === 'embedded' ? { local: 4, remote: 256 } : { local: 32, remote: 2048 },
    kinds,
    publicUrl,
    openSettings: admin.connections.open,
    replaced: overrides.channels,
    answerMs: overrides.answerMs,
    onOutcome: metrics.delivered,
    onSandboxText: overrides.onSandboxText,
  })
  closers.push(delivery.connections.close)
  const countingLoop = createCountingLoop({
    count: createCounting({ commit, runtime, retentionDays: config.retentionDays }),
    log: runtime.log,
  })
  return {
    ...delivery,
    events: told.events,
    eventLoop: told.loop,
    countingLoop,
    runtime,
    commit,
    admin,
    secrets,
    passwords,
    metrics,
  }
}

/** Seals what older secrets have sealed anew, and says what an operator has to see to. */
async function lookAfterConnections({ production }: Config, connections: Connections, log: Log): Promise<void> {
  const { resealed, unreadable } = await connections.reseal()
  if (resealed > 0) log.info({ connections: resealed }, 'sealed anew under the first secret')
  for (const { accountId, id } of unreadable) {
    log.error({ account_id: accountId, connection: id }, 'sealed under a secret that is not held: apply its list again')
  }
  for (const use of production ? await connections.inLiveUse(firstConnection.kind) : []) {
    log.warn(use, 'an account with live keys has a connection that reaches no phone')
  }
}

/** The same with the secrets of endpoints. */
async function lookAfterEndpoints(endpoints: Endpoints, log: Log): Promise<void> {
  const { resealed, unreadable } = await endpoints.reseal()
  if (resealed > 0) log.info({ endpoints: resealed }, 'sealed anew under the first secret')
  for (const { accountId, id } of unreadable) {
    log.error({ account_id: accountId, endpoint: id }, 'sealed under a secret that is not held: rotate its secret')
  }
}

/** The servers, which do not listen yet. */
async function createDoors(
  config: Config,
  { timeouts }: Overrides,
  parts: Parts,
  { isStopping, apiUrl }: { isStopping: () => boolean; apiUrl: () => string },
) {
  const { commit, runtime, metrics, receipts, worker } = parts
  const crowd = { connectionsMax: config.connectionsPerAddress, log: runtime.log }
  const isForUs = createHostCheck([config.host, config.opsHost, ...config.opsHosts])
  const api = await createApiServer(config, {
    ...parts,
    isForUs,
    isStopping,
    crowd,
    timeouts,
    reports: {
      accept: receipts.accept,
      handshake: receipts.handshake,
      onReport: (report) => {
        metrics.reported(report)
        // It may have begun the next leg.
        if (report.status === 200) worker.wake()
      },
    },
    onAnswer: (answer) => {
      metrics.answered(answer)
      if (answer.method === 'POST' && answer.status === 200) worker.wake()
    },
  })
  const ops = createOps({
    metrics,
    checkReady: async () => {
      if (isStopping()) throw new Error('stopping')
      await ping(commit.reader)
    },
    sandboxMessages: (phone) => listSandboxMessages(commit.reader, phone, runtime.now()),
    isForUs,
    log: runtime.log,
    crowd,
    timeouts,
  })
  const dashboard = await createDashboardServer(config, { ...parts, apiUrl, isStopping, crowd, timeouts })
  return { api, ops, dashboard }
}
