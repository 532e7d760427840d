/** The composition root: the one file that sees every layer. What is opened is closed in the reverse order. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Admin, adminOf, openDatabase } from './admin.ts'
import type { Config } from './config.ts'
import { bindContract, missingHandlers } from './contract/binder.ts'
import { createLocalCors } from './contract/cors.ts'
import { filledCharactersMax, scopes } from './contract/document.ts'
import { createGate, type GateOptions, withDeadline } from './contract/gate.ts'
import { createGuard } from './contract/guard.ts'
import { createHostGate } from './contract/host.ts'
import { createApiServer, createHttp, type ServerTimeouts } from './contract/http.ts'
import { mockAnswer } from './contract/mock.ts'
import { createPublished } from './contract/published.ts'
import { createThrottle } from './contract/throttle.ts'
import { ensureKeyFiles, newSecret, readOrMakeSecret } from './dataFolder.ts'
import type { Channels } from './delivery/channel.ts'
import { createSandbox } from './delivery/channels/sandbox.ts'
import { createAbandon, createDeliver } from './delivery/deliver.ts'
import { createExpire } from './delivery/expire.ts'
import { createPurgeTask } from './delivery/purge.ts'
import { createSandboxReports } from './delivery/receipts.ts'
import { createWorker, type Worker } from './delivery/worker.ts'
import { defaultAccount } from './domain/account.ts'
import { createIdempotency } from './domain/idempotency.ts'
import { liveLimits } from './domain/limit.ts'
import { createMessages } from './domain/message.ts'
import { createNotifications } from './domain/notification.ts'
import { createPurge } from './domain/retention.ts'
import { createSecrets } from './domain/secret.ts'
import { createVerifications } from './domain/verification.ts'
import { createHostCheck } from './host.ts'
import { createMetrics } from './metrics.ts'
import { operations } from './operations/index.ts'
import { createOps } from './ops.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { type Database, ping } from './store/connect.ts'
import { openQueue } from './store/queue.ts'
import { listSandboxMessages } from './store/sandboxMessage.ts'

/** Milliseconds for which clients with open connections are told to close them, before a stopping process does. */
const drainMs = 500
/** Milliseconds that a stopping process waits for requests under way. */
const unfinishedMs = 6000
/** Milliseconds for the database to answer whether it is there. */
const readyMs = 2000

function gateOptions({ database }: Config): GateOptions {
  const width = database.kind === 'postgres' ? database.connectionsMax : 20
  return { width, waitingMax: width * 50, waitMs: 2000, workMs: 10_000 }
}

export interface App extends Admin {
  worker: Worker
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
  runtime?: Runtime
  /** Opened and brought to this version by the caller, who also closes it. */
  database?: Database
  /** More channels, or others in place of the built-in ones. */
  channels?: Channels
  timeouts?: ServerTimeouts
  drainMs?: number
  /** Shows what a sandbox phone receives. */
  onSandboxText?: (phone: string, text: string) => void
}

/** @throws DatabaseHeld, or what the driver throws when the database is out of reach */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const runtime = overrides.runtime ?? createRuntime(config.logLevel)
  const { log } = runtime
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  try {
    const database = overrides.database ?? (await openDatabase(config))
    if (!overrides.database) closers.push(database.close)
    const session = database.db
    const admin = adminOf(database, runtime)
    const secrets = createSecrets([...(config.secrets ?? [await ownSecret(config)])])
    await ensureKeys(config, admin)
    const queue = await openQueue(database, log, { supervise: config.workerInside })
    closers.push(queue.close)
    const metrics = createMetrics(queue)

    const sandbox = createSandbox({ session, queue, runtime, onText: overrides.onSandboxText })
    const channels: Channels = { sandbox, ...overrides.channels }
    const deliver = createDeliver({ session, queue, secrets, channels, runtime, onOutcome: metrics.delivered })
    const worker = createWorker(
      queue,
      [
        { queue: 'deliver', run: deliver },
        { queue: 'sandbox-report', run: createSandboxReports(session, queue, channels) },
        { queue: 'abandoned', run: createAbandon({ session, queue, runtime }) },
        {
          queue: 'purge',
          run: createPurgeTask(session, queue, createPurge(session, runtime, config.retentionDays), log),
        },
      ],
      createExpire(session, runtime),
      log,
      database.kind === 'embedded' ? 10 : 50,
    )

    const { codeTtlSeconds, countriesAllowed } = config
    const policy = { codeTtlSeconds, countriesAllowed, limits: liveLimits, filledCharactersMax, channel: 'sandbox' }
    const missing = missingHandlers(operations)
    if (missing.length > 0) log.warn({ operations: missing }, 'no handler: answered from the examples of the contract')
    const contract = await bindContract(
      operations,
      {
        verifications: createVerifications(runtime, secrets, queue, policy),
        notifications: createNotifications(runtime, secrets, queue, policy),
        messages: createMessages(runtime),
      },
      {
        session,
        admission: {
          authenticate: admin.apiKeys.authenticate,
          throttle: createThrottle(config.keyRatePerSecond, config.keyBurst),
        },
        idempotency: createIdempotency(session, runtime, secrets),
        gate: createGate(gateOptions(config)),
        unhandled: config.production ? undefined : mockAnswer,
      },
    )
    const isForUs = createHostCheck([config.host, config.opsHost, ...config.opsHosts])
    let stopping = false
    let closing: Promise<void> | undefined
    const api = createHttp({
      contract,
      before: [
        ...(config.sandboxKey ? [createHostGate(isForUs), createLocalCors()] : []),
        createPublished(),
        ...(config.production ? [] : await createGuard(log)),
      ],
      runtime,
      isStopping: () => stopping,
      onAnswer: (answer) => {
        metrics.answered(answer)
        if (answer.method === 'POST' && answer.status === 200) worker.wake()
      },
    })
    const ops = createOps({
      metrics,
      checkReady: async () => {
        if (stopping) throw new Error('stopping')
        await withDeadline(ping(session), readyMs)
      },
      sandboxMessages: (phone) => listSandboxMessages(session, phone, runtime.now()),
      isForUs,
      log,
    })

    return {
      ...admin,
      worker,
      listen: async (roles) => {
        const opsPort = await listen(createServer({ requireHostHeader: false }, ops), config.opsPort, config.opsHost)
        closers.push(() => opsPort.shut(0))
        if (roles.worker) {
          worker.start()
          closers.push(worker.stop)
        }
        if (!roles.api) return { port: undefined, opsPort: opsPort.port }
        const apiServer = createApiServer(api, runtime.newTraceId, overrides.timeouts)
        const apiPort = await listen(apiServer, config.port, config.host)
        closers.push(() => apiPort.shut(overrides.drainMs ?? drainMs))
        return { port: apiPort.port, opsPort: opsPort.port }
      },
      close: () => {
        stopping = true
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The secret of a process that shares none: kept beside its database, and forgotten with it. */
function ownSecret({ database, dataDir }: Config): Promise<string> | string {
  return database.kind === 'memory' ? newSecret() : readOrMakeSecret(dataDir)
}

/** The keys that a service has from its start. */
async function ensureKeys({ sandboxKey, database, dataDir, devKeys }: Config, admin: Admin): Promise<void> {
  if (sandboxKey) {
    if (await admin.apiKeys.knows(sandboxKey)) return
    const { id: accountId } = await admin.accounts.require(defaultAccount)
    await admin.apiKeys.register(sandboxKey, { accountId, name: 'sandbox', mode: 'test', scopes, expiresAt: null })
  } else if (database.kind === 'embedded' || devKeys) {
    await ensureKeyFiles(dataDir, admin, scopes, { onlyFirst: !devKeys })
  }
}

interface Listening {
  port: number
  /**
   * Resolves when every request that was accepted has its answer. For `drainMs` a client with an open connection may still
   * ask, and is told to close it: closing it on them first would cut off the request that they are just sending.
   */
  shut: (drainMs: number) => Promise<void>
}

async function listen(server: Server, port: number, host: string): Promise<Listening> {
  let underWay = 0
  server.prependListener('request', (_request, response) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    shut: async (drainMs) => {
      await new Promise((resolve) => setTimeout(resolve, drainMs))
      const closed = new Promise((resolve) => server.close(resolve))
      const givenUpAt = performance.now() + unfinishedMs
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        // A connection that never asked for anything does not count as idle; one that never ends its request is not waited for.
        if (underWay === 0 || performance.now() > givenUpAt) server.closeAllConnections()
      }, 20)
      await closed
      clearInterval(sweep)
    },
  }
}
