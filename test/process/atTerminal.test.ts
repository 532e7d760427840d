/** The service as somebody sees it who starts it at a terminal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/settings/config.ts'
import { createClient } from '../support/client.ts'
import { installed } from '../support/installed.ts'

const python = installed('python3')
/** Runs a command at a terminal of its own, and shows what it says for as long as we read. */
const atTerminal = 'import pty, sys; pty.spawn(sys.argv[1:])'
const { sandboxKey } = loadConfig({}, { role: 'sandbox' })
const soon = { timeout: 50_000, interval: 50 }

interface Terminal {
  child: ChildProcess
  /** What is to be seen on it. */
  screen: () => string
  url: () => string
  opsUrl: () => string
}

const started: ChildProcess[] = []
afterAll(async () => {
  for (const child of started) {
    // The terminal goes, and with it who sits at it.
    child.kill('SIGKILL')
    child.stdout?.destroy()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

async function start(settings: Record<string, string>): Promise<Terminal> {
  const child = spawn(
    python!,
    ['-c', atTerminal, process.execPath, '--import', './src/loading.js', 'src/main.ts', 'sandbox'],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH, TERM: 'xterm', PORT: '0', OPS_PORT: '0', ...settings },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  started.push(child)
  let screen = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    screen += text.replaceAll('\r\n', '\n')
  })
  const urlOf = (name: string) => new RegExp(` ${name} +(http://[\\d.:]+)`).exec(screen)?.[1] ?? ''
  const terminal = { child, screen: () => screen, url: () => urlOf('API'), opsUrl: () => urlOf('Operations') }
  await vi.waitFor(() => expect(terminal.screen()).toContain(' Key '), soon)
  return terminal
}

describe.skipIf(!python)(`at a terminal${python ? '' : ' (skipped: no python3 on the PATH)'}`, () => {
  let terminal: Terminal
  beforeAll(async () => {
    terminal = await start({})
  })

  it('the service greets, then writes a short line for each request and for what phones get', async () => {
    expect(terminal.screen()).toMatch(/\n {2}API +http:.*\n {2}Reference +http:.*\/docs\n {2}Operations +http:.*\n/)
    await createClient(terminal.url(), sandboxKey).send('+14155550100')
    await vi.waitFor(() => expect(terminal.screen()).toMatch(/POST \/v1\/verify\/send \S*200\S* \S+ ms/), soon)
    await vi.waitFor(() => expect(terminal.screen()).toContain('\n  [phone +14155550100] Your code is 000000\n'), soon)
    expect(terminal.screen()).not.toContain('"msg"')
    expect(terminal.screen()).toContain('\u001b[32m200')
  })

  it('it serves on when the terminal is stopped, and loses lines', async () => {
    terminal.child.stdout!.pause()
    for (let burst = 0; burst < 30; burst++) {
      const answers = Array.from({ length: 100 }, () => fetch(`${terminal.url()}/nowhere`))
      expect((await Promise.all(answers)).every(({ status }) => status === 404)).toBe(true)
    }
    expect((await fetch(`${terminal.opsUrl()}/readyz`)).status).toBe(200)
  }, 60_000)
})

describe.skipIf(!python)('what is set for a terminal is kept to', () => {
  it('when it is to have no colours', async () => {
    const { screen } = await start({ NO_COLOR: '1' })
    expect(screen()).toMatch(/^\d\d:\d\d:\d\d ready role=sandbox /m)
    expect(screen()).not.toContain('\u001b')
  }, 60_000)

  it('when it is to have JSON', async () => {
    const { screen } = await start({ LOG_FORMAT: 'json' })
    expect(JSON.parse(screen().split('\n')[0]!)).toMatchObject({ msg: 'ready' })
  }, 60_000)
})
