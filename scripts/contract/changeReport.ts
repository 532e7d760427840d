/** The changes that Redocly finds, in words: each by its path and the names of what stands there, never by an index. */
import { methods } from './answers.ts'
import type { Json } from './walk.ts'

export type Bump = 'major' | 'minor' | 'patch'

export interface RatedChange {
  /** Of the contract with its references followed: `#/paths/~1v1~1messages/get/parameters/0`. */
  path: string
  /** Of what changed: `Parameter`, `Schema`. */
  typeName: string
  kind: 'added' | 'removed' | 'modified'
  impact: Bump
  verdicts: { message: string; ruleId: string }[]
  property?: string
  base?: Place
  revision?: Place
}

interface Place {
  file: string
  /** Of the document itself. */
  pointer: string
  line: number
  col: number
  value?: unknown
}

interface Documents {
  /** With their references. */
  before: Json
  now: Json
  /** A file as people call it. */
  nameOf: (file: string) => string
}

const signs = { major: '✖ major', minor: '✔ minor', patch: '· patch' }
const order: Bump[] = ['major', 'minor', 'patch']

/** @returns the changes of one operation, event or section below its heading, those that matter most first */
export function reportChanges(changes: readonly RatedChange[], documents: Documents): string {
  const places = changes.map((change) => ({ change, ...describePlace(findNames(change, documents)) }))
  return [...Map.groupBy(places, ({ heading }) => heading)]
    .map(([heading, members]) => {
      const sorted = members.toSorted((a, b) => order.indexOf(a.change.impact) - order.indexOf(b.change.impact))
      return [heading, ...sorted.flatMap(({ change, label }) => formatLines(change, label, documents)), ''].join('\n')
    })
    .join('\n')
}

function formatLines(
  { kind, impact, verdicts, property, base, revision }: RatedChange,
  label: string,
  { nameOf }: Documents,
) {
  const { file, line, col } = (revision ?? base)!
  const what = [label, property].filter(Boolean).join(' · ')
  return [
    `  ${signs[impact]}  ${what === '' ? kind : `${kind.padEnd(8)}  ${what}`}`,
    ...verdicts.map(({ message, ruleId }) => `      ${message} (${ruleId})`),
    `      at ${nameOf(file)}:${line}:${col}`,
  ]
}

/** Under which heading a change stands, and where below that. */
function describePlace([section = 'document', item, method, ...rest]: string[]): { heading: string; label: string } {
  if (section === 'x-webhooks' && item !== undefined)
    return { heading: `${item} (webhook)`, label: [method, ...rest].filter(Boolean).join('/') }
  if (section !== 'paths' || item === undefined)
    return { heading: section, label: [item, method, ...rest].filter((name) => name !== undefined).join('/') }
  if (method === undefined || !methods.includes(method))
    return { heading: item, label: [method, ...rest].filter(Boolean).join('/') }
  return { heading: `${method.toUpperCase()} ${item}`, label: rest.join('/') }
}

/** The way to what changed; what is in a list has the name by which people know it. */
function findNames({ path, kind, base }: RatedChange, { before, now }: Documents): string[] {
  const keys = parsePointer(path).filter((key) => key !== '$ref')
  let at: unknown = now
  return keys.map((key, index) => {
    let list = behind(at, now)
    at = childOf(list, key)
    // What is gone stands in the earlier contract alone, under an index of its own.
    const isGone = kind === 'removed' && index === keys.length - 1
    if (isGone)
      [list, at] = parsePointer(base!.pointer).reduce<unknown[]>(
        ([, node], name) => [node, childOf(node, name)],
        [undefined, before],
      )
    return Array.isArray(list) ? (nameOfMember(at, isGone ? before : now) ?? key) : key
  })
}

function parsePointer(pointer: string): string[] {
  const names = pointer.replace(/^#\/?/, '').split('/')
  return names.filter(Boolean).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function childOf(node: unknown, key: string): unknown {
  return (node as Json | undefined)?.[key]
}

/** What stands there, or what it refers to: a discriminator does so in plain text. */
function behind(node: unknown, document: Json): unknown {
  const ref = typeof node === 'string' ? node : childOf(node, '$ref')
  return typeof ref === 'string' && ref.startsWith('#/')
    ? behind(parsePointer(ref).reduce<unknown>(childOf, document), document)
    : node
}

/** A parameter's and a tag's name, a server's URL, a schema's name or else its type, the scheme of a key. */
function nameOfMember(member: unknown, document: Json): string | undefined {
  if (typeof member !== 'object') return String(member)
  const { $ref, name, url, title, type } = { ...(behind(member, document) as Json), ...(member as Json) }
  const named = name ?? url ?? (typeof $ref === 'string' ? parsePointer($ref).at(-1) : undefined) ?? title ?? type
  return named === undefined ? Object.keys((member ?? {}) as Json).join('+') || undefined : String(named)
}
