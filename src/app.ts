/** The composition root: the one file that sees every part. What is opened is closed in the reverse order. */
import type { Admin } from './admin.ts'
import type { Config } from './config.ts'
import type { CountingLoop } from './countingLoop.ts'
import { openDashboard } from './dashboardServer.ts'
import type { Receipts } from './delivery/receipts.ts'
import type { Worker } from './delivery/worker.ts'
import { createDoors, type Operations } from './doors.ts'
import type { Loop } from './events/loop.ts'
import { listenForCommands } from './http/commands/commands.ts'
import { listen } from './http/server.ts'
import { urlOf } from './localUrl.ts'
import { type Closers, type Overrides, openParts } from './parts.ts'
import type { Log } from './runtime.ts'

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
  /** What the operations port tells of this process. */
  operations: Operations
  log: Log
  /**
   * Starts the worker, the sending of events and the counting, if this process has them, and listens.
   *
   * @param roles `ops`: false where another process has the operations port
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
  /** The file that holds the link for the dashboard's first owner; undefined when it has one. */
  invitation?: string | undefined
}

/** @throws DatabaseHeld, or what the driver throws when the database is out of reach */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const closers: Closers = []
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(closers)
    return closing
  }
  try {
    const parts = await openParts(config, overrides, closers)
    const reached = { apiUrl: config.publicUrl ?? '' }
    const { api, ops, operations, dashboard } = await createDoors(config, overrides, parts, {
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
      operations,
      log: runtime.log,
      close,
      listen: async (roles) => {
        const opsDoor = roles.ops === false ? undefined : await listen(ops, config.opsPort, config.opsHost)
        if (opsDoor) closers.push(() => opsDoor.shut(0))
        const opsPort = opsDoor?.port
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
        if (!roles.api) return { port: undefined, opsPort }
        const apiPort = await listen(api, config.port, config.host)
        closers.push(() => apiPort.shut(overrides.drainMs ?? drainMs))
        if (!config.publicUrl) reached.apiUrl = urlOf(config.host, apiPort.port)
        if (config.dashboardPort === undefined) return { port: apiPort.port, opsPort }
        const dashboardPort = await openDashboard(config, parts, dashboard)
        closers.push(() => dashboardPort.shut(0))
        const { invitation } = dashboardPort
        return { port: apiPort.port, opsPort, dashboardPort: dashboardPort.port, invitation }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function closeAll(closers: Closers): Promise<void> {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
}
