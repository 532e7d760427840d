/** What anybody may read without a key: the contract in three forms, and a reference to browse. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { contract } from '../../contract/document.ts'
import { Problem } from '../../problem.ts'
import { pathOf } from '../target.ts'

/** Lets the reference load what this service has, and nothing from anywhere else. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const folder = join(import.meta.dirname, 'reference')
const swaggerUi = (file: string) => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`))

interface Page {
  headers: Record<string, string>
  body: Buffer
}

/** How each page is made. Most processes are never asked for one, so they are made when they are, and then kept. */
const pages: Record<string, () => Promise<Page>> = {
  '/openapi.json': async () => document('application/json', JSON.stringify(published(contract))),
  '/openapi.yaml': async () => {
    const { stringify } = await import('yaml')
    return document('application/yaml', stringify(published(contract), { aliasDuplicateObjects: false }))
  },
  '/openapi.3.1.json': async () => {
    const { default: contract31 } = await import('../../../generated/contract.3.1.json', { with: { type: 'json' } })
    return document('application/json', JSON.stringify(published(contract31)))
  },
  '/docs': () => reference('text/html; charset=utf-8', join(folder, 'index.html')),
  '/docs/start.js': () => reference('text/javascript; charset=utf-8', join(folder, 'start.js')),
  '/docs/swagger-ui.js': () => reference('text/javascript; charset=utf-8', swaggerUi('swagger-ui-bundle.js')),
  '/docs/swagger-ui.css': () => reference('text/css; charset=utf-8', swaggerUi('swagger-ui.css')),
  '/docs/favicon.png': () => reference('image/png', swaggerUi('favicon-32x32.png')),
}

type Answering = (request: IncomingMessage, response: ServerResponse, fail: (error: unknown) => void) => void

/** @returns what answers a request for one of its own paths; undefined for every other one */
export type Published = (request: IncomingMessage) => Answering | undefined

export function createPublished(): Published {
  const kept = new Map<string, Page>()
  // An application of its own: unlike the API's answers, these have an ETag, and may be kept and asked for again.
  const app = express()
  app.disable('x-powered-by')
  app.use(async ({ path }, response) => {
    const make = pages[path]
    // With a slash at the end, the page's own links would lead nowhere.
    if (!make) return response.redirect(308, '../docs')
    const page = kept.get(path) ?? (await make())
    kept.set(path, page)
    // Express's own `set` would add a charset to JSON.
    response.setHeaders(new Map(Object.entries(page.headers)))
    response.send(page.body)
  })

  return ({ url = '' }) => {
    const path = pathOf(url)
    if (!Object.hasOwn(pages, path) && path !== '/docs/') return undefined
    return (request, response, fail) => {
      const { method } = request
      if (method === 'GET' || method === 'HEAD') app(request as express.Request, response as express.Response, fail)
      else fail(new Problem('method_not_allowed', { message: 'This path takes GET, HEAD.', allow: ['GET', 'HEAD'] }))
    }
  }
}

/** Tools that run in a browser, on whatever origin, may read what everybody may read. */
function document(type: string, text: string): Page {
  return pageOf(type, Buffer.from(text), { 'Access-Control-Allow-Origin': '*' })
}

async function reference(type: string, file: string): Promise<Page> {
  const headers = { 'Content-Security-Policy': referencePolicy, 'Referrer-Policy': 'no-referrer' }
  return pageOf(type, await readFile(file), headers)
}

function pageOf(type: string, body: Buffer, headers: Record<string, string>): Page {
  const always = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'Content-Type': type }
  // Express would compute it for every request.
  return { body, headers: { ...always, ...headers, ETag: `"${hash('sha256', body, 'base64url')}"` } }
}

/** As it is read outside: without the note to those who have its source. */
function published({ 'x-generated': _note, ...document }: object & { 'x-generated': string }): object {
  return document
}
