/** What the README and `docs/` tell their readers to paste works, and what they state of the code is so. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ConfigError, loadConfig } from '../../src/settings/config.ts'
import { bashBlocksOf, pageOf, sectionOf } from '../support/docs.ts'

const root = join(import.meta.dirname, '../..')

describe('the quick start', () => {
  const [install, send, check, look, ...others] = bashBlocksOf(sectionOf('README.md', 'Quick start'))
  let folder: string
  let shell: ChildProcess
  let ports: { port: number; opsPort: number }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-readme-'))
    let output = ''
    // What is installed already is not installed again. A process group of its own: npm does not pass signals on.
    shell = inShell(install!.replace('npm ci && ', ''), { detached: true })
    shell.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    ports = await vi.waitFor(
      () => {
        expect(shell.exitCode, output).toBe(null)
        const line = output.split('\n').find((line) => line.includes('"msg":"ready"'))
        return JSON.parse(line ?? '') as typeof ports
      },
      { timeout: 80_000, interval: 50 },
    )
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${ports.opsPort}/readyz`)).status).toBe(200), {
      timeout: 30_000,
      interval: 50,
    })
  })
  afterAll(async () => {
    const ended = once(shell, 'close')
    signalGroup('SIGTERM')
    await vi.waitFor(() => expect(signalGroup(0)).toBe(false), { timeout: 15_000, interval: 50 }).catch(() => {})
    signalGroup('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })

  it('has one command to install and start, and three to paste in another shell', () => {
    expect(install).toBe('npm ci && npm start')
    expect(others).toEqual([])
  })

  it('sends a code', async () => {
    expect(JSON.parse(await paste(send))).toMatchObject({ success: true, data: { status: 'sent', expires_in: 600 } })
  })

  it('checks the code', async () => {
    expect(await paste(check)).toContain('"verified":true')
  })

  it('shows what the phone has', async () => {
    await vi.waitFor(
      async () => {
        const messages = JSON.parse(await paste(look)) as { phone: string; text: string }[]
        expect(messages).toEqual([expect.objectContaining({ phone: '+14155550100', text: 'Your Acme code is 000000' })])
      },
      { timeout: 60_000, interval: 50 },
    )
  })

  /** @returns what the command prints */
  async function paste(command: string | undefined): Promise<string> {
    const child = inShell(command!)
    const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)])
    expect(errors).toBe('')
    return output
  }

  /** In the checkout, with ports and a data folder that nobody else uses. */
  function inShell(command: string, options: { detached?: boolean } = {}): ChildProcess {
    const dataDir = join(folder, 'data')
    const moved = command
      .replaceAll(/\.data\b/g, dataDir)
      .replaceAll(':3000', `:${ports?.port}`)
      .replaceAll(':9464', `:${ports?.opsPort}`)
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, DATA_DIR: dataDir, PORT: '0', OPS_PORT: '0', DASHBOARD_PORT: '0' }
    return spawn('bash', ['-c', moved], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  }

  /** @returns whether there is still somebody */
  function signalGroup(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-shell.pid!, signal)
    } catch {
      return false
    }
  }
})

describe('what frontend developers paste', () => {
  const [mock, askMock, sandbox, askSandbox, ...others] = bashBlocksOf(pageOf('docs/frontend.md'))

  it('is a command and a request, for the mock and for the sandbox', () => {
    expect([mock, sandbox, others]).toEqual(['npm run mock', 'npm run sandbox', []])
  })

  it.each([
    ['the mock', `${mock} -- --port 0`, askMock!, { code: 'resend_cooldown', retry_after: 42 }],
    ['the sandbox', sandbox!, askSandbox!, { status: 'sent', expires_in: 600 }],
  ])('works: %s', async (_name, start, ask, data) => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, PORT: '0', OPS_PORT: '0', DASHBOARD_PORT: '0' }
    const shell = spawn('bash', ['-c', start], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    try {
      let output = ''
      shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
      const url = await vi.waitFor(() => /(?:listens on| {2}API) +(http:\S+)/.exec(output)![1]!, {
        timeout: 60_000,
        interval: 20,
      })
      const child = spawn('bash', ['-c', ask.replace(/http:\/\/127\.0\.0\.1:\d+/, url)], { env })
      expect(JSON.parse(await text(child.stdout))).toMatchObject({ data })
    } finally {
      // npm does not pass signals on.
      process.kill(-shell.pid!, 'SIGKILL')
    }
  })
})

describe('the table of settings', () => {
  const table = settingsTable()
  const load = (environment: Record<string, string>) => loadConfig(environment, { role: 'cli' })

  it('names every setting that the process reads, and no other', () => {
    const named = table.map(({ name, standard }) => ({ name, mayBeUnset: standard === undefined }))
    expect(named).toEqual(settingsRead())
  })

  it.each(table.filter(({ standard }) => standard))('has the true default of $name', ({ name, standard }) => {
    expect(load({ [name]: standard! })).toEqual(load({}))
  })

  it.each(table.filter(({ range }) => range))('has the true limits of $name', ({ name, range }) => {
    const [min, max] = range!
    for (const value of [min, max]) expect(() => load({ [name]: `${value}` })).not.toThrow()
    for (const value of [min - 1, max + 1]) expect(() => load({ [name]: `${value}` })).toThrow(ConfigError)
  })

  it.each(table.filter(({ choices }) => choices.length > 0))('has the true choices of $name', ({ name, choices }) => {
    for (const choice of choices) expect(() => load({ [name]: choice })).not.toThrow()
    expect(() => load({ [name]: 'another' })).toThrow(ConfigError)
  })
})

/** The rows of the table: name, default, meaning, limits. */
function settingsTable() {
  const rows = sectionOf('docs/operators.md', 'Settings').matchAll(/^\| `([A-Z_]+)` \| (.*?) \| .* \|(.*)\|$/gm)
  return Array.from(rows, ([, name, standard, limits]) => {
    const [, min, max] = /^ (\d+) to (\d+) $/.exec(limits!) ?? []
    const isList = /^ `\w+`(, `\w+`)+ $/.test(limits!)
    return {
      name: name!,
      /** Undefined for "none". */
      standard: /^`(.*)`$/.exec(standard!)?.[1],
      range: min && max ? ([Number(min), Number(max)] as const) : undefined,
      choices: isList ? Array.from(limits!.matchAll(/`(\w+)`/g), ([, choice]) => choice!) : [],
    }
  })
}

/** The members of the object `settings` in src/settings/config.ts, in its order. */
function settingsRead(): { name: string; mayBeUnset: boolean }[] {
  return settingsIn('src/settings/config.ts', 'settings')
}

/** Of the object of that name, with those of the objects that are spread into it. */
function settingsIn(file: string, wanted: string): { name: string; mayBeUnset: boolean }[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const form = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => name.getText() === wanted)?.initializer
  const object = form && ts.isCallExpression(form) ? form.arguments[0] : form
  if (!object || !ts.isObjectLiteralExpression(object)) throw new Error(`${file} has no object named "${wanted}"`)
  return object.properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property)) {
      const name = property.expression.getText()
      const from = source.statements.filter(ts.isImportDeclaration).find((one) => one.getText().includes(name))
      const module = from && ts.isStringLiteral(from.moduleSpecifier) ? from.moduleSpecifier.text : ''
      return settingsIn(join(dirname(file), module), name)
    }
    if (!ts.isPropertyAssignment(property)) return []
    const mayBeUnset = /\.optional\(\)\s*(\.meta\(secret\))?$/.test(property.initializer.getText())
    return { name: property.name.getText(), mayBeUnset }
  })
}
