/** The body of a request, in the form of its contract, of text that can be kept. What its fields mean, the validators know. */
import type { IncomingMessage } from 'node:http'
import { bodyBytesMax } from '../../contract/document.ts'
import { detailsMax, type ErrorDetail, escapePointer, Problem, unavailable } from '../../kit/problem.ts'
import { readMediaType } from '../../kit/reading/mediaType.ts'
import { hasMoreValues, repeatedMembers } from '../../kit/reading/repeatedMembers.ts'
import { decodeBody, isUtf8Name } from '../../kit/reading/utf8.ts'
import {
  createIntake,
  type Intake,
  type IntakeLimits,
  isAnnouncedOver,
  isPlainlyEncoded,
  type Unread,
} from '../intake.ts'

export interface Body {
  /** As it came, for the fingerprint of an `Idempotency-Key`. */
  bytes: Buffer
  value: unknown
}

/** Of all bodies that are being read or worked on. Each has its bytes for as long as its request takes. */
const bytesAtOnceMax = 32 * 1024 * 1024

export interface Bodies {
  /**
   * Keeps a place for the body until `use` is done with it.
   *
   * @param bytesMax of this body; the limit of the contract when left out
   * @returns what `use` does
   * @throws Problem `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`, `service_unavailable`; and
   *   what `use` throws
   */
  read: <Done>(request: IncomingMessage, use: (body: Body) => Promise<Done>, bytesMax?: number) => Promise<Done>
}

/** A form in which bodies come. */
export interface Media {
  type: string
  /** What is no text in UTF-8, or did not come whole. @param fault the end of a sentence */
  unreadable: (fault: string, cause?: unknown) => Problem
  /** @throws Problem `invalid_json`, `invalid_request` */
  valueOf: (text: string) => unknown
}

export const jsonMedia: Media = {
  type: 'application/json',
  unreadable: (fault, cause) =>
    new Problem('invalid_json', { message: `The body is not JSON in UTF-8: ${fault}.`, cause }),
  valueOf: (text) => {
    requireFewValues(text)
    const value = parseJson(text)
    requireEachOnce(text, value)
    // Only an escape can bring these into well-formed UTF-8, so most bodies need no walk.
    if (/\\u(0000|[dD][89a-fA-F])/.test(text)) requireText(value)
    return value
  },
}

/** What bounds the bodies of the API, one by one and all together. */
export function createBodyIntake(limits: Partial<IntakeLimits> = {}): Intake {
  return createIntake({ bytesMax: bodyBytesMax, bytesAtOnceMax, ...limits })
}

export function createBodies(media: Media, intake = createBodyIntake()): Bodies {
  return {
    read: async (request, use, bytesMax = bodyBytesMax) => {
      requireMediaType(request, media.type)
      // An object: what is done can be a text too.
      const useBytes = async (bytes: Buffer) => ({
        done: await use({ bytes, value: media.valueOf(decode(bytes, media)) }),
      })
      const read = await intake.read(request, useBytes, bytesMax)
      if (typeof read !== 'string') return read.done
      // The rest is read, to nowhere: the next request on this connection stands behind it. One that said beforehand that it
      // is too large, is not.
      if (!isAnnouncedOver(request, bytesMax)) request.resume()
      throw problems[read](media, bytesMax)
    },
  }
}

const problems: Readonly<Record<Unread, (media: Media, bytesMax: number) => Problem>> = {
  too_large: (_media, bytesMax) =>
    new Problem('body_too_large', { message: `The body is larger than ${bytesMax} bytes.` }),
  busy: unavailable,
  // Nobody is there to read more than this.
  cut_off: ({ unreadable }) => unreadable('it is incomplete', new Error('the connection ended before the body')),
}

function requireMediaType(request: IncomingMessage, wanted: string): void {
  const given = request.headers['content-type']
  if (!isPlainlyEncoded(request)) throw new Problem('unsupported_media_type')
  // Most callers write it like this; all others are taken apart.
  if (given === wanted) return
  const { type, charset } = readMediaType(given)
  if (type !== wanted) throw new Problem('unsupported_media_type')
  if (charset === undefined || isUtf8Name(charset)) return
  throw new Problem('unsupported_media_type', {
    message: `The Content-Type names another charset than UTF-8. Send the body in UTF-8, as ${wanted} or ${wanted}; charset=utf-8.`,
  })
}

function decode(bytes: Buffer, { unreadable }: Media): string {
  const { text, fault } = decodeBody(bytes)
  if (fault !== undefined) throw unreadable(fault)
  return text
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new Problem('invalid_json', { message: 'The body is empty: send a JSON object.' })
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words quote the body.
    throw new Problem('invalid_json')
  }
}

/** A body of 16 KB cannot have so many. To judge each of those in a larger one would take longer than others should wait. */
const valuesMax = 20_000

function requireFewValues(text: string): void {
  if (!hasMoreValues(text, valuesMax)) return
  const message = `must have at most ${valuesMax} members and items in all`
  throw new Problem('invalid_request', { details: [{ field: '', code: 'too_many', message }] })
}

/** Of two values of one field, it is not known which one is meant: here the last would count, elsewhere the first. */
function requireEachOnce(text: string, value: unknown): void {
  const repeated = repeatedMembers(text, value).slice(0, detailsMax)
  const details = repeated.map((field): ErrorDetail => ({ field, code: 'repeated', message: 'must come once' }))
  if (details.length > 0) throw new Problem('invalid_request', { details })
}

/** Refuses U+0000, which PostgreSQL cannot hold, and unpaired surrogates, which are no characters; also in names. */
function requireText(value: unknown): void {
  const details = textFaults(value).take(detailsMax).toArray()
  if (details.length > 0) throw new Problem('invalid_request', { details })
}

/** In the order of the body, without recursion: a body can be nested more deeply than a stack is high. */
function* textFaults(value: unknown): Generator<ErrorDetail, void> {
  const left: { node: unknown; pointer: string }[] = [{ node: value, pointer: '' }]
  for (let at = left.pop(); at; at = left.pop()) {
    const { node, pointer } = at
    if (typeof node === 'string' && !isText(node)) {
      yield { field: pointer, code: 'wrong_format', message: 'must not hold U+0000 or unpaired surrogates' }
    }
    if (typeof node !== 'object' || node === null) continue
    const members = Object.entries(node)
    if (members.some(([name]) => !isText(name))) {
      yield { field: pointer, code: 'wrong_format', message: 'has a name with U+0000 or unpaired surrogates' }
    }
    for (const [name, child] of members.reverse()) {
      if (isText(name)) left.push({ node: child, pointer: `${pointer}/${escapePointer(name)}` })
    }
  }
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
