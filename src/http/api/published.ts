/** What callers may read without a key: the contract in four forms, a reference to browse, and the public keys of receipts. */
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { contract } from '../../contract/document.ts'
import type { KnownReceiptKeys } from '../../domain/access/knownReceiptKeys.ts'
import { Problem } from '../../kit/problem.ts'
import { html } from '../html.ts'
import { isReadable, readPath } from '../target.ts'
import { type AddressOf, addressHeaders } from './address.ts'
import { createPieces, type Pieces } from './pieces.ts'

/** Lets the reference load what this service has, and nothing from anywhere else. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Stands for the API's address in what is made once for all who ask: a character that nobody writes. */
const addressMark = '\uE000'

interface Page {
  type: string
  headers: Record<string, string>
  etag: string
  /** Whether it is the same for all who ask. */
  isSame: boolean
  /** The address is put in. */
  text: Pieces
  /** An address as it is written in this form. */
  write: (address: string) => string
}

interface PublishedParts {
  addressOf: AddressOf
  /** Undefined: this is no sandbox, and its reference is only for reading. */
  sandboxKey: string | undefined
  /** The public keys of receipts; undefined where nothing signs any. */
  keySetOf: KnownReceiptKeys['published'] | undefined
}

/** Those of test mode are apart: who trusts the one list does not trust them. */
const keySetPaths: Readonly<Record<string, 'live' | 'test'>> = {
  '/.well-known/jwks.json': 'live',
  '/.well-known/jwks-test.json': 'test',
}
/** They may be kept: a key signs an hour after it was published, at the earliest. */
const keySetHeaders = {
  'Content-Type': 'application/jwk-set+json',
  'Cache-Control': 'public, max-age=600',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
}

type Answering = (request: IncomingMessage, response: ServerResponse, fail: (error: unknown) => void) => void

/** @returns what answers a request for one of its own paths; undefined for every other one */
export type Published = (request: IncomingMessage) => Answering | undefined

export function createPublished({ addressOf, sandboxKey, keySetOf }: PublishedParts): Published {
  const pages = createPages(sandboxKey)
  const isOurs = (path: string) =>
    Object.hasOwn(pages, path) || path === '/docs/' || (keySetOf !== undefined && Object.hasOwn(keySetPaths, path))
  const kept = new Map<string, Promise<Page>>()
  /** Once, for all who ask for it at the same time. */
  const keep = (path: string, make: () => Promise<Page>): Promise<Page> => {
    const page = make()
    kept.set(path, page)
    page.catch(() => kept.delete(path))
    return page
  }
  // An application of its own: unlike the API's answers, these have an ETag, and may be kept and asked for again.
  const app = express()
  app.disable('x-powered-by')
  app.use(async (request, response) => {
    const path = request.url
    const mode = keySetPaths[path]
    if (mode && keySetOf) return void response.set(keySetHeaders).send(Buffer.from(await keySetOf(mode)))
    const make = pages[path]
    // With a slash at the end, the page's own links would lead nowhere.
    if (!make) return response.redirect(308, '../docs')
    const { type, headers, etag, isSame, text, write } = await (kept.get(path) ?? keep(path, make))
    const address = addressOf(request)
    // Express's own `set` would add a charset to JSON.
    response.setHeaders(new Map(Object.entries(headers)))
    // Weak: the text is the same in each encoding, its bytes are not.
    response.setHeader(
      'ETag',
      isSame ? `W/"${etag}"` : `W/"${etag}-${hash('sha256', address, 'base64url').slice(0, 16)}"`,
    )
    response.vary(isSame ? 'Accept-Encoding' : `Accept-Encoding, ${addressHeaders}`)
    if (request.fresh) return void response.status(304).end()
    const encoding = takesGzip(request) ? 'gzip' : 'plain'
    const { length, pieces } = text[encoding](write(address))
    response.setHeader('Content-Type', type)
    if (encoding === 'gzip') response.setHeader('Content-Encoding', encoding)
    response.setHeader('Content-Length', length)
    // The pieces are shared: whoever takes nothing of his answer holds no copy of it.
    if (request.method === 'GET') for (const piece of pieces()) response.write(piece)
    response.end()
  })

  return ({ url = '' }) => {
    // What is no URL has no path either: to say so is left to those who answer everything else.
    if (!isReadable(url)) return undefined
    const path = readPath(url)
    if (!isOurs(path)) return undefined
    return (request, response, fail) => {
      const { method } = request
      // Express reads longer targets in a way of its own, and some not at all.
      request.url = path
      if (method === 'GET' || method === 'HEAD') app(request as express.Request, response as express.Response, fail)
      else fail(new Problem('method_not_allowed', { message: 'This path takes GET, HEAD.', allow: ['GET', 'HEAD'] }))
    }
  }
}

/** There are not that many encodings: to read a longer list costs more than what it saves. */
const encodingCharactersMax = 200

function takesGzip(request: express.Request): boolean {
  const { length } = String(request.headers['accept-encoding'])
  return length <= encodingCharactersMax && request.acceptsEncodings('gzip', 'identity') === 'gzip'
}

/** How each page is made. Most processes are never asked for one, so they are made when they are, and then kept. */
function createPages(sandboxKey: string | undefined): Record<string, () => Promise<Page>> {
  const marked = { address: addressMark, sandboxKey }
  const reference = () => import('./reference/reference.ts')
  const plainText = () => import('./reference/plainText.ts')
  const file = (name: string) => async () => {
    const { type, read } = (await reference()).files[name]!
    return shown(type, String(await read()))
  }
  return {
    '/openapi.json': async () => document('application/json', JSON.stringify(published(contract))),
    '/openapi.yaml': async () => {
      const { stringify } = await import('yaml')
      const text = stringify(published(contract), { aliasDuplicateObjects: false })
      return document('application/yaml', text.replaceAll(new RegExp(`${addressMark}\\S*`, 'g'), '"$&"'))
    },
    '/openapi.3.1.json': async () => {
      const { default: contract31 } = await import('../../../generated/contract.3.1.json', { with: { type: 'json' } })
      return document('application/json', JSON.stringify(published(contract31)))
    },
    '/openapi.md': async () => document('text/markdown; charset=utf-8', (await plainText()).wholeText(addressMark)),
    '/llms.txt': async () => document('text/plain; charset=utf-8', (await plainText()).contentsText(addressMark)),
    '/docs': async () => shown('text/html; charset=utf-8', (await reference()).homePage(marked)),
    '/docs/errors': async () => shown('text/html; charset=utf-8', (await reference()).errorPage(marked)),
    '/docs/search.json': async () => shown('application/json', (await reference()).searchText()),
    ...Object.fromEntries(
      ['style.css', 'script.js', 'minisearch.js', 'icon.svg'].map((name) => [`/docs/${name}`, file(name)]),
    ),
  }
}

/** A URL has no character that JSON, or YAML between quotes, writes in another way. */
const asIs = (address: string) => address

/** Tools that run in a browser, on whatever origin, may read what everybody may read. */
function document(type: string, text: string): Page {
  return toPage({ type, text, write: asIs, headers: { 'Access-Control-Allow-Origin': '*' } })
}

function shown(type: string, text: string): Page {
  const headers = { 'Content-Security-Policy': referencePolicy, 'Referrer-Policy': 'no-referrer' }
  return toPage({ type, text, write: (address) => html`${address}`.text, headers })
}

function toPage({
  type,
  text,
  write,
  headers,
}: Pick<Page, 'write' | 'headers'> & { type: string; text: string }): Page {
  const parts = text.split(addressMark)
  return {
    type,
    headers: { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', ...headers },
    etag: hash('sha256', text, 'base64url'),
    isSame: parts.length === 1,
    text: createPieces(parts),
    write,
  }
}

/** As it is read outside: where it was asked for, and without the note to those who have its source. */
function published({ 'x-generated': _note, ...document }: Generated): object {
  const externalDocs = { ...document.externalDocs, url: `${addressMark}/docs` }
  return { ...document, externalDocs, servers: [{ url: addressMark }] }
}

interface Generated {
  'x-generated': string
  externalDocs: { description: string }
}
