/** What anybody may read without a key: the contract in three forms, and a reference to browse. */
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { contract } from '../../contract/document.ts'
import { Problem } from '../../problem.ts'
import { html } from '../html.ts'
import { isReadable, pathOf } from '../target.ts'
import { type AddressOf, addressHeaders } from './address.ts'

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
  headers: Record<string, string>
  etag: string
  /** Between two of them stands the address. */
  parts: readonly string[]
  /** An address as it is written in this form. */
  write: (address: string) => string
}

interface PublishedParts {
  addressOf: AddressOf
  /** Undefined: this is no sandbox, and its reference is only for reading. */
  sandboxKey: string | undefined
}

type Answering = (request: IncomingMessage, response: ServerResponse, fail: (error: unknown) => void) => void

/** @returns what answers a request for one of its own paths; undefined for every other one */
export type Published = (request: IncomingMessage) => Answering | undefined

export function createPublished({ addressOf, sandboxKey }: PublishedParts): Published {
  const pages = pagesOf(sandboxKey)
  const kept = new Map<string, Page>()
  // An application of its own: unlike the API's answers, these have an ETag, and may be kept and asked for again.
  const app = express()
  app.disable('x-powered-by')
  app.use(async (request, response) => {
    const path = request.url
    const make = pages[path]
    // With a slash at the end, the page's own links would lead nowhere.
    if (!make) return response.redirect(308, '../docs')
    const page = kept.get(path) ?? (await make())
    kept.set(path, page)
    const { headers, etag, parts, write } = page
    const address = addressOf(request)
    const isSame = parts.length === 1
    // Express's own `set` would add a charset to JSON.
    response.setHeaders(new Map(Object.entries(headers)))
    response.setHeader('ETag', isSame ? `"${etag}"` : `"${etag}-${hash('sha256', address, 'base64url').slice(0, 16)}"`)
    if (!isSame) response.vary(addressHeaders)
    response.send(Buffer.from(parts.join(write(address))))
  })

  return ({ url = '' }) => {
    // What is no URL has no path either: to say so is left to those who answer everything else.
    if (!isReadable(url)) return undefined
    const path = pathOf(url)
    if (!Object.hasOwn(pages, path) && path !== '/docs/') return undefined
    return (request, response, fail) => {
      const { method } = request
      // Express reads longer targets in a way of its own, and some not at all.
      request.url = path
      if (method === 'GET' || method === 'HEAD') app(request as express.Request, response as express.Response, fail)
      else fail(new Problem('method_not_allowed', { message: 'This path takes GET, HEAD.', allow: ['GET', 'HEAD'] }))
    }
  }
}

/** How each page is made. Most processes are never asked for one, so they are made when they are, and then kept. */
function pagesOf(sandboxKey: string | undefined): Record<string, () => Promise<Page>> {
  const marked = { address: addressMark, sandboxKey }
  const reference = () => import('./reference/reference.ts')
  const file = (name: string) => async () => {
    const { type, read } = (await reference()).files[name]!
    return shown(type, String(await read()))
  }
  return {
    '/openapi.json': async () => document('application/json', JSON.stringify(published(contract)), asIs),
    '/openapi.yaml': async () => {
      // Of CommonJS, a bundle has no more than the default.
      const { default: yaml } = await import('yaml')
      const text = yaml.stringify(published(contract), { aliasDuplicateObjects: false })
      return document('application/yaml', text, JSON.stringify)
    },
    '/openapi.3.1.json': async () => {
      const { default: contract31 } = await import('../../../generated/contract.3.1.json', { with: { type: 'json' } })
      return document('application/json', JSON.stringify(published(contract31)), asIs)
    },
    '/docs': async () => shown('text/html; charset=utf-8', (await reference()).homePage(marked)),
    '/docs/errors': async () => shown('text/html; charset=utf-8', (await reference()).errorPage(marked)),
    '/docs/search.json': async () => shown('application/json', (await reference()).searchText()),
    ...Object.fromEntries(
      ['style.css', 'script.js', 'minisearch.js', 'icon.svg'].map((name) => [`/docs/${name}`, file(name)]),
    ),
  }
}

/** A URL has no character that JSON writes in another way. */
const asIs = (address: string) => address

/** Tools that run in a browser, on whatever origin, may read what everybody may read. */
function document(type: string, text: string, write: Page['write']): Page {
  return pageOf({ type, text, write, headers: { 'Access-Control-Allow-Origin': '*' } })
}

function shown(type: string, text: string): Page {
  const headers = { 'Content-Security-Policy': referencePolicy, 'Referrer-Policy': 'no-referrer' }
  return pageOf({ type, text, write: (address) => html`${address}`.text, headers })
}

function pageOf({
  type,
  text,
  write,
  headers,
}: Pick<Page, 'write' | 'headers'> & { type: string; text: string }): Page {
  const always = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'Content-Type': type }
  // Express would compute it for every request.
  const etag = hash('sha256', text, 'base64url')
  return { headers: { ...always, ...headers }, etag, parts: text.split(addressMark), write }
}

/** As it is read outside: where it was asked for, and without the note to those who have its source. */
function published({ 'x-generated': _note, ...document }: object & { 'x-generated': string }): object {
  return { ...document, servers: [{ url: addressMark }] }
}
