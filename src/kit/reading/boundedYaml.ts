/** YAML of somebody else, read into plain values, with the line of each: bounded, and without anything that YAML can do beside. */
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import { versionFault, yamlWords } from './yamlWords.ts'

/** Something that is wrong in a file. */
export interface FileFault {
  /** From 1 on. */
  line: number
  /** The members that lead to it. */
  path: readonly PropertyKey[]
  /** Never quotes what may be a secret. */
  fault: string
}

export interface ReadYaml {
  value: unknown
  faults: FileFault[]
  /** The line of a place; of the nearest place above it that has one, where there is none. */
  lineOf: (path: readonly PropertyKey[]) => number
}

/** Bytes. The longest provider file that ships has a fifth of that. */
export const boundedYamlBytesMax = 64 * 1024
const depthMax = 24
/** Signs that YAML gives a meaning: each costs the parser time. The fullest provider file that ships has a third of that. */
const marksMax = 3000
/** More help nobody. */
const faultsMax = 100
/** Names by which JavaScript reaches what every object has. */
const hostileNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** @param isKept as version 1.1.0 read it: its first document alone, and by the version of YAML that it names */
export function readBoundedYaml(text: string, { isKept = false } = {}): ReadYaml {
  const lines = new Map<string, number>()
  const lineOf = nearestLine((path) => lines.get(keyOf(path)))
  const refused = (fault: string, line = 1): ReadYaml => ({
    value: undefined,
    faults: [{ line, path: [], fault }],
    lineOf,
  })
  if (Buffer.byteLength(text) > boundedYamlBytesMax) return refused(tooLong)
  if ((text.match(/[\n,:?&*!%[\]{}"'-]/g)?.length ?? 0) > marksMax) return refused('the file has too many members')
  const deep = tooDeepAt(text)
  if (deep !== undefined) return refused(tooDeep, deep)
  const counter = new LineCounter()
  // Names that are there twice are found below: the parser compares each with all others.
  const document = parseDocument(text, {
    lineCounter: counter,
    uniqueKeys: false,
    // Silent, it does not tell of a second document.
    logLevel: isKept ? 'silent' : 'error',
    prettyErrors: false,
    stringKeys: false,
  })
  // Those after the first follow from it.
  const [broken] = document.errors
  if (broken) return refused(`is no YAML: ${yamlWords(broken, text)}`, counter.linePos(broken.pos[0]).line)
  const other = versionFault(document.directives)
  if (other && !isKept) return refused(`is no YAML: ${other}`)
  const faults: FileFault[] = []
  const value = createWalk({ faults, lines, lineAt: (offset) => counter.linePos(offset).line })(document.contents, [])
  return { value, faults: firstFaults(faults), lineOf }
}

/** @param lineAt undefined where there is nothing @returns the line of a place, or of the nearest one above it */
export function nearestLine(lineAt: (path: readonly PropertyKey[]) => number | undefined): ReadYaml['lineOf'] {
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lineAt(path.slice(0, length))
      if (line !== undefined) return line
    }
    return 1
  }
}

/** @returns the first in the order of their lines, and how many more there are */
export function firstFaults(faults: readonly FileFault[]): FileFault[] {
  const sorted = faults.toSorted((one, other) => one.line - other.line)
  const more = sorted.length - faultsMax
  if (more <= 0) return sorted
  const first = sorted.slice(0, faultsMax)
  return [...first, { line: first.at(-1)!.line, path: [], fault: `there are ${more} more faults` }]
}

const tooLong = `the file is longer than ${boundedYamlBytesMax / 1024} KB`
const tooDeep = `is nested more than ${depthMax} deep`

/**
 * The parser calls itself for each bracket that is open, on whatever line, and for each dash and question mark of a line: what is
 * too deep is found before, by its own lexer, which calls itself for none. @returns the line
 */
function tooDeepAt(text: string): number | undefined {
  const indented = text.split('\n').findIndex((line) => line.length - line.trimStart().length > 400)
  if (indented >= 0) return indented + 1
  let [line, brackets, dashes] = [1, 0, 0]
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') brackets += 1
    else if (token === ']' || token === '}') brackets -= 1
    else if (token === '-' || token === '?') dashes += 1
    if (brackets > depthMax || dashes > depthMax) return line
    const ends = token.split('\n').length - 1
    line += ends
    if (ends > 0) dashes = 0
  }
  return undefined
}

interface WalkParts {
  faults: FileFault[]
  lines: Map<string, number>
  lineAt: (offset: number) => number
}

/** @returns takes the value out of a node, and writes down its lines and what is wrong */
function createWalk({ faults, lines, lineAt }: WalkParts) {
  const lineOfNode = (node: unknown) => lineAt((node as Partial<Node> | null)?.range?.[0] ?? 0)
  const refuse = (node: unknown, path: readonly PropertyKey[], fault: string) => {
    faults.push({ line: lineOfNode(node), path, fault })
    return undefined
  }
  const walk = (node: unknown, path: readonly PropertyKey[]): unknown => {
    if (!lines.has(keyOf(path))) lines.set(keyOf(path), lineOfNode(node))
    if (path.length > depthMax) return refuse(node, path, tooDeep)
    if (isAlias(node)) return refuse(node, path, 'must not be an alias (*): write the value itself')
    const { anchor, tag } = (node ?? {}) as { anchor?: string; tag?: string }
    if (anchor !== undefined) return refuse(node, path, 'must not have an anchor (&)')
    if (tag !== undefined) return refuse(node, path, 'must not have a tag (!)')
    if (isSeq(node)) return node.items.map((item, index) => walk(item, [...path, index]))
    if (isMap(node)) return Object.fromEntries(node.items.flatMap((pair) => toMember(pair, path)))
    return isScalar(node) ? toScalar(node.value, node.source) : null
  }
  const toMember = ({ key, value }: Pair, path: readonly PropertyKey[]): [string, unknown][] => {
    const name = isScalar(key) ? (key.source ?? String(key.value)) : undefined
    if (name === undefined) {
      refuse(
        key,
        path,
        isMap(key) ? 'begins with two braces: put the text in quotes' : 'has a member whose name is no text',
      )
      return []
    }
    const place = [...path, name]
    if (hostileNames.has(name)) refuse(key, path, 'has a member whose name is not allowed')
    else if (lines.has(keyOf(place))) refuse(key, place, 'is there twice')
    else {
      lines.set(keyOf(place), lineOfNode(key))
      return [[name, walk(value, place)]]
    }
    return []
  }
  return walk
}

/** A number stays as it is written where JavaScript would write it in another way: `007` is a code. */
function toScalar(value: unknown, source: string | undefined): unknown {
  if (typeof value === 'bigint') return source ?? String(value)
  if (typeof value === 'number' && source !== undefined && String(value) !== source) return source
  return value
}

function keyOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String))
}
