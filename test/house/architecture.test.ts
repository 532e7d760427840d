/** The picture in `docs/house.md`: who may import whom. */
import { describe, expect, it } from 'vitest'
import { domainRooms, rooms } from '../support/rooms.ts'
import { filesIn, isWithin, read, specifiersOf, targetOf, withoutTypes } from '../support/source.ts'

const code = [...filesIn('generated'), ...filesIn('src'), ...filesIn('scripts')]

describe('the import table', () => {
  it('is kept: a file imports what its room may, and no more', () => {
    expect(code.flatMap((file) => importFaults(file, read(file)))).toEqual([])
  })

  it('has no room and no permission that is about nothing', () => {
    const places = [...Object.keys(rooms), ...Object.values(rooms).flat()].map((place) => place.replace('type ', ''))
    const files = [...code, ...filesIn('test'), 'package.json']
    expect(places.filter((place) => !files.some((file) => isWithin(file, place)))).toEqual([])
    const imports = code.flatMap((file) =>
      targetsOf(file, read(file)).map((target) => [findRoom(file), target] as const),
    )
    const unused = Object.entries(rooms).flatMap(([room, entries]) =>
      entries.filter((entry) => !imports.some(([from, target]) => from === room && covers(entry, target))),
    )
    expect(unused).toEqual([])
  })

  it.each([
    ['src/domain/sending/limit.ts', `import { x } from '../../contract/document.ts'`, 'src/contract/document.ts'],
    ['src/domain/sending/limit.ts', `import type { X } from '../../app/app.ts'`, 'types of src/app/app.ts'],
    ['src/store/sending/limit.ts', `export * from '../../domain/sending/limit.ts'`, 'src/domain/sending/limit.ts'],
    [
      'src/store/sending/limit.ts',
      `const x = await import('../../domain/sending/limit.ts')`,
      'src/domain/sending/limit.ts',
    ],
    [
      'src/store/sending/limit.ts',
      `type X = import('../../domain/sending/limit.ts').X`,
      'types of src/domain/sending/limit.ts',
    ],
    [
      'src/store/schema/schema.ts',
      `import x from '../../../generated/contract.json' with {}`,
      'generated/contract.json',
    ],
    [
      'src/http/commands/calls.ts',
      `import { createUsers, type Users } from '../../domain/people/user.ts'`,
      'src/domain/people/user.ts',
    ],
    [
      'src/http/answer.ts',
      `import type { Caller } from '../domain/access/authentication.ts'`,
      'types of src/domain/access/authentication.ts',
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
    ['src/events/loop.ts', `import { x } from '../http/ops/ops.ts'`, 'src/http/ops/ops.ts'],
    ['src/app/app.ts', `import { x } from '../cli.ts'`, 'src/cli.ts'],
    ['src/app/app.ts', `import { x } from '../../scripts/generate.ts'`, 'scripts/generate.ts'],
    ['src/app/app.ts', `import { x } from '../../test/support/config.ts'`, 'test/support/config.ts'],
    ['scripts/generate.ts', `import { x } from '../test/support/config.ts'`, 'test/support/config.ts'],
    ['generated/types.ts', `const x = require('../src/kit/problem.ts')`, 'src/kit/problem.ts'],
  ])('names the file and the import when %s has: %s', (file, text, imported) => {
    expect(importFaults(file, text)).toEqual([`${file} imports ${imported}`])
  })

  it('asks for a row for every new room', () => {
    expect(importFaults('src/billing/invoice.ts', '')).toEqual(['src/billing/invoice.ts has no row in the table'])
  })
})

describe('the rooms of the domain', () => {
  const files = code.filter((file) => isWithin(file, 'src/domain'))

  it('are in an order: none imports one behind it, so there is no circle of rooms', () => {
    expect(files.flatMap((file) => arrowsUp(file, read(file)))).toEqual([])
  })

  it('are all in the list', () => {
    const found = new Set(files.map(domainRoomOf).filter((room) => room !== undefined))
    expect([...found].toSorted()).toEqual(domainRooms.toSorted())
  })

  it.each([
    [
      'src/domain/sending/limit.ts',
      `import type { X } from '../protection/known.ts'`,
      'src/domain/protection/known.ts',
    ],
    ['src/domain/access/account.ts', `import { x } from '../administration.ts'`, 'src/domain/administration.ts'],
  ])('names the file and the import when %s has: %s', (file, text, imported) => {
    expect(arrowsUp(file, text)).toEqual([`${file} imports ${imported}`])
  })
})

describe('a refusal', () => {
  // Each operation documents what any request may be refused with: the lint asks for it.
  const beforeAnyOperation = ['src/domain/access/authentication.ts']

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

/** Of `domain`; undefined for a file that lies beside its rooms. */
function domainRoomOf(file: string): string | undefined {
  return /^src\/domain\/(\w+)\//.exec(file)?.[1]
}

/** What a file of a room in `domain` imports of rooms behind it, also types. */
function arrowsUp(file: string, text: string): string[] {
  const floorOf = (one: string) => {
    const room = domainRoomOf(one)
    return room === undefined ? domainRooms.length : domainRooms.indexOf(room)
  }
  return targetsOf(file, text)
    .filter((target) => isWithin(target, 'src/domain') && floorOf(target) > floorOf(file))
    .map((target) => `${file} imports ${target}`)
}

/** The row that is most about the file. */
function findRoom(file: string): string | undefined {
  return Object.keys(rooms)
    .filter((place) => isWithin(file, place))
    .toSorted((one, other) => other.length - one.length)[0]
}

function targetsOf(file: string, text: string): string[] {
  return specifiersOf(text).flatMap((specifier) => targetOf(file, specifier) ?? [])
}

/** Whether an entry is about a file: a room has no say for the rooms within it. */
function covers(entry: string, target: string): boolean {
  const place = entry.replace('type ', '')
  return isWithin(target, place) && (!(place in rooms) || findRoom(target) === place)
}

function importFaults(file: string, text: string): string[] {
  const room = findRoom(file)
  if (!room) return [`${file} has no row in the table`]
  const atRunTime = new Set(targetsOf(file, withoutTypes(text)))
  const faults = targetsOf(file, text).map((target) => {
    const typesOnly = !atRunTime.has(target)
    const allowed =
      findRoom(target) === room ||
      rooms[room]!.some((entry) => covers(entry, target) && (typesOnly || !entry.startsWith('type ')))
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
