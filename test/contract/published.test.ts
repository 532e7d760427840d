/** What the service tells those who generate clients from it, without asking for a key. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { redocly } from '../../scripts/contract/redocly.ts'
import { contract } from '../../src/contract/document.ts'
import { eventTypes } from '../../src/contract/event.ts'
import { readAnswer } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

const { 'x-generated': _note, ...bundled } = contract

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { production: true } })
})
afterAll(() => server.close())

const read = (path: string, init?: RequestInit) => fetch(server.url + path, init)

describe('the contract is served', () => {
  it.each([
    ['/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
    ['/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ])('as it is, in one document, at %s', async (path, type, understand) => {
    const response = await read(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(understand(await response.text())).toEqual(bundled)
  })

  it('as OpenAPI 3.1 too, which breaks no rule and has the events in their place', async () => {
    const response = await read('/openapi.3.1.json')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    const text = await response.text()
    const { openapi, info, paths, webhooks } = JSON.parse(text)
    expect(openapi).toMatch(/^3\.1\./)
    expect(info).toEqual(bundled.info)
    expect(Object.keys(paths)).toEqual(Object.keys(bundled.paths))
    expect(Object.keys(webhooks)).toEqual(eventTypes)
    expect(webhooks['message.read'].post.requestBody).toEqual(bundled['x-webhooks']['message.read'].post.requestBody)

    const folder = await mkdtemp(join(tmpdir(), 'watchword-published-'))
    try {
      await writeFile(join(folder, 'openapi.json'), text)
      const { code, output } = await redocly('lint', join(folder, 'openapi.json'))
      expect(code, output).toBe(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('to a browser on any origin', async () => {
    for (const path of ['/openapi.json', '/openapi.yaml', '/openapi.3.1.json']) {
      expect((await read(path)).headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it.each(['/openapi.json', '/docs/swagger-ui.js'])('once: who has it, is told so: %s', async (path) => {
    const etag = (await read(path)).headers.get('etag')
    // By node:http: fetch would forbid the service to answer from what is known.
    const status = await new Promise((resolve, reject) => {
      const asked = request(server.url + path, { headers: { 'If-None-Match': etag! } }, (response) => {
        resolve(response.resume().statusCode)
      })
      asked.once('error', reject).end()
    })
    expect(status).toBe(304)
  })
})

describe('the reference', () => {
  it('forbids the browser every other host, and what is written into the page', async () => {
    const response = await read('/docs')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = response.headers.get('content-security-policy')?.split('; ')
    // What the first does not cover has to be named.
    for (const covered of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(policy).toContain(`${covered} 'none'`)
    }
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const sources = policy?.flatMap((directive) => directive.split(' ').slice(1))
    expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", 'data:']))
  })

  it('is found with a slash at the end too', async () => {
    const response = await read('/docs/', { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([308, '../docs'])
  })
})

describe('what is served beside the API', () => {
  it.each([
    { Range: 'bytes=99999999-' },
    { 'If-Match': '"x"' },
    { 'If-Unmodified-Since': 'Mon, 01 Jan 1990 00:00:00 GMT' },
  ])('is answered, whatever is asked for with it: %j', async (headers) => {
    for (const path of ['/docs', '/docs/swagger-ui.js', '/openapi.json']) {
      expect((await read(path, { headers: headers as Record<string, string> })).status).toBe(200)
    }
  })

  it.each(['/openapi.json', '/docs'])('can only be read: %s', async (path) => {
    expect((await read(path, { method: 'HEAD' })).status).toBe(200)
    const refused = await readAnswer<{ code: string }>(await read(path, { method: 'POST' }))
    expect([refused.status, refused.data.code]).toEqual([405, 'method_not_allowed'])
    expect(refused.headers.get('allow')).toBe('GET, HEAD')
  })

  it.each(['/docs/index.html', '/docs/..%2fpublished.ts', '/openapi', '/DOCS', '/__proto__'])(
    'is what is named, and nothing else: %s',
    async (path) => {
      expect((await readAnswer(await read(path))).status).toBe(404)
    },
  )
})
