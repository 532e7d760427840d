/** An answer of this door, and the one place that writes it. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { policy } from './policy.ts'

export interface PageReply {
  status: number
  text: string
  headers?: Readonly<Record<string, string | string[]>>
}

/** One whose text is made while it is sent, as fast as it is taken. */
export interface LongReply extends Omit<PageReply, 'text'> {
  parts: AsyncIterable<string>
  /** Called when it was sent, and when it could not be. */
  end: () => void
}

/** Writes the answers of this door. */
export interface Replies {
  /** @throws what making the parts throws; the connection is cut then */
  send: (response: ServerResponse, reply: PageReply | LongReply) => Promise<void>
  /** Head and body go out in one write. */
  write: (response: ServerResponse, reply: PageReply) => void
}

/**
 * Pages and acts name each other by paths of the dashboard: `/messages`. Where it is under a path of its host, that is put before
 * them here, and nowhere else.
 *
 * @param path without a slash at the end
 */
export function createReplies(path: string): Replies {
  const write: Replies['write'] = (response, reply) => writeReply(response, path === '' ? reply : under(path, reply))
  return {
    send: async (response, reply) => ('parts' in reply ? sendParts(response, reply) : write(response, reply)),
    write,
  }
}

/** What begins with two slashes is another host. No text of a page matches: its quotation marks are escaped. */
const ownLinks = / (href|src|action)="\/(?!\/)/g

function under(path: string, { status, text, headers = {} }: PageReply): PageReply {
  const { Location: to, 'Content-Type': type } = headers
  return {
    status,
    // A reply without a type is a page.
    text: type === undefined ? text.replaceAll(ownLinks, ` $1="${path}/`) : text,
    headers: typeof to === 'string' && to.startsWith('/') ? { ...headers, Location: path + to } : headers,
  }
}

/** Without a length: whoever gets only a part of it, because the connection was cut, knows that. */
async function sendParts(response: ServerResponse, { status, parts, end, headers }: LongReply): Promise<void> {
  try {
    response.writeHead(status, { ...policy, ...headers, ...findEnd(response) })
    await pipeline(Readable.from(parts), response)
  } catch (error) {
    // The browser has left.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  } finally {
    end()
  }
}

function writeReply(response: ServerResponse, { status, text, headers }: PageReply): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...policy,
    ...headers,
    ...findEnd(response),
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}

/** Bytes of a body that are read to nowhere, so that a browser which is still sending gets to see the answer. */
const unreadBytesMax = 1024 * 1024

/** The next request on a connection stands behind a body: one that is long, or has no end, is not waited for. */
function findEnd({ req: { complete, headers } }: ServerResponse): { Connection?: 'close' } {
  const isLong = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unreadBytesMax
  return isLong && !complete ? { Connection: 'close' } : {}
}

/** Has the browser ask for another page, by GET. */
export function goTo(path: string, cookies: readonly string[] = []): PageReply {
  return { status: 303, text: '', headers: { Location: path, 'Set-Cookie': [...cookies] } }
}
