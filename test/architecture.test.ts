/** The picture in `docs/house.md`: who may import whom. */
import { describe, expect, it } from 'vitest'
import { filesIn, isWithin, read, specifiersOf, targetOf, withoutTypes } from './support/source.ts'

/**
 * What each room may import, beside its own files and packages; of an entry with `type`, only types. A room within another
 * one is a room of its own. Tests may import anything, and nothing imports them.
 */
const table: Record<string, string[]> = {
  generated: [],
  'src/contract': ['generated'],
  'src/problem.ts': ['generated'],
  'src/runtime.ts': [],
  'src/terminal.ts': [],
  'src/loop.ts': ['type src/runtime.ts'],
  'src/places.ts': [],
  'src/countingLoop.ts': ['src/loop.ts', 'type src/domain', 'type src/runtime.ts'],
  'src/outbound': ['package.json'],
  // What goes from one database to another, whole.
  'src/transfer': ['src/domain/refusal.ts', 'type src/domain/secret.ts', 'src/store'],
  'src/store': ['src/problem.ts', 'type src/runtime.ts', 'type generated'],
  'src/domain': [
    'src/store',
    'src/contract/event.ts',
    // What an operation may be refused with: no rule may answer more.
    'type src/contract/operation.ts',
    'type src/outbound',
    'src/outbound/signature.ts',
    'src/places.ts',
    'src/problem.ts',
    'src/runtime.ts',
  ],

  // A channel is known to the one file that puts deliveries together, and knows nothing of how they are made.
  'src/delivery': ['src/domain', 'src/store', 'src/loop.ts', 'src/places.ts', 'src/problem.ts', 'type src/runtime.ts'],
  'src/delivery/channels': [
    'type src/delivery',
    'src/delivery/report.ts',
    'src/delivery/text.ts',
    'src/outbound',
    'type src/domain',
    'src/outbound/client.ts',
    'type src/runtime.ts',
    'type src/store',
    'src/store/sandboxMessage.ts',
  ],
  'src/delivery/delivery.ts': [
    'src/delivery',
    'src/delivery/channels',
    'src/domain',
    'type src/runtime.ts',
    'src/store',
  ],

  // What is told of is the domain's; whom it is told to and how, these know.
  'src/events': [
    'type src/domain',
    'src/domain/event.ts',
    'src/outbound',
    'src/loop.ts',
    'src/store',
    'type src/runtime.ts',
  ],

  // The doors share what lies beside them, and never import one another.
  'src/http': ['src/contract/document.ts', 'src/problem.ts', 'type src/runtime.ts', 'type generated'],
  'src/http/api': [
    'src/http',
    'src/contract',
    'src/domain',
    'src/problem.ts',
    'type src/runtime.ts',
    'src/store/failure.ts',
    'generated',
  ],
  'src/http/dashboard': [
    'type src/oidcSettings.ts',
    'src/ownCommand.ts',
    'src/http',
    'src/contract/document.ts',
    'src/contract/event.ts',
    'src/domain',
    'src/problem.ts',
    'type src/runtime.ts',
    'type src/store',
  ],
  'src/http/commands': [
    'src/http',
    'type src/admin.ts',
    'src/domain/refusal.ts',
    'type src/runtime.ts',
    'package.json',
  ],
  'src/http/ops': ['src/http', 'type src/runtime.ts', 'type src/store/queue.ts'],
  'src/http/reports': [
    'src/http',
    'type src/delivery',
    'src/delivery/report.ts',
    'type src/runtime.ts',
    'src/store/failure.ts',
  ],

  // The providers on this machine: of the service, they know nothing.
  'src/simulator': ['src/http/host.ts', 'src/http/html.ts'],
  'src/simulate.ts': ['src/ownCommand.ts', 'src/simulator', 'src/terminal.ts'],

  'src/config.ts': [
    'src/ownCommand.ts',
    'src/contract/document.ts',
    'src/domain/keyText.ts',
    'src/oidcSettings.ts',
    'src/outbound/address.ts',
    'type src/store/connect.ts',
    'src/store/serverUrls.ts',
  ],
  'src/admin.ts': [
    'type src/config.ts',
    'src/contract/document.ts',
    'src/dataFolder.ts',
    'type src/delivery/channel.ts',
    'src/delivery/channels/kinds.ts',
    'src/delivery/check.ts',
    'src/delivery/delivery.ts',
    'src/domain',
    'src/outbound/address.ts',
    'src/runtime.ts',
    'src/store',
    'src/transfer',
  ],
  'src/dataFolder.ts': ['type src/config.ts', 'src/contract/document.ts', 'src/domain'],
  'src/apiServer.ts': [
    'type src/admin.ts',
    'type src/config.ts',
    'src/contract/document.ts',
    'src/domain',
    'src/http',
    'src/http/api',
    'src/http/reports',
    'src/problem.ts',
    'type src/runtime.ts',
    'type src/store/commit.ts',
  ],
  'src/dashboardServer.ts': [
    'type src/admin.ts',
    'type src/config.ts',
    'src/dataFolder.ts',
    'src/domain',
    'src/http',
    'src/http/dashboard',
    'src/localUrl.ts',
    'type src/store/commit.ts',
  ],
  'src/parts.ts': [
    'src/admin.ts',
    'type src/config.ts',
    'src/contract/eventCheck.ts',
    'src/countingLoop.ts',
    'src/dataFolder.ts',
    'type src/delivery',
    'src/delivery/channels/kinds.ts',
    'src/delivery/delivery.ts',
    'src/domain',
    'src/events',
    'type src/http',
    'src/http/api/throttle.ts',
    'src/http/ops',
    'src/runtime.ts',
    'src/store',
  ],
  'src/doors.ts': [
    'src/apiServer.ts',
    'type src/config.ts',
    'src/dashboardServer.ts',
    'src/http',
    'src/http/ops',
    'type src/parts.ts',
    'src/store',
  ],
  'src/app.ts': [
    'type src/admin.ts',
    'type src/config.ts',
    'type src/countingLoop.ts',
    'src/dashboardServer.ts',
    'type src/delivery',
    'src/doors.ts',
    'type src/events',
    'src/http',
    'src/http/commands',
    'src/localUrl.ts',
    'src/parts.ts',
    'type src/runtime.ts',
  ],
  'src/explain.ts': ['src/config.ts', 'src/domain/refusal.ts', 'src/store/failure.ts'],
  'src/loading.js': [],
  'src/logOutput.ts': [],
  'src/logLines.ts': ['src/contract/document.ts', 'src/terminal.ts'],
  'src/greeting.ts': [],
  'src/localUrl.ts': [],
  'src/oidcSettings.ts': ['type src/domain/actor.ts'],
  'src/ownCommand.ts': [],
  'src/watchword.ts': ['src/main.ts', 'src/cli.ts'],
  'src/main.ts': ['src/loading.js', 'src/process.ts', 'src/simulate.ts'],
  'src/stopping.ts': [],
  // Several processes of one start: each is the service, but for what they have together.
  'src/cluster': [
    'src/app.ts',
    'type src/config.ts',
    'type src/doors.ts',
    'src/http',
    'src/http/api/throttle.ts',
    'src/http/ops',
    'type src/logOutput.ts',
    'src/runtime.ts',
    'src/stopping.ts',
  ],
  'src/process.ts': [
    'src/app.ts',
    'src/cluster',
    'src/config.ts',
    'src/explain.ts',
    'src/greeting.ts',
    'src/localUrl.ts',
    'src/logLines.ts',
    'src/logOutput.ts',
    'src/ownCommand.ts',
    'src/runtime.ts',
    'src/stopping.ts',
    'src/terminal.ts',
    'package.json',
  ],
  'src/cli.ts': [
    'src/cli',
    'src/domain/refusal.ts',
    'src/explain.ts',
    'src/ownCommand.ts',
    'src/runtime.ts',
    'src/terminal.ts',
  ],
  'src/cli': [
    'src/admin.ts',
    'src/config.ts',
    'src/contract',
    'src/dataFolder.ts',
    'src/domain',
    'src/http/commands/calls.ts',
    'src/localUrl.ts',
    'src/outbound/signature.ts',
    'src/ownCommand.ts',
    'type src/store',
    'src/store/connect.ts',
    'src/store/failure.ts',
    'src/terminal.ts',
    'src/transfer',
  ],
  'scripts/bench': ['src/admin.ts', 'src/config.ts', 'src/simulator', 'test/support'],
  'scripts/bench.ts': ['scripts/bench'],
  'scripts/soak': [
    'src/admin.ts',
    'src/config.ts',
    'src/domain/account.ts',
    'src/simulator',
    'src/terminal.ts',
    'type generated',
    'scripts/bench',
    'test/faults/database.ts',
    'test/support/port.ts',
    'test/support/visitor.ts',
  ],
  'scripts/soak.ts': ['scripts/soak'],
  'scripts/conformance': [
    'generated',
    'package.json',
    'scripts/contract',
    'src/contract',
    'src/domain/keyText.ts',
    'src/terminal.ts',
  ],
  'scripts/conformance.ts': ['scripts/conformance'],
  'scripts/dev.ts': ['scripts', 'test/support'],
  'scripts/package.ts': ['scripts', 'package.json'],
  'scripts/screenshots.ts': ['scripts', 'src', 'test/support'],
  scripts: ['src'],
}

const code = [...filesIn('generated'), ...filesIn('src'), ...filesIn('scripts')]

describe('the import table', () => {
  it('is kept: a file imports what its room may, and no more', () => {
    expect(code.flatMap((file) => importFaults(file, read(file)))).toEqual([])
  })

  it('has no room and no permission that is about nothing', () => {
    const places = [...Object.keys(table), ...Object.values(table).flat()].map((place) => place.replace('type ', ''))
    const files = [...code, ...filesIn('test'), 'package.json']
    expect(places.filter((place) => !files.some((file) => isWithin(file, place)))).toEqual([])
    const imports = code.flatMap((file) => targetsOf(file, read(file)).map((target) => [roomOf(file), target] as const))
    const unused = Object.entries(table).flatMap(([room, entries]) =>
      entries.filter((entry) => !imports.some(([from, target]) => from === room && covers(entry, target))),
    )
    expect(unused).toEqual([])
  })

  it.each([
    ['src/domain/limit.ts', `import { x } from '../contract/document.ts'`, 'src/contract/document.ts'],
    ['src/domain/limit.ts', `import type { X } from '../app.ts'`, 'types of src/app.ts'],
    ['src/store/limit.ts', `export * from '../domain/limit.ts'`, 'src/domain/limit.ts'],
    ['src/store/limit.ts', `const x = await import('../domain/limit.ts')`, 'src/domain/limit.ts'],
    ['src/store/limit.ts', `type X = import('../domain/limit.ts').X`, 'types of src/domain/limit.ts'],
    ['src/store/schema.ts', `import x from '../../generated/contract.json' with {}`, 'generated/contract.json'],
    ['src/store/queue.ts', `import { createLog, type Log } from '../runtime.ts'`, 'src/runtime.ts'],
    [
      'src/http/answer.ts',
      `import type { Caller } from '../domain/authentication.ts'`,
      'types of src/domain/authentication.ts',
    ],
    ['src/http/server.ts', `import { x } from './api/api.ts'`, 'src/http/api/api.ts'],
    ['src/http/ops/ops.ts', `import { x } from '../api/api.ts'`, 'src/http/api/api.ts'],
    ['src/http/api/api.ts', `import type { X } from '../ops/metrics.ts'`, 'types of src/http/ops/metrics.ts'],
    ['src/http/reports/reports.ts', `import { x } from '../api/api.ts'`, 'src/http/api/api.ts'],
    ['src/http/api/api.ts', `import type { X } from '../../delivery/channel.ts'`, 'types of src/delivery/channel.ts'],
    ['src/delivery/deliver.ts', `import { x } from './delivery.ts'`, 'src/delivery/delivery.ts'],
    [
      'src/delivery/deliver.ts',
      `import { x } from './channels/sandbox/sandbox.ts'`,
      'src/delivery/channels/sandbox/sandbox.ts',
    ],
    ['src/delivery/channels/sandbox/sandbox.ts', `import { x } from '../../deliver.ts'`, 'src/delivery/deliver.ts'],
    ['src/apiServer.ts', `import { x } from './http/ops/ops.ts'`, 'src/http/ops/ops.ts'],
    ['src/app.ts', `import { x } from './cli.ts'`, 'src/cli.ts'],
    ['src/app.ts', `import { x } from '../scripts/generate.ts'`, 'scripts/generate.ts'],
    ['src/app.ts', `import { x } from '../test/support/config.ts'`, 'test/support/config.ts'],
    ['scripts/generate.ts', `import { x } from '../test/support/config.ts'`, 'test/support/config.ts'],
    ['generated/types.ts', `const x = require('../src/problem.ts')`, 'src/problem.ts'],
  ])('names the file and the import when %s has: %s', (file, text, imported) => {
    expect(importFaults(file, text)).toEqual([`${file} imports ${imported}`])
  })

  it('asks for a row for every new room', () => {
    expect(importFaults('src/billing/invoice.ts', '')).toEqual(['src/billing/invoice.ts has no row in the table'])
  })
})

describe('a refusal', () => {
  // Each operation documents what any request may be refused with: the lint asks for it.
  const beforeAnyOperation = ['src/domain/authentication.ts']

  it('of an operation is answered and not thrown: only then is its code a part of the type', () => {
    const throwing = code.filter((file) => /throw new Problem\(/.test(read(file)))
    const own = throwing.filter((file) => isWithin(file, 'src/domain') || isWithin(file, 'src/http/api/operations'))
    expect(own).toEqual(beforeAnyOperation)
  })
})

describe('imports go one way', () => {
  it('also within a room: no file imports, by way of others, itself', () => {
    const graph = new Map(code.map((file) => [file, targetsOf(file, read(file))]))
    expect(circlesIn(graph)).toEqual([])
  })

  it('and a circle is told as a whole', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['d']],
      ['d', ['b']],
    ])
    expect(circlesIn(graph)).toEqual(['b → c → d → b'])
  })
})

/** The row that is most about the file. */
function roomOf(file: string): string | undefined {
  return Object.keys(table)
    .filter((place) => isWithin(file, place))
    .toSorted((one, other) => other.length - one.length)[0]
}

function targetsOf(file: string, text: string): string[] {
  return specifiersOf(text).flatMap((specifier) => targetOf(file, specifier) ?? [])
}

/** Whether an entry is about a file: a room has no say for the rooms within it. */
function covers(entry: string, target: string): boolean {
  const place = entry.replace('type ', '')
  return isWithin(target, place) && (!(place in table) || roomOf(target) === place)
}

function importFaults(file: string, text: string): string[] {
  const room = roomOf(file)
  if (!room) return [`${file} has no row in the table`]
  const atRunTime = new Set(targetsOf(file, withoutTypes(text)))
  const faults = targetsOf(file, text).map((target) => {
    const typesOnly = !atRunTime.has(target)
    const allowed =
      roomOf(target) === room ||
      table[room]!.some((entry) => covers(entry, target) && (typesOnly || !entry.startsWith('type ')))
    return allowed ? undefined : `${file} imports ${typesOnly ? 'types of ' : ''}${target}`
  })
  return faults.filter((fault) => fault !== undefined)
}

/** @returns each circle once, from where it is met first */
function circlesIn(graph: Map<string, string[]>): string[] {
  const circles = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.add([...path.slice(path.indexOf(file)), file].join(' → '))
    else if (!done.has(file)) for (const target of graph.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return [...circles]
}
