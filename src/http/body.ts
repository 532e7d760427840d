/** Reads a request's body: bounded, JSON, text that can be kept. What its fields mean, the validators know. */
import type { IncomingMessage } from 'node:http'
import { parse } from 'content-type'
import { bodyBytesMax } from '../contract/document.ts'
import { detailsMax, type ErrorDetail, escapePointer, Problem } from '../kit/problem.ts'

export interface Body {
  /** As it came, for the fingerprint of an `Idempotency-Key`. */
  bytes: Buffer
  value: unknown
}

/** @throws Problem `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request` */
export async function readBody(request: IncomingMessage): Promise<Body> {
  requireMediaType(request)
  const bytes = await readBytes(request, bodyBytesMax)
  const text = decode(bytes)
  const value = parseJson(text)
  // Only an escape can bring these into well-formed UTF-8, so most bodies need no walk.
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) requireText(value)
  return { bytes, value }
}

function requireMediaType({ headers }: IncomingMessage): void {
  const given = headers['content-type']
  // Most callers write it like this; all others are taken apart.
  if (given === 'application/json' && headers['content-encoding'] === undefined) return
  const { type, parameters } = parse(given ?? '')
  const charset = parameters.charset?.toLowerCase() ?? 'utf-8'
  const encoding = headers['content-encoding'] ?? 'identity'
  if (type !== 'application/json' || charset !== 'utf-8' || encoding !== 'identity') {
    throw new Problem('unsupported_media_type')
  }
}

/** @throws Problem `body_too_large`; `invalid_json` when its sender went away */
function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = noBytes
    let length = 0
    if (Number(request.headers['content-length']) > bytesMax) {
      request.pause()
      reject(new Problem('body_too_large'))
      return
    }
    request.on('data', (chunk: Buffer) => {
      const before = length
      length += chunk.length
      if (length <= bytesMax) bytes = before === 0 ? chunk : withMore(bytes, before, chunk)
      else {
        // The rest is read, to nowhere: the next request on this connection stands behind it.
        bytes = noBytes
        reject(new Problem('body_too_large'))
      }
    })
    request.on('end', () => resolve(bytes.subarray(0, length)))
    // The client went away or sent less than it announced: nobody is there to read more than this.
    const gone = (cause?: unknown) => reject(new Problem('invalid_json', { cause }))
    request.on('error', gone)
    request.on('close', () => {
      if (!request.complete) gone(new Error('the connection ended before the body'))
    })
  })
}

const noBytes = Buffer.alloc(0)

/**
 * Copied, not collected: a body can come in chunks of one byte, each of which takes a hundred times as much.
 *
 * @param bytes of which `length` are in use
 * @returns the same, or larger ones, with the chunk behind those in use
 */
function withMore(bytes: Buffer, length: number, chunk: Buffer): Buffer {
  const room = length + chunk.length <= bytes.length ? bytes : Buffer.alloc(2 * (length + chunk.length))
  if (room !== bytes) bytes.copy(room, 0, 0, length)
  chunk.copy(room, length)
  return room
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_json')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words quote the body.
    throw new Problem('invalid_json')
  }
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
