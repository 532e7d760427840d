/** The composition root: the one file that sees every part. What is opened is closed in the reverse order. */
import { type Admin, adminOf, groupLimits, openDatabase } from './admin.ts'
import { createApiServer } from './apiServer.ts'
import type { Config } from './config.ts'
import { ensureKeys, ownSecret } from './dataFolder.ts'
import type { Channels } from './delivery/channel.ts'
import { createDelivery, queues } from './delivery/delivery.ts'
import type { Worker } from './delivery/worker.ts'
import { createPurge } from './domain/retention.ts'
import { createSecrets } from './domain/secret.ts'
import { createStrangers } from './http/api/throttle.ts'
import { createHostCheck } from './http/host.ts'
import { createMetrics } from './http/ops/metrics.ts'
import { createOps } from './http/ops/ops.ts'
import { listen, type ServerTimeouts } from './http/server.ts'
import { createRuntime, type Log, type Runtime } from './runtime.ts'
import { createCommit } from './store/commit.ts'
import { type Database, ping } from './store/database.ts'
import { openQueue } from './store/queue.ts'
import { listSandboxMessages } from './store/sandboxMessage.ts'

/** Milliseconds for which clients with open connections are told to close them, before a stopping process does. */
const drainMs = 500

export interface App extends Admin {
  worker: Worker
  log: Log
  /**
   * Starts the worker, if this process has one, and listens.
   *
   * @returns the ports; the system has chosen those that were set to 0
   */
  listen: (roles: { api: boolean; worker: boolean }) => Promise<{ port: number | undefined; opsPort: number }>
  /** Accepts no more, finishes what is under way, and closes. */
  close: () => Promise<void>
}

export interface Overrides {
  /** With a clock of its own, in place of the database's. */
  runtime?: Runtime
  /** Opened and brought to this version by the caller, who also closes it. */
  database?: Database
  /** Others in place of the built-in ones. */
  channels?: Channels
  timeouts?: Partial<ServerTimeouts>
  drainMs?: number
  /** Shows what a sandbox phone receives. */
  onSandboxText?: (phone: string, text: string) => void
}

/** @throws DatabaseHeld, or what the driver throws when the database is out of reach */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  try {
    return await open(config, overrides, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  config: Config,
  overrides: Overrides,
  closers: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<App> {
  const database = overrides.database ?? (await openDatabase(config))
  const runtime = overrides.runtime ?? createRuntime(config.logLevel, database.now)
  if (!overrides.database) closers.push(database.close)
  const commit = createCommit(database, groupLimits(database))
  const admin = adminOf(commit, runtime, createStrangers(config.unknownKeysPerMinute))
  const secrets = createSecrets([...(config.secrets ?? [await ownSecret(config)])])
  await ensureKeys(config, admin)
  const queue = await openQueue(database, queues, { log: runtime.log, supervise: config.workerInside })
  closers.push(queue.close)
  const metrics = createMetrics(queue)
  const { worker, dispatch, route } = createDelivery({
    commit,
    queue,
    secrets,
    runtime,
    purge: createPurge({ commit, runtime, retentionDays: config.retentionDays }),
    jobsMax: database.kind === 'embedded' ? 2 : 8,
    replaced: overrides.channels,
    onOutcome: metrics.delivered,
    onSandboxText: overrides.onSandboxText,
  })
  let closing: Promise<void> | undefined
  const isStopping = () => closing !== undefined
  const crowd = { connectionsMax: config.connectionsPerAddress, log: runtime.log }
  const isForUs = createHostCheck([config.host, config.opsHost, ...config.opsHosts])
  const api = await createApiServer(config, {
    admin,
    commit,
    dispatch,
    route,
    secrets,
    runtime,
    isForUs,
    isStopping,
    crowd,
    timeouts: overrides.timeouts,
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
    timeouts: overrides.timeouts,
  })

  return {
    ...admin,
    worker,
    log: runtime.log,
    listen: async (roles) => {
      const opsPort = await listen(ops, config.opsPort, config.opsHost)
      closers.push(() => opsPort.shut(0))
      if (roles.worker) {
        worker.start()
        closers.push(worker.stop)
      }
      if (!roles.api) return { port: undefined, opsPort: opsPort.port }
      const apiPort = await listen(api, config.port, config.host)
      closers.push(() => apiPort.shut(overrides.drainMs ?? drainMs))
      return { port: apiPort.port, opsPort: opsPort.port }
    },
    close: () => {
      closing ??= closeAll()
      return closing
    },
  }
}
