/** An answer of this door, and the one place that writes it. */
import type { ServerResponse } from 'node:http'
import { policy } from './policy.ts'

export interface Reply {
  status: number
  text: string
  headers?: Readonly<Record<string, string | string[]>>
}

/** Head and body go out in one write. */
export function send(response: ServerResponse, { status, text, headers }: Reply): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...policy,
    ...headers,
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}

/** Has the browser ask for another page, by GET. */
export function goTo(path: string, cookies: readonly string[] = []): Reply {
  return { status: 303, text: '', headers: { Location: path, 'Set-Cookie': [...cookies] } }
}
