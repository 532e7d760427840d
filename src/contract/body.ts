/** Reads a request's body: bounded, JSON, text that can be kept. What its fields mean, the validators know. */
import type { IncomingMessage } from 'node:http'
import { parse } from 'content-type'
import getRawBody from 'raw-body'
import { detailsMax, type ErrorDetail, escapePointer, Problem } from '../problem.ts'
import { bodyBytesMax } from './document.ts'

export interface Body {
  /** As it came, for the fingerprint of an `Idempotency-Key`. */
  bytes: Buffer
  value: unknown
}

/** @throws Problem `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request` */
export async function readBody(request: IncomingMessage): Promise<Body> {
  requireMediaType(request)
  const bytes = await readBytes(request)
  const text = decode(bytes)
  const value = parseJson(text)
  // Only an escape can bring these into well-formed UTF-8, so most bodies need no walk.
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) requireText(value)
  return { bytes, value }
}

function requireMediaType(request: IncomingMessage): void {
  const { type, parameters } = parse(request.headers['content-type'] ?? '')
  const charset = parameters.charset?.toLowerCase() ?? 'utf-8'
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (type !== 'application/json' || charset !== 'utf-8' || encoding !== 'identity') {
    throw new Problem('unsupported_media_type')
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  try {
    const length = request.headers['content-length'] ?? null
    return await Promise.race([getRawBody(request, { length, limit: bodyBytesMax }), gone(request)])
  } catch (error) {
    const { type } = error as { type?: string }
    if (type === 'entity.too.large') throw new Problem('body_too_large')
    // The client went away or sent less than it announced: nobody is there to read more than this.
    throw new Problem('invalid_json', { cause: error })
  }
}

/** Rejects when the connection ends first: the reader of the body is not told of every end. */
function gone(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    request.once('close', () => {
      if (!request.complete) reject(new Error('the connection ended before the body'))
    })
  })
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
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
