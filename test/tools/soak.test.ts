/** The soak itself, for less than half a minute: it breaks things, finds nothing wrong, and leaves nothing behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { quickFolder } from '../support/memory.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(await quickFolder(), 'watchword-soaked-'))
  // PostgreSQL has a user of its own.
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Run {
  child: ChildProcess
  output: () => string
  /** Resolves when it has said that. */
  said: (text: string) => Promise<void>
  ended: Promise<unknown[]>
}

/** With a folder for temporary files in which nobody else has any. */
function soak(...args: string[]): Run {
  const child = spawn(process.execPath, ['scripts/soak.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        output += more
        if (output.includes(text)) resolve()
      })
    })
  said('')
  return { child, output: () => output, said, ended: once(child, 'close') }
}

async function reportIn(file: string) {
  return JSON.parse(await readFile(join(folder, file), 'utf8'))
}

/** Processes that work in that folder, or were told of it. */
function leftOver(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const [command, environment] = ['cmdline', 'environ'].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8'),
        )
        return `${command} ${environment}`.includes(folder) ? [`${pid} ${command}`] : []
      } catch {
        return []
      }
    })
}

/** What cleans up behind a command looks for a moment longer than the command runs. */
const nothingLeft = () => expect.poll(leftOver, { timeout: 20_000 }).toEqual([])

it('keeps a service under load and faults whole for a while, and says so', { timeout: 180_000 }, async () => {
  const args = ['--minutes', '0.4', '--rate', '25', '--fault-every', '6', '--seed', '6']
  const { ended, output } = soak(...args, '--report', join(folder, 'while.json'))
  expect([await ended, output()]).toEqual([[0, null], expect.stringContaining('All is well.')])
  const report = await reportIn('while.json')
  const { about, client, dashboards, faults, proved, scrapes, series, wrong } = report
  expect(wrong).toEqual([])
  expect(about).toMatchObject({ seed: 6, processors: expect.any(Number) })
  expect(proved.acknowledged).toBeGreaterThan(50)
  expect(proved.found).toBe(proved.acknowledged)
  expect(proved.verified).toBeGreaterThan(0)
  expect(proved.events.delivered).toBeGreaterThan(0)
  for (const count of [client.byStatus[200], dashboards.pages, scrapes.taken]) expect(count).toBeGreaterThan(0)
  expect(faults['primary lost, standby promoted']).toBe(1)
  // Each process of the installation, with all that is measured of it.
  const some = expect.any(Number)
  const all = { minute: 1, rssMb: some, heapMb: some, handles: some, connections: some }
  for (const name of ['serve 1', 'serve 2', 'worker 1', 'worker 2']) {
    const own = series.filter((one: { name: string }) => one.name === name)
    expect(own.flatMap(({ minutes }: { minutes: object[] }) => minutes)).toContainEqual(all)
  }
  await nothingLeft()
  expect(await readdir(folder)).toEqual(['while.json'])
})

it('ends at a Ctrl-C with the report so far', { timeout: 180_000 }, async () => {
  const { child, ended, output, said } = soak('--minutes', '30', '--rate', '25', '--report', join(folder, 'short.json'))
  await Promise.race([said('requests a second.'), ended])
  child.kill('SIGINT')
  expect([await ended, output()]).toEqual([[0, null], expect.stringContaining('All is well.')])
  expect(await reportIn('short.json')).toMatchObject({ about: { minutes: expect.any(Number) }, wrong: [] })
  await nothingLeft()
})

it('refuses a number that is none in a sentence, before it starts anything', async () => {
  const { ended, output } = soak('--minutes', '0')
  expect([await ended, output()]).toEqual([[2, null], ''])
})
