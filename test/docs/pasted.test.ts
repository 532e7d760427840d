/** What pages tell operators to paste into a shell, pasted there one after the other, beside a service that `npm start` has started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allBlocksOf, commandsOf, pageOf } from '../support/docs.ts'
import { freePort } from '../support/port.ts'
import { recordOf } from './notPasted.ts'
import { type Fill, pages } from './pastedPages.ts'

const root = join(import.meta.dirname, '../..')

let folder: string
let ports: { api: number; ops: number; simulator: number }
const programs: ChildProcess[] = []
/** What was printed in this folder, for pages that go on with an id that another one has made. */
let printed = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-pasted-'))
  // A checkout in which nobody has worked: its files are here, its data is not.
  const kept = (await readdir(root)).filter((name) => !['.data', '.git'].includes(name))
  for (const name of kept) await symlink(join(root, name), join(folder, name))
  ports = { api: await freePort(), ops: await freePort(), simulator: await freePort() }
  await program(`npm run simulate -- --port ${ports.simulator}`, 'listens on')
  await program('TWILIO_VERIFY=on npm start', '"msg":"ready"')
})
afterAll(async () => {
  for (const { pid } of programs) process.kill(-pid!, 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

describe.each(pages)('$page', ({ page, files = {}, fill = [], says, shows }) => {
  it('has commands that work as they are pasted, in their order', async () => {
    for (const [name, words] of Object.entries(files)) {
      const block = allBlocksOf(pageOf(page)).find(({ language, text }) => language === 'yaml' && text.includes(words))
      await writeFile(join(folder, name), filled(block!.text, fill))
    }
    const shell = openShell()
    const before = printed.length
    const commands = commandsOf(page).filter((one) => !recordOf(page, one))
    for (const command of commands) {
      const { exitCode, output } = await shell.run(filled(command, fill))
      expect(exitCode, `${command}\n${output}`).toBe(0)
      printed += output
    }
    if (shows) {
      const again = filled(commands.at(-1)!, fill)
      await vi.waitFor(async () => expect((await shell.run(again)).output).toMatch(shows), {
        timeout: 20_000,
        interval: 50,
      })
    }
    shell.close()
    for (const words of says) expect(printed.slice(before)).toMatch(words)
  })
})

/** With the ports of this test, and with what a reader has to fill in. */
function filled(text: string, fill: readonly Fill[]): string {
  const here = text
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.api}`)
    .replaceAll('127.0.0.1:9464', `127.0.0.1:${ports.ops}`)
    .replaceAll('127.0.0.1:9700', `127.0.0.1:${ports.simulator}`)
  return fill.reduce((filling, [place, value]) => {
    if (!filling.includes(place)) return filling
    const found = typeof value === 'string' ? value : Array.from(printed.matchAll(value)).at(-1)?.[0]
    return filling.replaceAll(place, found ?? `nothing was printed like ${value}`)
  }, here)
}

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  const { api, ops } = ports
  const settings = { PORT: `${api}`, OPS_PORT: `${ops}`, DASHBOARD_PORT: '0', PUBLIC_URL: `http://127.0.0.1:${api}` }
  return { PATH, HOME, ...settings }
}

/** Starts what goes on, in a process group of its own: npm does not pass signals on. Resolves when it has said so. */
async function program(command: string, ready: string): Promise<void> {
  const child = spawn('bash', ['-c', command], {
    ...{ cwd: folder, env: environment(), detached: true },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const look = () => {
    expect(child.exitCode, output).toBe(null)
    expect(output).toContain(ready)
  }
  await vi.waitFor(look, { timeout: 80_000, interval: 50 })
}

/** A shell that a reader has open for a page. */
function openShell() {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: environment(), stdio: 'pipe' })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const run = async (command: string) => {
    const mark = randomUUID()
    const from = output.length
    child.stdin.write(`{ ${command}\n} < /dev/null 2>&1; echo "${mark} $?"\n`)
    while (!/ \d+\n$/.test(output.slice(from).split(mark)[1] ?? '')) await once(child.stdout, 'data')
    const [said = '', exitCode] = output.slice(from).split(mark)
    return { output: said, exitCode: Number(exitCode) }
  }
  return { run, close: () => child.stdin.end() }
}
