/** What an example meets: the service as a process of its own, with sandbox phones; and the example, as its README starts it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { jsonOf, run } from '../support/cli.ts'
import { freePort } from '../support/port.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'

const root = join(import.meta.dirname, '../..')
/** The pinned Node comes first, as in every command of npm. */
const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)

export interface Stage {
  service: Running
  /** Of the default account, with every scope. */
  liveKey: string
  testKey: string
  /** The latest code that a sandbox phone got, as soon as it is there. */
  code: (phone: string) => Promise<string>
  /** Confirms a code by its phone, as the READMEs do. @returns whether it was confirmed now */
  confirm: (phone: string) => Promise<boolean>
  /** Runs a command of the operator. @returns what it prints as JSON */
  cli: <Value>(...args: string[]) => Promise<Value>
  /** The same, with more in the environment. */
  cliWith: <Value>(settings: Record<string, string>, ...args: string[]) => Promise<Value>
  close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchword-examples-'))
  const port = `${await freePort()}`
  const settings = { DATA_DIR: dataDir, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
  const service = await whenReady(launchProcess('serve', settings))
  const cliWith: Stage['cliWith'] = async (more, ...args) => jsonOf(await run({ ...settings, ...more }, args))
  const keyIn = async (name: string) => (await readFile(join(dataDir, name), 'utf8')).trim()
  const liveKey = await keyIn('live-key')
  return {
    service,
    liveKey,
    testKey: await keyIn('test-key'),
    code: (phone) =>
      vi.waitFor(
        async () => {
          const answer = await fetch(`${service.opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
          const texts = ((await answer.json()) as { text: string; at: string }[]).toSorted((one, other) =>
            other.at.localeCompare(one.at),
          )
          return /[0-9]{6}$/.exec(texts[0]?.text ?? '')![0]!
        },
        { timeout: 60_000, interval: 20 },
      ),
    confirm: async (phone) => {
      const headers = { Authorization: `Bearer ${liveKey}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ phone })
      const answer = await fetch(`${service.url}/v1/verify/confirm`, { method: 'POST', headers, body })
      return ((await answer.json()) as { data: { confirmed: boolean } }).data.confirmed
    },
    cli: (...args) => cliWith({}, ...args),
    cliWith,
    close: async () => {
      await service.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Started {
  child: ChildProcess
  output: () => string
  ended: Promise<unknown>
}

/** Runs a command in the folder of an example, with nothing in its environment but the settings. */
export function start(example: string, [program = '', ...words]: string[], settings: Record<string, string>): Started {
  const env = { PATH: path, HOME: tmpdir(), ...settings }
  const child = spawn(program, words, { cwd: join(root, 'examples', example), env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return { child, output: () => output, ended: once(child, 'close') }
}

/** Starts the server of an example. @returns where it listens */
export async function serve(example: string, file: string, settings: Record<string, string>) {
  const started = start(example, ['node', file], { PORT: `${await freePort()}`, ...settings })
  const found = () => {
    if (started.child.exitCode !== null) throw new Error(started.output())
    return /http:\S+/.exec(started.output())![0]
  }
  const url = await vi.waitFor(found, { timeout: 60_000, interval: 20 })
  const end = async () => {
    started.child.kill('SIGKILL')
    await started.ended
  }
  return { ...started, url, end }
}

/** Applies the `inlets.yaml` of an example. @returns where its inlet is posted to */
export async function applyInlet(stage: Stage, example: string, secrets: Record<string, string>): Promise<string> {
  await stage.cliWith(secrets, 'inlets', 'apply', join(root, 'examples', example, 'inlets.yaml'), '--json')
  const [inlet] = await stage.cli<{ url: string }[]>('inlets', 'list', '--json')
  return inlet!.url
}

/** What the compiler says against an example, under its own settings; empty when all is well. */
export function compile(example: string): Promise<string> {
  return runIn(example, 'tsc')
}

/** Makes the types of the contract, by the command of the example. @returns what went wrong; empty when all is well */
export function makeTypes(example: string, url: string): Promise<string> {
  return runIn(example, 'npm run --silent types', { WATCHWORD_URL: url })
}

async function runIn(example: string, command: string, settings: Record<string, string> = {}): Promise<string> {
  const cwd = join(root, 'examples', example)
  const env = { HOME: tmpdir(), PATH: [join(cwd, 'node_modules/.bin'), path].join(delimiter), ...settings }
  return promisify(execFile)('sh', ['-c', command], { cwd, env }).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}
