/**
 * XML as gateways write it, read as JSON is: elements are members, attributes `@name`, text `#text`, and an element that is
 * there twice is a list. It is the part of XML that answers have: no DTD, so no entities but the five, and one root. What has more is not
 * read. Libraries read two roots and HTML too, expand what a DTD says, and take 9 MB of each process.
 */

export const xmlLimits = { charactersMax: 65_536, depthMax: 20 }

const name = String.raw`[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?`
const value = `"[^"<]*"|'[^'<]*'`
const tokens = {
  skipped: /(?:<!--[\s\S]*?-->|<\?[\s\S]*?\?>)/y,
  cdata: /<!\[CDATA\[([\s\S]*?)\]\]>/y,
  text: /[^<]+/y,
  close: new RegExp(`</(${name})\\s*>`, 'uy'),
  open: new RegExp(`<(${name})((?:\\s+${name}\\s*=\\s*(?:${value}))*)\\s*(/?)>`, 'uy'),
}
const attributes = new RegExp(`(${name})\\s*=\\s*(${value})`, 'gu')
const wholeName = new RegExp(`^@?(?:${name})$`, 'u')
/** What XML cannot hold, also not as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

type Members = Record<string, unknown>
interface Element {
  name: string
  members: Members
  text: string
}

/** @returns the root by its name; undefined for what is no XML of that part */
export function readXml(text: string): Members | undefined {
  if (text.length > xmlLimits.charactersMax || unwritable.test(text)) return undefined
  const root: Element = { name: '', members: Object.create(null) as Members, text: '' }
  const stack = [root]
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const read = step(text, at, stack)
    if (read === undefined) return undefined
    at = read
  }
  const roots = Object.values(root.members)
  const isWhole = stack.length === 1 && root.text.trim() === '' && roots.length === 1 && !Array.isArray(roots[0])
  return isWhole ? root.members : undefined
}

/** @returns where to go on; undefined for what is not read */
function step(text: string, at: number, stack: Element[]): number | undefined {
  const match = (token: RegExp) => {
    token.lastIndex = at
    return token.exec(text)
  }
  const inner = stack.at(-1)!
  const plain = match(tokens.text)
  if (plain) {
    const decoded = decode(plain[0])
    if (decoded === undefined) return undefined
    inner.text += decoded
    return tokens.text.lastIndex
  }
  const opened = match(tokens.open)
  if (opened) {
    const [, opens = '', said = '', end] = opened
    const members = readMembers(said)
    if (!members || stack.length > xmlLimits.depthMax) return undefined
    const element = { name: opens, members, text: '' }
    if (end === '/') add(inner, element)
    else stack.push(element)
    return tokens.open.lastIndex
  }
  const closed = match(tokens.close)
  if (closed) {
    if (stack.length === 1 || closed[1] !== inner.name) return undefined
    stack.pop()
    add(stack.at(-1)!, inner)
    return tokens.close.lastIndex
  }
  const cdata = match(tokens.cdata)
  if (cdata) {
    inner.text += cdata[1]
    return tokens.cdata.lastIndex
  }
  return match(tokens.skipped) ? tokens.skipped.lastIndex : undefined
}

function readMembers(said: string): Members | undefined {
  const members = Object.create(null) as Members
  for (const [, attribute = '', quoted = ''] of said.matchAll(attributes)) {
    const decoded = decode(quoted.slice(1, -1))
    if (decoded === undefined || `@${attribute}` in members) return undefined
    members[`@${attribute}`] = decoded
  }
  return members
}

function add({ members }: Element, { name: own, members: inner, text: around }: Element): void {
  const text = around.trim()
  const isPlain = Object.keys(inner).length === 0
  if (!isPlain && text !== '') inner['#text'] = text
  const element = isPlain ? text : inner
  const before = members[own]
  if (before === undefined) members[own] = element
  else if (Array.isArray(before)) before.push(element)
  else members[own] = [before, element]
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** @returns undefined where a reference is none of the five, and no character */
function decode(text: string): string | undefined {
  if (!text.includes('&')) return text
  let isGood = true
  const decoded = text.replace(/&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));|&/g, (_whole, word, digits, hex) => {
    const code = Number.parseInt(digits ?? hex, digits ? 10 : 16)
    const character = word === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : '') : entities[word]
    if (!character || unwritable.test(character) || !character.isWellFormed()) isGood = false
    return character ?? ''
  })
  return isGood ? decoded : undefined
}

/** @param root its one member is the element @returns undefined for a text that XML cannot hold */
export function writeXml(root: Readonly<Members>): string | undefined {
  const written = Object.entries(root).map(([own, element]) => writeElement(own, element))
  const text = `<?xml version="1.0" encoding="UTF-8"?>${written.join('')}`
  return unwritable.test(text) ? undefined : text
}

function writeElement(own: string, element: unknown): string {
  if (Array.isArray(element)) return element.map((one) => writeElement(own, one)).join('')
  if (typeof element !== 'object' || element === null) return `<${own}>${escaped(element ?? '')}</${own}>`
  let [said, inner] = ['', '']
  for (const [member, one] of Object.entries(element)) {
    if (member.startsWith('@')) said += ` ${member.slice(1)}="${escaped(one, inAttribute)}"`
    else inner += member === '#text' ? escaped(one) : writeElement(member, one)
  }
  return `<${own}${said}>${inner}</${own}>`
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' },
  ...{ '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' },
}

function escaped(text: unknown, which = /[&<>"'\r]/g): string {
  const written = text instanceof Date ? text.toISOString() : String(text)
  return written.toWellFormed().replace(which, (one) => escapes[one] ?? one)
}

/** A reader makes blanks of them in an attribute. */
const inAttribute = /[&<>"'\t\n\r]/g

interface Told {
  path: PropertyKey[]
  fault: string
}

/** What keeps members from being written as XML, without quoting more than their names. */
export function xmlFaults(root: unknown): Told[] {
  const names = isMembers(root) ? Object.keys(root) : []
  if (names.length !== 1 || /^[@#]/.test(names[0]!) || Array.isArray((root as Members)[names[0]!]))
    return [{ path: [], fault: 'must be a mapping with one member, the root: the body is sent as xml' }]
  return memberFaults(root as Members, [])
}

function memberFaults(members: Members, path: PropertyKey[]): Told[] {
  if (path.length >= xmlLimits.depthMax)
    return [{ path, fault: `must not be nested more than ${xmlLimits.depthMax} deep` }]
  return Object.entries(members).flatMap(([member, element]): Told[] => {
    const place = [...path, member]
    if (member !== '#text' && !wholeName.test(member)) return [{ path: place, fault: 'must be a name of XML' }]
    const isText = typeof element !== 'object' || element === null
    if (/^[@#]/.test(member)) return isText ? [] : [{ path: place, fault: 'must be a text' }]
    const list = Array.isArray(element) ? element : [element]
    return list.flatMap((one, index) => {
      const inList = Array.isArray(element) ? [...place, index] : place
      if (Array.isArray(one)) return [{ path: inList, fault: 'must not be a list in a list' }]
      return isMembers(one) ? memberFaults(one, inList) : []
    })
  })
}

function isMembers(given: unknown): given is Members {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}
