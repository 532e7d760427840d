/** Members that come twice in one object of a JSON text: parsers differ in which of them they take. */
import { escapePointer } from '../problem.ts'

/** A string, a bracket or a comma; of a string, whether it is a name. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]/g

interface Container {
  pointer: string
  /** Of an object; undefined in a list. */
  names: Set<string> | undefined
  /** Of the member that is being read: a name, or a place in the list. */
  at: string | number
}

/** @param text valid JSON @param value what was parsed of it @returns a pointer to each, in the order of the text */
export function repeatedMembers(text: string, value: unknown): string[] {
  // Almost no text has any, and counting takes a tenth of the time of looking.
  return namesIn(text) === membersIn(value) ? [] : findRepeated(text)
}

function namesIn(text: string): number {
  let names = 0
  for (let start = text.indexOf('"'); start !== -1; ) {
    let next = endOfString(text, start)
    while (isSpace(text.charCodeAt(next))) next += 1
    if (text.charCodeAt(next) === colonCode) names += 1
    start = text.indexOf('"', next)
  }
  return names
}

const [colonCode, backslashCode, quoteCode] = [':', '\\', '"'].map((sign) => sign.charCodeAt(0))
const openers = new Set([',', '[', '{'].map((sign) => sign.charCodeAt(0)))

/** Whether a JSON text has more values than that, told before it is parsed. @param text may be anything */
export function hasMoreValues(text: string, max: number): boolean {
  // Each has a character before it: most bodies need no walk.
  if (text.length <= max) return false
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quoteCode) at = endOfString(text, at) - 1
    else if (openers.has(code) && ++values > max) return true
  }
  return false
}

/** @returns the place behind the quotation mark that ends the string */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end === -1) return text.length
    let first = end
    while (text.charCodeAt(first - 1) === backslashCode) first -= 1
    if ((end - first) % 2 === 0) return end + 1
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Without recursion: a body can be nested more deeply than a stack is high. */
function membersIn(value: unknown): number {
  let members = 0
  const left = [value]
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null) continue
    const values = Object.values(node)
    if (!Array.isArray(node)) members += values.length
    for (const one of values) if (typeof one === 'object') left.push(one)
  }
  return members
}

function findRepeated(text: string): string[] {
  const open: Container[] = []
  const repeated: string[] = []
  for (const [sign, string, colon] of text.matchAll(token)) {
    const inner = open.at(-1)
    if (sign === '{' || sign === '[') {
      const pointer = inner ? pointerIn(inner) : ''
      open.push({ pointer, names: sign === '{' ? new Set() : undefined, at: 0 })
    } else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ',' && inner && typeof inner.at === 'number') inner.at += 1
    else if (string !== undefined && colon !== undefined && inner?.names) {
      inner.at = string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1)
      if (inner.names.has(inner.at)) repeated.push(pointerIn(inner))
      else inner.names.add(inner.at)
    }
  }
  return [...new Set(repeated)]
}

function pointerIn({ pointer, at }: Container): string {
  return `${pointer}/${escapePointer(String(at))}`
}
