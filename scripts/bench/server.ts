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
  /** Milliseconds from its start until it said that it is ready. */
  readyMs: number
  /** Mebibytes of memory when it was ready. */
  restMb: number
  /** Kills it, unless told to ask. */
  end: (signal?: NodeJS.Signals) => Promise<void>
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
  { root, folder, settings }: { root: string; folder: string; settings: Record<string, string> },
): Promise<Server> {
  const log = join(folder, `${started++}.log`)
  const output = openSync(log, 'w')
  const startedAt = performance.now()
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: '0',
    OPS_PORT: '0',
    DASHBOARD_PORT: 'off',
    ...settings,
  }
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', output, output] })
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
    readyMs: performance.now() - startedAt,
    restMb: residentMb(pid),
    end: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await closed
    },
  }
}

/** Kills what is still running. */
export function endServers(): void {
  for (const kill of running) kill()
}

async function readyLine(log: string, hasEnded: () => boolean): Promise<{ port?: number }> {
  for (;;) {
    const ended = hasEnded()
    const text = await readFile(log, 'utf8')
    const [line] = /^.*"msg":"ready".*(?=\n)/m.exec(text) ?? []
    if (line) return JSON.parse(line) as { port?: number }
    if (ended) throw new Error(`A server ended before it was ready:\n${text}`)
    await setTimeout(lookMs)
  }
}
