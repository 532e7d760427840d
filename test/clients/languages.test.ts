/**
 * Client teams that write no TypeScript: what generators from npm make of the contract for their languages compiles, and
 * works. What the machine has no language for is skipped, and its title says what is missing.
 */
import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageOf } from '../support/docs.ts'
import { installed } from '../support/installed.ts'
import { namedExamples } from './examples.ts'
import { expected } from './outcome.ts'
import { drivers, generate, openStage, type Stage, withVersion } from './stage.ts'

interface Client {
  generator: string
  language: 'Python' | 'Go'
  driver: string
  /** What the machine would have to have. */
  needs: Record<string, unknown>
  /** Run beside the driver; both forms of the contract lie in the folder above. */
  command: [tool: string, ...options: string[]]
  /** Done in the folder before the generator runs, and after it. */
  before?: (folder: string) => Promise<void>
  after?: (folder: string) => void
}

const java = installed('java')
const go = installed('go')
/** Where Debian puts libraries; without modules, because nothing is to be fetched. */
const goEnvironment = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
const withOauth = go && canRun(go, 'list', 'golang.org/x/oauth2')
const withDateutil = pythonThatCan('import dateutil.parser')
const withOwnDates = pythonThatCan('import sys; assert sys.version_info >= (3, 11)')
const withUrllib = pythonThatCan('import certifi, dateutil.parser, six, urllib3')

const schemas = ['--src-lang', 'schema', '../openapi.3.1.json#/components/schemas/']
const clients: Client[] = [
  {
    generator: 'quicktype',
    language: 'Python',
    driver: 'quicktype.py',
    needs: { 'python3 with python-dateutil, or of version 3.11': withDateutil ?? withOwnDates },
    command: ['quicktype', ...schemas, '--lang', 'python', '--out', 'watchword.py'],
    ...(!withDateutil && { before: bringDates }),
  },
  {
    generator: 'quicktype',
    language: 'Go',
    driver: 'quicktype.go',
    needs: { go },
    command: ['quicktype', ...schemas, '--lang', 'go', '--package', 'main', '--out', 'types.go'],
  },
  {
    generator: '@openapitools/openapi-generator-cli',
    language: 'Python',
    driver: 'openapi-generator.py',
    needs: { java, 'python3 with certifi, python-dateutil, six and urllib3': withUrllib },
    command: [
      ...(['openapi-generator', 'generate', '-i', '../openapi.json', '-o', '.'] as const),
      ...['-g', 'python', '--package-name', 'watchword'],
    ],
  },
  {
    generator: '@openapitools/openapi-generator-cli',
    language: 'Go',
    driver: 'openapi-generator.go',
    needs: { java, go, 'golang.org/x/oauth2': withOauth },
    command: [
      ...(['openapi-generator', 'generate', '-i', '../openapi.json', '-o', '.'] as const),
      ...['-g', 'go-experimental', '--package-name', 'main'],
    ],
    // Of a value that is text, a number or a boolean, it makes a type that holds none of them. The driver has its own.
    before: (folder) => writeFile(join(folder, '.openapi-generator-ignore'), 'model_variable_value.go\n'),
    after: dropUnusedImports,
  },
]

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

it('is named on the page for client teams: each generator, its language and the version tried', () => {
  const page = pageOf('docs/clients.md')
  for (const { generator, language } of clients) expect(page).toContain(`| ${withVersion(generator)} | ${language} |`)
})

const cases = clients.map((client) => {
  const missing = Object.keys(client.needs).filter((need) => !client.needs[need])
  const title = `${withVersion(client.generator)} in ${client.language}`
  return [missing.length > 0 ? `${title} (skipped: no ${missing.join(', no ')})` : title, client, missing] as const
})

describe.each(cases)('a client made by %s', (_, client, missing) => {
  let folder: string
  let start: string[]
  beforeAll(async () => {
    if (missing.length > 0) return
    folder = await mkdtemp(join(stage.scratch, 'team-'))
    await cp(join(drivers, client.driver), join(folder, client.driver))
    await client.before?.(folder)
    await generate(folder, ...client.command)
    client.after?.(folder)
    start = client.language === 'Go' ? await compileGo(folder) : compilePython(folder, client)
  })

  /** Starts the driver, and reads what it prints. */
  async function ask(command: string[], input = ''): Promise<unknown> {
    const [program = '', ...others] = start
    return JSON.parse(await run(program, [...others, ...command], { cwd: folder }, input))
  }

  it.skipIf(missing.length > 0)('reads every example of the contract into its types, and writes it again', async () => {
    const examples = namedExamples()
    expect(examples.length).toBeGreaterThan(90)
    const written = await ask(['echo'], JSON.stringify(examples))
    // More may be written than was read: the value that a request leaves to its default.
    expect(comparable(written)).toMatchObject(comparable(examples.map(({ value }) => value)) as object)
  })

  it.skipIf(missing.length > 0)(
    'verifies a phone, notifies it, and reads what was refused and why from the type of that status',
    async () => expect(await ask(['drive', stage.url, await stage.key()])).toEqual(expected),
  )

  it.skipIf(missing.length > 0)('hands on a code that came into the list after it was made', async () => {
    expect(await ask(['refusal', stage.newerUrl])).toBe('404 code_of_tomorrow')
  })
})

/** @returns how to start it */
async function compileGo(folder: string): Promise<string[]> {
  const names = [...new Set(namedExamples().map(({ schema }) => schema))]
  const lines = names.map((name) => `\t"${name}": func() interface{} { return new(${name}) },`)
  const source = ['package main', '', 'var schemas = map[string]func() interface{}{', ...lines, '}', '']
  await writeFile(join(folder, 'schemas.go'), source.join('\n'))
  await run(go!, ['build', '-o', 'client', '.'], { cwd: folder, env: goEnvironment })
  return [join(folder, 'client')]
}

/** @returns how to start it */
function compilePython(folder: string, { driver, needs }: Client): string[] {
  const python = Object.values(needs).at(-1) as string
  execFileSync(python, ['-m', 'compileall', '-q', '.'], { cwd: folder })
  return [python, driver]
}

/** What quicktype's Python needs of python-dateutil, Python has had since 3.11. */
async function bringDates(folder: string): Promise<void> {
  await mkdir(join(folder, 'dateutil'))
  await writeFile(
    join(folder, 'dateutil/parser.py'),
    'from datetime import datetime\n\nparse = datetime.fromisoformat\n',
  )
}

/** openapi-generator leaves them to `goimports`, and Go compiles no file that has one. */
function dropUnusedImports(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('model_'))) {
    const source = readFileSync(join(folder, name), 'utf8')
    if (!source.includes('time.')) writeFileSync(join(folder, name), source.replace('\t"time"\n', ''))
  }
}

/** One way to write a time is as good as another, and leaving out what is null as good as writing it. */
function comparable(value: unknown): unknown {
  const isTime = /^\d{4}-\d\d-\d\dT/
  return JSON.parse(JSON.stringify(value), (_, part) => {
    if (typeof part === 'string' && isTime.test(part)) return new Date(part).toISOString()
    return part ?? undefined
  })
}

/** The first Python of the PATH that can do this: one of several may have the libraries. */
function pythonThatCan(statement: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'python3')).find((python) => canRun(python, '-c', statement))
}

function canRun(program: string, ...options: string[]): boolean {
  try {
    execFileSync(program, options, { env: goEnvironment, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function run(program: string, options: string[], settings: ExecFileOptions, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, options, settings, (error, output, errors) =>
      error ? reject(new Error(`${error.message}\n${errors}`)) : resolve(String(output)),
    )
    child.stdin?.end(input)
  })
}
