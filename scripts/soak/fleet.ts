/** The processes of an installation: two that serve and two that deliver. The first of each is never ended. */
import { join } from 'node:path'
import { freePort } from '../../test/support/port.ts'
import { findProgram } from '../bench/program.ts'
import { type Server, startServer } from '../bench/server.ts'
import type { Findings } from './findings.ts'

export const names = ['serve 1', 'serve 2', 'worker 1', 'worker 2'] as const
export type Name = (typeof names)[number]
/** Those that stay for the whole time. */
export const steady: readonly Name[] = ['serve 1', 'worker 1']

export interface Running {
  name: Name
  /** 1 for the first process of that name, 2 for the one that took its place. */
  turn: number
  server: Server
}

export interface Fleet {
  running: () => readonly Running[]
  /** Ends one, and resolves when it is gone. */
  end: (name: Name, signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  start: (name: Name) => Promise<void>
  /** Where the API and the dashboard of a process are, also while it is away. */
  apiUrl: (name: Name) => string
  dashboardUrl: (name: Name) => string
  /** Ends all as an operator does. */
  stop: () => Promise<void>
}

interface FleetParts {
  folder: string
  root: string | undefined
  findings: Findings
}

/**
 * @param settings of all processes
 * @param root of what they run: this checkout when left out
 * @param findings told of a process that ends by itself
 */
export async function openFleet(
  settings: Record<string, string>,
  { folder, root = join(import.meta.dirname, '../..'), findings }: FleetParts,
): Promise<Fleet> {
  const running = new Map<Name, Running>()
  const turns = new Map<Name, number>()
  /** The same after each start, as a proxy before them knows them. */
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, { api: await freePort(), dashboard: await freePort() }])),
  ) as Record<Name, { api: number; dashboard: number }>
  const start = async (name: Name) => {
    const [role = ''] = name.split(' ')
    const { api, dashboard } = ports[name]
    const own = { WORKER: 'off', PORT: String(api), DASHBOARD_PORT: String(dashboard) }
    const program = await findProgram(root, role === 'serve' ? 'start' : 'worker')
    const server = await startServer([...program, role], {
      ...{ root, folder, isApart: true },
      // Each SMS tells its provider where to report.
      settings: { ...settings, PUBLIC_URL: `http://127.0.0.1:${ports['serve 2'].api}`, ...(role === 'serve' && own) },
    })
    const turn = (turns.get(name) ?? 0) + 1
    turns.set(name, turn)
    const one = { name, turn, server }
    running.set(name, one)
    server.ended.then(() => {
      if (running.get(name) === one) findings.add(`${name} ended by itself`)
    })
  }
  const end = async (name: Name, signal: 'SIGTERM' | 'SIGKILL') => {
    const one = running.get(name)
    running.delete(name)
    await one?.server.end(signal)
  }
  // One after the other: the first makes the tables.
  for (const name of names) await start(name)
  return {
    running: () => [...running.values()],
    end,
    start,
    apiUrl: (name) => `http://127.0.0.1:${ports[name].api}`,
    dashboardUrl: (name) => `http://127.0.0.1:${ports[name].dashboard}`,
    stop: async () => {
      await Promise.all(names.map((name) => end(name, 'SIGTERM')))
    },
  }
}
