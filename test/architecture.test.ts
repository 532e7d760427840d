/** The house rules that a compiler does not check: who may import whom, who reads the environment, who answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/**
 * What each room may import, beside its own files and packages; of an entry with `type`, only types. Tests may import
 * anything, and nothing imports them.
 */
const table: Record<string, string[]> = {
  generated: [],
  'src/problem.ts': ['generated'],
  'src/host.ts': [],
  'src/runtime.ts': [],
  'src/terminal.ts': [],
  'src/store': ['src/problem.ts', 'src/runtime.ts', 'type generated'],
  'src/domain': ['src/store', 'src/problem.ts', 'src/runtime.ts'],
  'src/operations': ['src/domain', 'type src/contract/operation.ts'],
  'src/contract': [
    'src/operations',
    'src/domain',
    'type src/host.ts',
    'src/problem.ts',
    'src/runtime.ts',
    'type src/store/connect.ts',
    'src/store/failure.ts',
    'generated',
  ],
  'src/http': [
    'src/contract/answer.ts',
    'type src/contract/operation.ts',
    'src/problem.ts',
    'type src/runtime.ts',
    'generated',
  ],
  'src/delivery': ['src/domain', 'src/store', 'src/problem.ts', 'src/runtime.ts'],
  'src/metrics.ts': ['type src/store/queue.ts'],
  'src/ops.ts': ['type src/host.ts', 'type src/metrics.ts', 'type src/runtime.ts'],
  'src/dataFolder.ts': ['src/domain'],
  'src/config.ts': ['src/contract/document.ts', 'src/domain/apiKey.ts', 'type src/store/connect.ts'],
  'src/admin.ts': ['src/config.ts', 'src/contract/document.ts', 'src/domain', 'src/runtime.ts', 'src/store'],
  'src/app.ts': [
    'src/admin.ts',
    'src/config.ts',
    'src/contract',
    'src/dataFolder.ts',
    'src/delivery',
    'src/domain',
    'src/host.ts',
    'src/metrics.ts',
    'src/operations',
    'src/ops.ts',
    'src/problem.ts',
    'src/runtime.ts',
    'src/store',
    'generated',
  ],
  'src/explain.ts': ['src/config.ts', 'src/domain/refusal.ts', 'src/store/failure.ts'],
  'src/main.ts': ['src/loading.js', 'src/process.ts'],
  'src/loading.js': [],
  'src/process.ts': ['src/app.ts', 'src/config.ts', 'src/runtime.ts', 'src/explain.ts', 'src/logOutput.ts'],
  'src/logOutput.ts': [],
  'src/cli.ts': [
    'src/admin.ts',
    'src/config.ts',
    'src/contract/document.ts',
    'src/domain',
    'src/explain.ts',
    'src/runtime.ts',
    'type src/store',
    'src/terminal.ts',
  ],
  'scripts/bench.ts': ['scripts/bench'],
  'scripts/bench': ['test/support'],
  'scripts/dev.ts': ['scripts', 'test/support'],
  scripts: ['src', 'generated'],
}

const linesMax = 400
const databasePackages = ['drizzle-orm', 'pg', 'pg-boss', '@electric-sql/pglite', 'node:sqlite']
const httpServerPackages = ['express', 'node:http', 'node:https', 'node:http2', 'openapi-backend', 'raw-body']
/** What a response is written with. */
const responseWriters = [
  ...['ServerResponse', 'writeHead', 'setHeader', 'setHeaders', 'appendHeader', 'flushHeaders', 'statusCode'],
  ...['end', 'write', 'send', 'json', 'sendStatus', 'sendFile', 'redirect', 'pipe', 'pipeline'],
]

const source = filesIn('src')
const scripts = filesIn('scripts')
const code = [...filesIn('generated'), ...source, ...scripts]
const written = [...source, ...scripts, ...filesIn('test')]

describe('the import table', () => {
  it('is kept: a file imports what its room may, and no more', () => {
    expect(code.flatMap((file) => importFaults(file, read(file)))).toEqual([])
  })

  it('has no room and no permission that is about nothing', () => {
    const places = [...Object.keys(table), ...Object.values(table).flat()].map((place) => place.replace('type ', ''))
    expect(places.filter((place) => ![...code, ...written].some((file) => isWithin(file, place)))).toEqual([])
  })

  it.each([
    ['src/domain/limit.ts', `import { x } from '../contract/binder.ts'`, 'src/contract/binder.ts'],
    ['src/domain/limit.ts', `import type { X } from '../app.ts'`, 'types of src/app.ts'],
    ['src/store/phone.ts', `export * from '../domain/limit.ts'`, 'src/domain/limit.ts'],
    ['src/store/phone.ts', `const x = await import('../domain/limit.ts')`, 'src/domain/limit.ts'],
    ['src/store/phone.ts', `type X = import('../domain/limit.ts').X`, 'types of src/domain/limit.ts'],
    ['src/store/schema.ts', `import x from '../../generated/contract.json' with {}`, 'generated/contract.json'],
    ['src/contract/http.ts', `import { connect, type Session } from '../store/connect.ts'`, 'src/store/connect.ts'],
    ['src/contract/http.ts', `import type { Rule } from '../store/phone.ts'`, 'types of src/store/phone.ts'],
    ['src/delivery/channels/sandbox.ts', `import { x } from '../../app.ts'`, 'src/app.ts'],
    ['src/app.ts', `import { x } from './cli.ts'`, 'src/cli.ts'],
    ['src/app.ts', `import { x } from '../scripts/generate.ts'`, 'scripts/generate.ts'],
    ['src/app.ts', `import { x } from '../test/support/config.ts'`, 'test/support/config.ts'],
    ['scripts/generate.ts', `import { x } from '../test/support/config.ts'`, 'test/support/config.ts'],
    ['generated/types.ts', `const x = require('../src/problem.ts')`, 'src/problem.ts'],
  ])('names the file and the import when %s has: %s', (file, text, imported) => {
    expect(importFaults(file, text)).toEqual([`${file} imports ${imported}`])
  })

  it('asks for a row for every new room', () => {
    expect(importFaults('src/events/publish.ts', '')).toEqual(['src/events/publish.ts has no row in the table'])
  })
})

describe('the code', () => {
  it('reads the environment in one place', () => {
    const shells = ['src/main.ts', 'src/cli.ts']
    const faults = source.filter((file) => file !== 'src/config.ts').flatMap((file) => environmentReads(file))
    expect(faults.filter((fault) => !shells.some((shell) => fault === `${shell}: loadConfig(process.env)`))).toEqual([])
  })

  it('writes answers of the API in the contract alone, and those of the operations port in its own file', () => {
    const others = source.filter((file) => !isWithin(file, 'src/contract') && file !== 'src/ops.ts')
    // The composition root makes the servers, and must leave it at that.
    const allowed = ['src/app.ts imports node:http']
    const faults = others.flatMap((file) => packageImports(file, httpServerPackages))
    expect(faults.filter((fault) => !allowed.includes(fault))).toEqual([])
    expect(namesIn('src/app.ts').filter(({ text }) => responseWriters.includes(text))).toEqual([])
  })

  it('speaks to the database in the store alone', () => {
    const others = source.filter((file) => !isWithin(file, 'src/store'))
    expect(others.flatMap((file) => packageImports(file, databasePackages))).toEqual([])
  })

  it(`has no file of more than ${linesMax} lines`, () => {
    const long = written.filter((file) => read(file).trimEnd().split('\n').length > linesMax)
    expect(long).toEqual([])
  })

  it('has no bucket: no file or folder named utils, helpers, common or types', () => {
    expect(written.filter((file) => /(^|\/)(utils?|helpers?|common|types?)(\.|\/|$)/i.test(file))).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`)
}

function importFaults(file: string, text: string): string[] {
  const room = Object.keys(table).find((place) => isWithin(file, place))
  if (!room) return [`${file} has no row in the table`]
  const atRunTime = new Set(specifiersOf(withoutTypes(text)))
  const faults = specifiersOf(text).map((specifier) => {
    if (!/^[./#]/.test(specifier)) return undefined
    const target = posix.join(posix.dirname(file), specifier)
    const typesOnly = !atRunTime.has(specifier)
    const allowed = [room, ...table[room]!].some((entry) => {
      const place = entry.replace('type ', '')
      return isWithin(target, place) && (typesOnly || entry === place)
    })
    return allowed ? undefined : `${file} imports ${typesOnly ? 'types of ' : ''}${target}`
  })
  return faults.filter((fault) => fault !== undefined)
}

function packageImports(file: string, packages: string[]): string[] {
  const found = specifiersOf(read(file)).filter((specifier) =>
    // `http` is `node:http`.
    packages.some((name) => isWithin(specifier, name) || `node:${specifier}` === name),
  )
  return found.map((specifier) => `${file} imports ${specifier}`)
}

/** Static and dynamic imports, `require`, types by `import('…')`, and references. */
function specifiersOf(text: string): string[] {
  const { importedFiles, referencedFiles } = ts.preProcessFile(text, true, true)
  return [...new Set([...importedFiles, ...referencedFiles].map(({ fileName }) => fileName))]
}

/** What is left when the process runs. */
function withoutTypes(text: string): string {
  const { ESNext } = ts.ModuleKind
  const compilerOptions = { module: ESNext, target: ts.ScriptTarget.ESNext, verbatimModuleSyntax: true }
  return ts.transpileModule(text, { compilerOptions }).outputText
}

/** Every identifier and string of a file. */
function namesIn(file: string): (ts.Identifier | ts.StringLiteral)[] {
  const found: (ts.Identifier | ts.StringLiteral)[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteral(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.ESNext, true))
  return found
}

/** Everything named `env`, whatever it is of: `process.env`, `process['env']`, `import { env }`, `const { env } =`. */
function environmentReads(file: string): string[] {
  return namesIn(file)
    .filter(({ text }) => text === 'env' || text === 'loadEnvFile')
    .map(({ parent }) => {
      const call = parent.parent
      const passedOn =
        ts.isPropertyAccessExpression(parent) &&
        parent.getText() === 'process.env' &&
        ts.isCallExpression(call) &&
        call.expression.getText() === 'loadConfig' &&
        call.arguments[0] === parent
      return `${file}: ${passedOn ? 'loadConfig(process.env)' : parent.getText()}`
    })
}
