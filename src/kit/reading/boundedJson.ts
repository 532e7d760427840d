/** JSON of others. `JSON.parse` cannot be interrupted, so what it would take long for is found in the bytes before. */

export interface JsonLimits {
  /** Lists and objects. */
  containersMax: number
  /** Members of all lists and objects together. */
  membersMax: number
  /** Items of all lists together, but for the first of each. */
  itemsMax: number
}

/** JSON with more members than its reader takes. Holds nothing of it. */
export class OversizedJson extends Error {
  override readonly name = 'OversizedJson'

  constructor() {
    super('the JSON has too many members')
  }
}

const depthMax = 64
const [quote, backslash, comma] = ['"', '\\', ','].map((sign) => sign.charCodeAt(0))
const [openList, closeList, openObject, closeObject] = ['[', ']', '{', '}'].map((sign) => sign.charCodeAt(0))

/** @throws OversizedJson, and SyntaxError for what is no JSON, or nested deeper than any reader needs */
export function parseBoundedJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  requireBounds(bytes, limits)
  // A mark at its beginning (BOM) is no part of the text.
  return parseExactJson(new TextDecoder().decode(bytes))
}

type Revive = (name: string, value: unknown, context: { source?: string }) => unknown
/** The types of ECMAScript lack what its `JSON.parse` tells of a value. */
const parseWithSource = JSON.parse as (text: string, revive: Revive) => unknown
const longNumber = /[[:,\s]-?\d{16}/

/** A whole number of more digits than JavaScript holds is a text with all of them: as an id, it would name another message. @throws SyntaxError, RangeError */
export function parseExactJson(text: string): unknown {
  // To look at each value takes several times as long.
  if (!longNumber.test(text)) return JSON.parse(text)
  return parseWithSource(text, (_name, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value,
  )
}

/** Takes a few milliseconds for each megabyte. */
function requireBounds(bytes: Uint8Array, { containersMax, membersMax, itemsMax }: JsonLimits): void {
  let [containers, members, items, depth] = [0, 0, 0, 0]
  const isList = new Uint8Array(depthMax + 1)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === quote) index = endOfText(bytes, index)
    else if (byte === comma) {
      members += 1
      items += isList[depth] ?? 0
    } else if (byte === openList || byte === openObject) {
      containers += 1
      depth += 1
      isList[depth] = byte === openList ? 1 : 0
    } else if (byte === closeList || byte === closeObject) depth -= 1
    if (depth > depthMax) throw new SyntaxError('the JSON is nested too deep')
    if (containers > containersMax || members > membersMax || items > itemsMax) throw new OversizedJson()
  }
}

/** @returns where the text ends that begins there */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index++) {
    if (bytes[index] === backslash) index += 1
    else if (bytes[index] === quote) return index
  }
  return bytes.length
}
