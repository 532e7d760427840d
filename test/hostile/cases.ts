/** Requests that mean harm, derived from the contract, each with what must be answered. */
import fc from 'fast-check'
import type { RequestValidator } from '../../generated/validators.js'
import * as generated from '../../generated/validators.js'
import { bodyBytesMax } from '../../src/contract/document.ts'
import { type Target, targets } from './targets.ts'
import {
  anyBody,
  aroundBounds,
  manyFaults,
  nastyText,
  nastyValue,
  prototypeNames,
  strangeNumbers,
  unknownId,
} from './values.ts'

export interface Case {
  operationId: string
  method: string
  path: string
  /** Beside the key and the type of the body, or in their place. */
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** Those that may be answered. */
  statuses: number[]
  /** That must be answered. */
  code?: string
}

/** One way of doing harm. */
export interface Kind {
  title: string
  cases: fc.Arbitrary<Case>
}

/** In a URL: a head is at most 8 KB, and these are to be understood. */
const words = nastyText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 500)))

const validators: Record<string, RequestValidator> = { ...generated }

export const kinds: Kind[] = targets
  .flatMap((target) => {
    if (target.method === 'POST') return bodies(target)
    return target.path.includes('{') ? paths(target) : queries(target)
  })
  .map(({ title, cases }) => ({ title, cases: cases.map(named) }))

/** What stands in the message when it is not answered as it should be. */
function named(one: Case): Case {
  return Object.defineProperty(one, fc.toStringMethod, { value: () => JSON.stringify(one).slice(0, 1000) })
}

function bodies(target: Target): Kind[] {
  const { operationId, method, path, fields, example } = target
  const base = { operationId, method, path }
  const kind = (title: string, cases: fc.Arbitrary<Case>): Kind => ({ title: `${operationId}, ${title}`, cases })
  const judged = (text: string): Case => ({ ...base, body: text, ...judge(target, text) })
  return [
    ...Object.entries(fields).map(([name, schema]) =>
      kind(
        `when ${name} is wrong`,
        fc
          .oneof(nastyValue, aroundBounds(schema))
          .map((value) => judged(JSON.stringify({ ...example, [name]: value }))),
      ),
    ),
    kind('when a field is missing, surplus, twice or named after a prototype', drawMembers(target).map(judged)),
    kind('when it has as many fields too many as there is room for', manyFaults.map(crowdOf(target)).map(judged)),
    kind('when characters of the body are others', changedText(JSON.stringify(example)).map(judged)),
    kind(
      'when a number is too large for any machine, or a name comes two hundred times',
      strangeMembers(example).map((body) => ({ ...base, body, statuses: [400] })),
    ),
    kind(
      'when the body is anything at all',
      anyBody.map((body) => ({ ...base, body, statuses: [400, 413] })),
    ),
    kind('when a header is wrong', headers(target)),
  ]
}

/** What breaks the schema is always told so; what does not may be refused for another documented reason, or pass. */
function judge({ operationId, statuses }: Target, text: string): Pick<Case, 'statuses' | 'code'> {
  if (Buffer.byteLength(text) > bodyBytesMax) return { statuses: [413], code: 'body_too_large' }
  try {
    const requestBody = JSON.parse(text) as unknown
    if (validators[operationId]?.({ header: {}, requestBody })) return { statuses }
    return { statuses: [400], code: 'invalid_request' }
  } catch {
    return { statuses: [400], code: 'invalid_json' }
  }
}

function drawMembers({ fields, example }: Target): fc.Arbitrary<string> {
  const surplus = fc.option(fc.tuple(fc.oneof(nastyText, prototypeNames), nastyValue), { nil: undefined })
  return fc.tuple(fc.subarray(Object.keys(fields)), surplus, fc.boolean()).map(([kept, surplus, twice]) => {
    const members = Object.entries(example).filter(([name]) => kept.includes(name))
    if (surplus) members.push(surplus)
    if (twice && members[0]) members.push(members[0])
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`
  })
}

function crowdOf({ example }: Target): (crowd: object) => string {
  return (crowd) => JSON.stringify({ ...example, ...crowd })
}

/** Some characters taken out, and others put in their place. */
function changedText(text: string): fc.Arbitrary<string> {
  const pieces = fc.constantFrom(
    '',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ',',
    ':',
    '\n',
    '\\u0000',
    '\\ud800',
    '1e9',
    'null',
    '\u2028',
  )
  const change = fc.record({
    at: fc.nat(text.length),
    take: fc.nat(6),
    put: fc.oneof(pieces, fc.string({ maxLength: 3 })),
  })
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((now, { at, take, put }) => now.slice(0, at) + put + now.slice(at + take), text))
    .map((changed) => changed.toWellFormed())
}

function strangeMembers(example: object): fc.Arbitrary<string> {
  const [name = '', value] = Object.entries(example)[0] ?? []
  const others = JSON.stringify(example).slice(1)
  const twoHundred = `{${`"${name}":${JSON.stringify(value)},`.repeat(200)}"x":1,${others}`
  return fc.constantFrom(...strangeNumbers.map((n) => `{"${name}":${n},"x":1,${others}`), twoHundred)
}

function headers({ operationId, method, path, example }: Target): fc.Arbitrary<Case> {
  // A body that is refused, so that a good key is not used up.
  const base = { operationId, method, path, body: JSON.stringify({ ...example, surplus: 1 }) }
  const text = fc.string({
    unit: fc.integer({ min: 32, max: 254 }).map((code) => String.fromCharCode(code === 127 ? 255 : code)),
    maxLength: 300,
  })
  return text.chain((value) =>
    fc.constantFrom<Case>(
      { ...base, headers: { 'Idempotency-Key': value }, statuses: [400] },
      { ...base, headers: { 'Content-Type': value }, statuses: [value.trim() === 'application/json' ? 400 : 415] },
      { ...base, headers: { 'Content-Encoding': `x${value}` }, statuses: [415] },
      { ...base, headers: { Authorization: `Bearer ${value}` }, statuses: [401] },
      { ...base, headers: { Authorization: value }, statuses: [401] },
      // Those that proxies believe.
      {
        ...base,
        headers: { 'X-Forwarded-For': value, 'X-HTTP-Method-Override': value, Forwarded: value },
        statuses: [400],
      },
      { ...base, headers: { Accept: value, 'Accept-Encoding': value, Cookie: value, Range: value }, statuses: [400] },
    ),
  )
}

function queries({ operationId, method, path, asked }: Target): Kind[] {
  const base = { operationId, method }
  const unknown = words.map((word) => ({ ...base, path: `${path}?${word}=1&${word}`, statuses: [400] }))
  const values = fc
    .tuple(fc.constantFrom(...asked), fc.oneof(words, nastyText.map(unencoded)))
    .map(([name, value]) => ({
      ...base,
      path: `${path}?${name}=${value}`,
      statuses: [200, 400],
    }))
  return [
    { title: `${operationId}, when the query has parameters that are not there`, cases: unknown },
    { title: `${operationId}, when a parameter is anything at all`, cases: values },
  ]
}

/** As little encoded as a URL may be. */
function unencoded(text: string): string {
  return new URL(`http://x/?${text.toWellFormed().slice(0, 500).replaceAll('#', '%23')}`).search.slice(1)
}

function isDecodable(segment: string): boolean {
  try {
    return typeof decodeURIComponent(segment) === 'string'
  } catch {
    return false
  }
}

function paths({ operationId, method, path, namesOne }: Target): Kind[] {
  const prefix = path.replace(/\{.*/, '')
  // What has a body is told that it is empty, whatever the path names.
  const base = { operationId, method, ...(method === 'PUT' && { body: '{}' }) }
  const missing = method === 'PUT' ? 400 : 404
  const asked = fc.tuple(fc.oneof(nastyText, fc.constant(unknownId)), fc.boolean()).map(([text, encode]) => {
    const segment = encode ? encodeURIComponent(text.toWellFormed()) : text
    return new URL(`http://x${path.replace(/\{.*\}/, () => segment)}`).pathname
  })
  const isNamed = (segment: string) => isDecodable(segment) && namesOne(decodeURIComponent(segment))
  const cases = asked
    // What the URL standard makes of it must still be one segment at this place.
    .filter(
      (made) => made.startsWith(prefix) && made.length > prefix.length && !made.slice(prefix.length).includes('/'),
    )
    .map((made) => ({ ...base, path: made, statuses: [isNamed(made.slice(prefix.length)) ? missing : 400] }))
  const query = words.map((word) => ({
    ...{ ...base, path: `${prefix}${unknownId}?${word}=1&${word}` },
    statuses: [missing],
  }))
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PROPFIND')
  const elsewhere = fc
    .tuple(methods, words)
    .map(([other, word]) => ({ operationId, method: other, path: new URL(`http://x/v1/${word}`).pathname }))
    .map((one) => ({ ...one, statuses: [404], ...(one.method !== 'HEAD' && { code: 'route_not_found' }) }))
  return [
    { title: `${operationId}, when the path is anything at all`, cases },
    { title: `${operationId}, when the query is anything at all`, cases: query },
    { title: 'a path that is not there, under any method', cases: elsewhere },
  ]
}
