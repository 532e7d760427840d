/** What anybody may read without a key: the contract in three forms, and a reference to browse. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler } from 'express'
import { stringify } from 'yaml'
import contract31 from '../../generated/contract.3.1.json' with { type: 'json' }
import { Problem } from '../problem.ts'
import { contract } from './document.ts'

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

/** Where the page's own links would lead nowhere. */
const withSlash = '/docs/'
const folder = join(import.meta.dirname, 'reference')
const swaggerUi = (file: string) => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`))

/** Answers its own paths, and leaves every other one to whoever comes next. */
export function createPublished(): RequestHandler {
  const documents: Record<string, { type: string; text: string }> = {
    '/openapi.json': { type: 'application/json', text: JSON.stringify(published(contract)) },
    '/openapi.yaml': {
      type: 'application/yaml',
      text: stringify(published(contract), { aliasDuplicateObjects: false }),
    },
    '/openapi.3.1.json': { type: 'application/json', text: JSON.stringify(published(contract31)) },
  }
  const files: Record<string, string> = {
    '/docs': join(folder, 'index.html'),
    '/docs/start.js': join(folder, 'start.js'),
    '/docs/swagger-ui.js': swaggerUi('swagger-ui-bundle.js'),
    '/docs/swagger-ui.css': swaggerUi('swagger-ui.css'),
    '/docs/favicon.png': swaggerUi('favicon-32x32.png'),
  }

  // An application of its own: unlike the API's answers, these have an ETag, and may be kept and asked for again.
  const pages = express()
  pages.disable('x-powered-by')
  pages.enable('strict routing')
  pages.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    next()
  })
  for (const [path, { type, text }] of Object.entries(documents)) {
    pages.get(path, (_request, response) => {
      // Tools that run in a browser, on whatever origin, may read what everybody may read.
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.setHeader('Content-Type', type)
      response.send(Buffer.from(text))
    })
  }
  for (const [path, file] of Object.entries(files)) {
    pages.get(path, (_request, response) => {
      response.setHeader('Content-Security-Policy', referencePolicy)
      response.setHeader('Referrer-Policy', 'no-referrer')
      response.sendFile(file, { cacheControl: false, lastModified: false })
    })
  }
  pages.get(withSlash, (_request, response) => response.redirect(308, '../docs'))
  const paths = new Set([...Object.keys(documents), ...Object.keys(files), withSlash])

  return (request, response, next) => {
    if (!paths.has(request.path)) next()
    else if (request.method === 'GET' || request.method === 'HEAD') pages(request, response, next)
    else next(new Problem('method_not_allowed', { message: 'This path takes GET, HEAD.', allow: ['GET', 'HEAD'] }))
  }
}

/** As it is read outside: without the note to those who have its source. */
function published({ 'x-generated': _note, ...document }: object & { 'x-generated': string }): object {
  return document
}
