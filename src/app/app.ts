/**
 * The composition root: the one file that sees every part. What is opened is closed in the reverse order; but the doors for
 * requests and the worker, each of which may take as long as a stop has time, end side by side.
 *
 * So SIGTERM, which `kit/stopping.ts` hears, ends in this order:
 *
 * 1. side by side: the API, which answers for `drainMs` more and then finishes what came; the dashboard; the upkeep; and after
 *    `drainMs` the worker, the sending of events and the counting, each of which finishes what it has begun
 * 2. the commands' socket, then the operations port: until then it says that the process is stopping
 * 3. what rules have counted is added for other processes; then the connections to providers, the connections to endpoints, the queue, the database, the export of traces
 *
 * After `patienceMs`, what is still under way is called off, and written down as such. After `stopMs`, the process ends as it is.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Receipts } from '../delivery/receipts.ts'
import { commandLine } from '../domain/access/actor.ts'
import type { Loop } from '../events/loop.ts'
import { listenForCommands } from '../http/commands/commands.ts'
import { createHostCheck } from '../http/host.ts'
import { createOps, createOpsGuest, type ServingState } from '../http/ops/ops.ts'
import { listen } from '../http/server.ts'
import type { CountingLoop } from '../jobs/counting.ts'
import type { UpkeepLoop } from '../jobs/upkeep.ts'
import type { Worker } from '../jobs/worker.ts'
import type { Log } from '../kit/runtime.ts'
import { patienceMs } from '../kit/stopping.ts'
import type { Config } from '../settings/config.ts'
import { sharesOps } from '../settings/ports.ts'
import type { Admin } from './admin.ts'
import { dashboardUrlOf, type FirstInvitation, formatUrl } from './greeting.ts'
import { createOperationsView, type OperationsView } from './operationsView.ts'
import { type Closers, type Overrides, openParts, type Parts } from './parts.ts'

/**
 * Milliseconds for which clients with open connections are told to close them, before a stopping process does. What they
 * still ask, its worker still does.
 */
const standardDrainMs = 500

export interface App {
  admin: Admin
  worker: Worker
  /** Brings events to endpoints. */
  eventLoop: Loop
  /** Counts messages into figures. */
  countingLoop: CountingLoop
  /** Looks after the embedded database. */
  upkeepLoop: UpkeepLoop
  receipts: Receipts
  /** Exchanges with other processes at once what rules count. @returns whether it could */
  exchangeCounts: () => Promise<boolean>
  /** What the operations port tells of this process. */
  operations: OperationsView
  log: Log
  /**
   * Starts the worker, the sending of events and the counting, if this process has them, and listens.
   *
   * @param roles `ops`: false where another process has the operations port, if that is a port of its own
   */
  listen: (roles: { api: boolean; worker: boolean; ops?: boolean }) => Promise<Ports>
  /** Accepts no more, finishes what is under way, and closes. */
  close: () => Promise<void>
}

/** The system has chosen those that were set to 0. */
export interface Ports {
  port: number | undefined
  /** Undefined in a process that has none of its own. */
  opsPort: number | undefined
  dashboardPort?: number
  /** Where the link for the dashboard's first owner is; undefined when there is nothing to say of it. */
  firstInvitation?: FirstInvitation | undefined
}

/** @throws DatabaseHeld, or what the driver throws when the database is out of reach */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const closers: Closers = []
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(closers, performance.now() + patienceMs)
    return closing
  }
  try {
    const parts = await openParts(config, overrides, closers)
    const operations = createOperationsView(parts, config)
    let isOpen = false
    const state = () => (closing ? 'stopping' : isOpen ? 'serving' : 'starting')
    const { admin, worker, eventLoop, countingLoop, upkeepLoop, receipts, runtime } = parts
    return {
      admin,
      worker,
      eventLoop,
      countingLoop,
      upkeepLoop,
      receipts,
      exchangeCounts: parts.counts.exchange,
      operations,
      log: runtime.log,
      close,
      listen: async (roles) => {
        const ports = await openDoors({ config, overrides, parts, operations, closers, state }, roles)
        isOpen = true
        return ports
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Opening {
  config: Config
  overrides: Overrides
  parts: Parts
  operations: OperationsView
  closers: Closers
  state: () => ServingState
}

/** The operations port comes first, so that the others can be waited for, and ends last. */
async function openDoors(
  { config, overrides, parts, operations, closers, state }: Opening,
  roles: Parameters<App['listen']>[0],
): Promise<Ports> {
  const { admin, upkeepLoop, runtime } = parts
  const { drainMs = standardDrainMs, timeouts } = overrides
  const { log } = runtime
  const isForUs = createHostCheck([config.host, config.opsHost, ...config.opsHosts])
  const crowd = { connectionsMax: config.connectionsPerAddress, log }
  let apiUrl = config.publicUrl ?? ''
  let dashboardUrl: string | undefined
  const letPagesRead =
    config.sandboxKey === undefined ? undefined : (await import('../http/sandboxGate.ts')).createLocalCors()
  const opsParts = { ...operations, state, isForUs, token: config.opsToken, letPagesRead, log }
  const isOpsGuest = sharesOps(config, roles)
  const doors = roles.api
    ? await (await import('./doors.ts')).createDoors(config, overrides, parts, {
        ...{ isForUs, crowd },
        ops: isOpsGuest
          ? createOpsGuest({ ...opsParts, metrics: { ...operations.metrics, ...overrides.metricsOfAll } })
          : undefined,
        isStopping: () => state() === 'stopping',
        apiUrl: () => apiUrl,
      })
    : undefined
  const hasOps = !isOpsGuest && roles.ops !== false
  const ops = hasOps
    ? createOps({ ...opsParts, isShared: config.opsShare !== undefined }, { crowd, timeouts })
    : undefined
  const opsDoor = ops && (await listen(ops, config.opsPort, config.opsHost))
  if (opsDoor) closers.push((until) => opsDoor.shut(0, until))
  if (config.database.kind === 'embedded') {
    const commands = await listenForCommands(config.database.dataDir, {
      ...{ admin, operator: commandLine, log },
      dashboardUrl: () => dashboardUrl,
      served: { publicUrl: config.publicUrl, twilioVerify: config.twilioVerify },
    })
    if (commands) closers.push((until) => commands.shut(0, until))
  }
  const atOnce: Closers = []
  closers.push((until) => Promise.all(atOnce.map((closer) => closer(until))))
  upkeepLoop.start()
  atOnce.push(upkeepLoop.stop)
  if (roles.worker) atOnce.push(startWork(parts, roles.api ? drainMs : 0))
  if (!doors) return { port: undefined, opsPort: opsDoor?.port }
  const { port, shut } = await listen(doors.api, config.port, config.host)
  atOnce.push((until) => shut(drainMs, until))
  if (!config.publicUrl) apiUrl = formatUrl(config.host, port)
  const { dashboard, dashboardServer } = doors
  const own = dashboardServer && (await listen(dashboardServer, config.dashboardPort ?? 0, config.dashboardHost))
  if (own) atOnce.push((until) => own.shut(0, until))
  const opsPort = opsDoor?.port ?? (isOpsGuest ? (config.opsShare === 'api' ? port : own?.port) : undefined)
  if (!dashboard) return { port, opsPort }
  const dashboardPort = own?.port ?? port
  dashboardUrl = dashboardUrlOf(config, dashboardPort)
  return { port, opsPort, dashboardPort, firstInvitation: await dashboard.inviteFirst(dashboardPort) }
}

/** @returns what ends it, after `drainMs` */
function startWork(parts: Parts, drainMs: number): Closers[number] {
  const { worker, eventLoop, countingLoop, connections, metrics, runtime } = parts
  const loops = [worker, eventLoop, countingLoop]
  metrics.purged(runtime.now())
  for (const loop of loops) loop.start()
  return async (until) => {
    const late = setTimeout(connections.close, until - performance.now())
    await wait(drainMs)
    await Promise.all(loops.map((loop) => loop.stop()))
    clearTimeout(late)
  }
}

async function closeAll(closers: Closers, until: number): Promise<void> {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer(until)
}
