/** A server as a process of its own: the service, its worker, or a bare server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { residentMb } from './process.ts'

export interface Server {
  pid: number
  port: number
  opsPort: number
  /** 0 where there is none, as for `port`. */
  dashboardPort: number
  /** Milliseconds from its start until it said that it is ready. */
  readyMs: number
  /** Mebibytes of memory when it was ready. */
  restMb: number
  /** Kills it, unless told to ask. */
  end: (signal?: NodeJS.Signals) => Promise<void>
  /** Resolves when it is gone, whoever ended it. */
  ended: Promise<unknown>
}

interface Start {
  root: string
  folder: string
  settings: Record<string, string>
  /** Whether it is not to hear of a Ctrl-C at the terminal. */
  isApart?: boolean
}

const lookMs = 5
const running = new Set<() => void>()
let started = 0

/**
 * @param command a script and its arguments, from `root`
 * @param folder gets the log: in a file, since somebody would have to read a pipe
 * @throws Error when it ends before it is ready, with what it said
 */
export async function startServer(
  command: string[],
  { root, folder, settings, isApart = false }: Start,
): Promise<Server> {
  const log = join(folder, `${started++}.log`)
  const output = openSync(log, 'w')
  const startedAt = performance.now()
  const env = {
    PATH: process.env.PATH,
    // What the leash of the tool knows it by.
    TMPDIR: process.env.TMPDIR,
    NODE_ENV: 'production',
    // What is measured goes to the sandbox, where no provider is measured too.
    SANDBOX_LIVE: 'on',
    PORT: '0',
    OPS_PORT: '0',
    DASHBOARD_PORT: 'off',
    ...settings,
  }
  const stdio = ['ignore' as const, output, output]
  const child = spawn(process.execPath, command, { cwd: root, env, stdio, detached: isApart })
  closeSync(output)
  const closed = once(child, 'close')
  const kill = () => child.kill('SIGKILL')
  running.add(kill)
  closed.then(() => running.delete(kill))
  const ready = await readyLine(log, () => child.exitCode !== null || child.signalCode !== null)
  const pid = child.pid!
  return {
    pid,
    port: ready.port ?? 0,
    opsPort: ready.opsPort ?? 0,
    dashboardPort: ready.dashboardPort ?? 0,
    readyMs: performance.now() - startedAt,
    restMb: residentMb(pid),
    end: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await closed
    },
    ended: closed,
  }
}

/** Kills what is still running. */
export function endServers(): void {
  for (const kill of running) kill()
}

type Ports = Partial<Pick<Server, 'port' | 'opsPort' | 'dashboardPort'>>

async function readyLine(log: string, hasEnded: () => boolean): Promise<Ports> {
  for (;;) {
    const ended = hasEnded()
    const text = await readFile(log, 'utf8')
    const [line] = /^.*"msg":"ready".*(?=\n)/m.exec(text) ?? []
    if (line) return JSON.parse(line) as Ports
    if (ended) throw new Error(`A server ended before it was ready:\n${text}`)
    await setTimeout(lookMs)
  }
}
