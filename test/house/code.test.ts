/** The house rules that a compiler does not check: who opens transactions, who reads the environment, who answers, how long things are. */
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import {
  filesIn,
  forgetTrees,
  isWithin,
  namesIn,
  nodesIn,
  read,
  specifiersOf,
  targetOf,
  withoutTypes,
} from '../support/source.ts'

const source = filesIn('src')
const scripts = filesIn('scripts')
const tests = filesIn('test')

afterAll(forgetTrees)

describe('a transaction', () => {
  /** Those that can open one: what is behind the port to the database, and its one user. */
  const openers = [
    'src/store/engine/commit.ts',
    'src/store/engine/database.ts',
    'src/store/engine/embedded.ts',
    'src/store/engine/postgres/postgres.ts',
  ]

  it('is opened by the commit alone', () => {
    const others = [...source, ...scripts].filter((file) => !openers.includes(file))
    expect(others.filter((file) => namesIn(file).some(({ text }) => /^transact$/.test(text)))).toEqual([])
  })

  it('is made a Tx by the commit alone', () => {
    expect([...source, ...scripts].filter((file) => castsToTx(file, read(file)).length > 0)).toEqual([
      'src/store/engine/commit.ts',
    ])
  })

  it.each([
    'const tx = link as Tx',
    'work(link as unknown as Tx)',
    'const all = [link] as Tx[]',
    'const tx = <Tx>link',
  ])('is seen to be made by: %s', (text) => {
    expect(castsToTx('src/domain/x.ts', text)).toHaveLength(1)
  })
})

describe('the status of a message', () => {
  it('moves through one function', () => {
    const users = source.filter((file) => namesIn(file).some(({ text }) => text === 'applyChanges'))
    expect(users.toSorted()).toEqual(['src/domain/sending/message.ts', 'src/store/sending/change.ts'])
    expect(source.flatMap((file) => statusUpdates(file, read(file)))).toEqual(['src/store/sending/change.ts'])
  })

  it.each([
    'const x = write(`update message m set a = 1, status = $1 where m.id = $2`)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code as text
    'const x = write(`with a as (update message set ${b}, "status"=$1 returning 1) select 1`)',
    "const x = 'UPDATE message SET status = 1'",
    'const x = write(`insert into message (id) values (1) on conflict do update set status = excluded.status`)',
  ])('is seen to be moved by: %s', (text) => {
    expect(statusUpdates('src/x.ts', text)).toEqual(['src/x.ts'])
  })
})

describe('the sandbox', () => {
  it('a channel is named where deliveries are put together, where kinds are listed, and in old routes', () => {
    const rooms = ['src/store', 'src/domain', 'src/delivery', 'src/http', 'src/contract', 'src/app/apiServer.ts']
    const naming = source
      .filter((file) => rooms.some((room) => isWithin(file, room)) && !isWithin(file, 'src/delivery/channels/sandbox'))
      .filter((file) => namesIn(file).some(({ text }) => text === 'sandbox'))
    const places = ['src/delivery/channels/kinds.ts', 'src/delivery/delivery.ts', 'src/store/schema/schema.ts']
    expect(naming.toSorted()).toEqual(places)
  })
})

describe('the environment', () => {
  it('is read in one place, and handed to an operator who names it in a file', () => {
    const shells = ['src/process/process.ts: loadConfig(process.env)', 'src/cli.ts: createShell(process.env)']
    const faults = source.filter((file) => !isWithin(file, 'src/settings')).flatMap(environmentReads)
    expect(faults.toSorted()).toEqual(shells.toSorted())
  })
})

describe('answers', () => {
  const packages = ['express', 'cors', 'openapi-backend', 'node:http', 'node:https', 'node:http2']
  /** What a response is written with. */
  const writers = [
    ...['writeHead', 'setHeader', 'setHeaders', 'appendHeader', 'flushHeaders', 'statusCode'],
    ...['end', 'write', 'json', 'sendStatus', 'sendFile', 'redirect', 'pipe'],
  ]
  const writesIn = (file: string) => new Set(namesIn(file).flatMap(({ text }) => (writers.includes(text) ? text : [])))

  it('are given behind the doors', () => {
    // The roots make the servers, and must leave it at that.
    const roots = ['src/app/app.ts', 'src/app/apiServer.ts', 'src/app/twilioDoor.ts']
    // The simulator and the receiver of `endpoints listen` are no doors of the service.
    const doors = ['src/http', 'src/simulator', 'src/cli/receiver.ts']
    // They ask, and answer nothing: a service that runs, a proxy, the collector of traces.
    const callers = ['src/cli/beside.ts', 'src/outbound/proxy.ts', 'src/app/telemetry.ts']
    const others = source.filter((file) => !doors.some((door) => isWithin(file, door)))
    const users = others.filter((file) => packageImports(file, packages).length > 0)
    expect(users.filter((file) => ![...roots, ...callers].includes(file))).toEqual([])
    expect(roots.flatMap((file) => [...writesIn(file)])).toEqual([])
  })

  it('of the API are written in one place, but for the pages that anybody may read', () => {
    const pages = ['src/http/api/published.ts', 'src/http/api/reference']
    const others = ['src/http/ops', 'src/http/dashboard', 'src/http/commands']
    const doors = source.filter((file) => isWithin(file, 'src/http') && !others.some((door) => isWithin(file, door)))
    const writing = doors
      .filter((file) => !pages.some((page) => isWithin(file, page)))
      .map((file) => [file, writesIn(file)] as const)
    // Streams end, and what serves connections sees it. The door looks at what was written, and puts the trace on a page.
    const beyondEnd = writing.filter(([, writes]) => [...writes].some((name) => name !== 'end'))
    expect(beyondEnd.map(([file]) => file)).toEqual(
      expect.arrayContaining(['src/http/answer.ts', 'src/http/api/api.ts']),
    )
    expect(beyondEnd).toHaveLength(2)
    expect(writesIn('src/http/api/api.ts')).toEqual(new Set(['statusCode', 'write', 'setHeader']))
    expect(writing.filter(([file, writes]) => isWithin(file, 'src/http/api') && writes.has('end'))).toEqual([])
  })

  it.each([
    ['of the dashboard', 'src/http/dashboard', 'src/http/dashboard/reply.ts'],
    ['to commands', 'src/http/commands', 'src/http/commands/commands.ts'],
  ])('%s are written in one place', (_whose, door, place) => {
    const heads = ['writeHead', 'setHeaders', 'appendHeader', 'flushHeaders', 'statusCode', 'pipe']
    const writing = source.filter((file) => isWithin(file, door) && heads.some((name) => writesIn(file).has(name)))
    expect(writing).toEqual([place])
  })
})

describe('the code', () => {
  it('speaks to the database in the store alone', () => {
    const packages = ['drizzle-orm', 'pg', 'pg-boss', '@electric-sql/pglite', 'node:sqlite']
    const others = source.filter((file) => !isWithin(file, 'src/store'))
    expect(others.flatMap((file) => packageImports(file, packages))).toEqual([])
  })

  it('knows the tables as types alone: no process of the service loads Drizzle', () => {
    const loadsOf = (file: string) => specifiersOf(withoutTypes(read(file)))
    const tables = source.filter((file) => loadsOf(file).some((specifier) => isWithin(specifier, 'drizzle-orm')))
    expect(tables).toContain('src/store/schema/schema.ts')
    expect(tables.filter((file) => !isWithin(file, 'src/store/schema'))).toEqual([])
    const others = source.filter((file) => !tables.includes(file))
    expect(
      others.filter((file) => loadsOf(file).some((specifier) => tables.includes(targetOf(file, specifier) ?? ''))),
    ).toEqual([])
  })

  it.each([
    ['code', 300, [...source, ...scripts]],
    ['tests', 400, tests],
  ])('has no file of %s with more than %i lines', (_what, linesMax, files) => {
    expect(files.filter((file) => read(file).trimEnd().split('\n').length > linesMax)).toEqual([])
  })

  it('has no function of more than 60 lines', () => {
    expect([...source, ...scripts].flatMap((file) => longFunctions(file, read(file)))).toEqual([])
  })

  it('is told of a function that is too long, whatever it is', () => {
    const lines = (count: number) => '\n'.repeat(count - 1)
    expect(longFunctions('x.ts', `function f() {${lines(60)}}`)).toEqual([])
    for (const text of [
      `function f() {${lines(61)}}`,
      `const f = () => {${lines(61)}}`,
      `class X { f() {${lines(61)}} }`,
    ])
      expect(longFunctions('x.ts', text)).toEqual(['x.ts: f has 61 lines'])
  })

  it('has no bucket: no file or folder named utils, helpers, common or types', () => {
    const all = [...source, ...scripts, ...tests]
    expect(all.filter((file) => /(^|\/)(utils?|helpers?|common|types?)(\.|\/|$)/i.test(file))).toEqual([])
  })

  it('has no folder of more than 20 files: a room that grows becomes two', () => {
    const folders = Map.groupBy(source, (file) => file.slice(0, file.lastIndexOf('/')))
    expect([...folders].filter(([, files]) => files.length > 20).map(([folder]) => folder)).toEqual([])
  })
})

describe('the title of a test', () => {
  it('says the promise in at most 95 characters', () => {
    expect(tests.flatMap((file) => titlesIn(file, read(file)).filter((title) => title.length > 95))).toEqual([])
  })

  it('is found however the test is made', () => {
    const text = "it('a', x)\ntest.each([1])('b', x)\nit.skipIf(c)('d', x)\ndescribe('e', x)"
    expect(titlesIn('x.ts', text)).toEqual(['a', 'b', 'd'])
  })
})

describe('a test', () => {
  it('is left out where something is missing, and never for good', () => {
    const forGood = /^\s*(it|test|describe)(\.\w+)*\.(skip|todo|only|fails)\b/m
    expect(tests.filter((file) => forGood.test(read(file)))).toEqual([])
  })
})

/** Of tests, not of what they are described as a part of. */
function titlesIn(file: string, text: string): string[] {
  return nodesIn(file, text, ts.isCallExpression).flatMap(({ expression, arguments: [title] }) =>
    title && ts.isStringLiteralLike(title) && /^(it|test)$/.test(findCallee(expression)) ? title.text : [],
  )
}

/** The first name of a call: `it` of `it.each(…)(…)`. */
function findCallee(node: ts.Expression): string {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return findCallee(node.expression)
  return node.getText()
}

function castsToTx(file: string, text: string): ts.AssertionExpression[] {
  return nodesIn(file, text, ts.isAssertionExpression).filter(({ type }) => /\bTx\b/.test(type.getText()))
}

/** @returns the file, once for each statement that sets the status of messages, and for each that cannot be looked into */
function statusUpdates(file: string, text: string): string[] {
  const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
  return nodesIn(file, text, (node): node is ts.Expression => isText(node))
    .map((node) => node.getText())
    .filter((sql) => /\b(update message\b|insert into message\b.*\bdo update\b).*?\bset\b.*?\bstatus"?\s*=/is.test(sql))
    .map(() => file)
}

function longFunctions(file: string, text: string): string[] {
  return nodesIn(file, text, ts.isFunctionLike).flatMap((node) => {
    const lines = node.getText().split('\n').length
    const name = node.name ?? (node.parent as { name?: ts.Node }).name
    return lines > 60 ? `${file}: ${name?.getText() ?? 'a function'} has ${lines} lines` : []
  })
}

function packageImports(file: string, packages: string[]): string[] {
  const found = specifiersOf(read(file)).filter((specifier) =>
    // `http` is `node:http`.
    packages.some((name) => isWithin(specifier, name) || `node:${specifier}` === name),
  )
  return found.map((specifier) => `${file} imports ${specifier}`)
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
        call.arguments[0] === parent
      return `${file}: ${passedOn ? `${call.expression.getText()}(process.env)` : parent.getText()}`
    })
}
