/** The service as a process of its own, and what it says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Ports } from '../../src/app/app.ts'
import type { ProcessRole as AnyRole } from '../../src/settings/config.ts'

const root = join(import.meta.dirname, '../..')

export type Role = Exclude<AnyRole, 'cli'>

export interface Process {
  child: ChildProcess
  output: () => string
  errors: () => string
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export interface Running extends Process {
  ports: Ports
  url: string
  opsUrl: string
  dashboardUrl: string
  /** Messages that the process has handed to the channel. */
  deliveries: () => number
  end: (signal: NodeJS.Signals) => Process['ended']
}

/** Whose command is run, and as whom. */
interface Place {
  command: readonly string[]
  folder: string
  uid?: number
  gid?: number
}

/**
 * With nothing in its environment but the settings.
 *
 * @param place whose command it is; when left out, that of the installed package, or else of this checkout
 */
export function launchProcess(
  role: Role | readonly string[],
  settings: Record<string, string>,
  { command, folder, ...user }: Place = ownPlace(),
): Process {
  const env = { PATH: process.env.PATH, PORT: '0', OPS_PORT: '0', DASHBOARD_PORT: '0', ...settings }
  const [file = '', ...words] = command
  const child = spawn(file, [...words, ...[role].flat()], {
    cwd: folder,
    ...user,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { child, output: () => output, errors: () => errors, ended }
}

export function ownPlace(): Place {
  const installed = inject('installed')
  if (installed) return { command: installed.service, folder: installed.folder }
  return { command: [process.execPath, '--import', './src/loading.js', 'src/main.ts'], folder: root }
}

function linesOf({ output }: Process): string[] {
  return output().split('\n').filter(Boolean)
}

export function entriesOf(process: Process): Record<string, unknown>[] {
  return linesOf(process).map((line) => JSON.parse(line))
}

/** Resolves with the first line of the log that holds `text`, as soon as it is there. */
export function printed(launched: Process, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = linesOf(launched).find((line) => line.includes(text))
      if (found) resolve(found)
    }
    look()
    // After the listener that collects the output.
    launched.child.stdout?.on('data', look)
    launched.ended.then(() => reject(new Error(`ended without ${text}: ${launched.errors()}`)))
  })
}

/** Resolves when the process has said that it is ready. */
export async function whenReady(launched: Process): Promise<Running> {
  const line = await printed(launched, '"msg":"ready"')
  const ports = JSON.parse(line) as Ports
  const { port, opsPort, dashboardPort } = ports
  return {
    ...launched,
    ports,
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    dashboardUrl: `http://127.0.0.1:${dashboardPort}`,
    deliveries: () => launched.output().split('"msg":"delivery"').length - 1,
    end: (signal) => {
      launched.child.kill(signal)
      return launched.ended
    },
  }
}
