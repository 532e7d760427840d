/** What the service tells those who generate clients from it, without asking for a key. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { redocly } from '../../scripts/contract/redocly.ts'
import { contract } from '../../src/contract/document.ts'
import { eventTypes } from '../../src/contract/event.ts'
import { readAnswer } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { converse, statusesIn } from '../support/wire.ts'

const { 'x-generated': _note, ...bundled } = contract

interface Item {
  [method: string]: {
    operationId: string
    requestBody?: { content: { 'application/json': { examples?: Record<string, { value: unknown }> } } }
  }
}

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { production: true } })
})
afterAll(() => server.close())

const read = (path: string, init?: RequestInit) => fetch(server.url + path, init)

interface Answered {
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** By node:http, which sends the Host that it is told, and of its own accord nothing about encodings. */
const ask = (
  path: string,
  headers: Record<string, string | string[]> = {},
  { url = server.url, method = 'GET' } = {},
) =>
  new Promise<Answered>((resolve, reject) => {
    const asked = request(url + path, { method, headers }, async (response) => {
      resolve({
        status: response.statusCode,
        headers: response.headers,
        bytes: Buffer.concat(await response.toArray()),
      })
    })
    asked.once('error', reject).end()
  })
const textOf = async (...asked: Parameters<typeof ask>) => String((await ask(...asked)).bytes)

describe('the contract is served', () => {
  it.each([
    ['/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
    ['/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ])('as it is, in one document, at %s', async (path, type, understand) => {
    const response = await read(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    const externalDocs = { ...bundled.externalDocs, url: `${server.url}/docs` }
    expect(understand(await response.text())).toEqual({ ...bundled, externalDocs, servers: [{ url: server.url }] })
    expect((await read('/docs')).status).toBe(200)
  })

  it('as one Markdown text, with each operation, event, error, field and example', async () => {
    const response = await read('/openapi.md')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    const text = await response.text()
    const lines = text.split('\n')
    for (const [path, item] of Object.entries<Item>(bundled.paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries(item)) {
        const place = lines.findIndex((line) => line.startsWith('### ') && line.endsWith(`(\`${operationId}\`)`))
        expect(lines[place + 2], operationId).toContain(`\`${method.toUpperCase()} ${path}\``)
        for (const { value } of Object.values(requestBody?.content['application/json'].examples ?? {})) {
          expect(text).toContain(`\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``)
        }
      }
    }
    expect(eventTypes.filter((type) => !text.includes(`(\`${type}\`)\n`))).toEqual([])
    const { enum: codes, 'x-statuses': statuses } = bundled.components.schemas.ErrorCode
    const statusOf = new Map(Object.entries<number>(statuses))
    expect(codes.filter((code) => !text.includes(`- \`${code}\` (${statusOf.get(code)}): `))).toEqual([])
    const { SendVerificationRequest: send, Message: message } = bundled.components.schemas
    const fields = [...Object.keys(send.properties), ...Object.keys(message.properties)]
    expect(fields.filter((field) => !text.includes(`- \`${field}\` (`))).toEqual([])
    expect(text).not.toContain('[object')
  })

  it('as a list of what there is, in the form of llms.txt, by addresses that answer', async () => {
    const text = await (await read('/llms.txt')).text()
    expect(text).toMatch(/^# Watchword API\n\n> \S.*\n\n## /)
    const entries = Array.from(
      text.matchAll(/^- \[(.+?)\]\((.+?)\): /gm),
      ([, name, address]) => [name, address] as const,
    )
    const named = new Set(entries.map(([name]) => name))
    const operationIds = Object.values<Item>(bundled.paths).flatMap((item) =>
      Object.values(item).map((one) => one.operationId),
    )
    expect([...operationIds, ...eventTypes].filter((name) => !named.has(name))).toEqual([])
    const answers = await Promise.all([...new Set(entries.map(([, address]) => address!))].map((one) => fetch(one)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
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

  it.each(['/openapi.json', '/docs', '/docs/minisearch.js'])('once: who has it, is told so: %s', async (path) => {
    const { headers } = await ask(path)
    for (const encoding of ['identity', 'gzip']) {
      const known = { 'If-None-Match': headers.etag!, 'Accept-Encoding': encoding }
      const again = await ask(path, known)
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      for (const name of ['etag', 'vary', 'cache-control']) expect(again.headers[name]).toBe(headers[name])
    }
    expect((await ask(path, { 'If-None-Match': 'W/"another"' })).status).toBe(200)
  })
})

describe('the address in what is served', () => {
  const addressFor = async (headers: Record<string, string | string[]>) => {
    return JSON.parse(await textOf('/openapi.json', headers)).servers[0].url
  }

  it.each([
    ['of the request', { Host: 'api.example:8080' }, 'http://api.example:8080'],
    ['as a browser writes it', { Host: 'API.Example:80' }, 'http://api.example'],
    ['in brackets', { Host: '[::1]:3000' }, 'http://[::1]:3000'],
    ['behind a proxy that takes TLS off', { Host: 'api.example', 'X-Forwarded-Proto': 'https' }, 'https://api.example'],
    ['in capital letters', { Host: 'api.example', 'X-Forwarded-Proto': 'HTTPS' }, 'https://api.example'],
    ['behind two proxies', { Host: 'api.example', 'X-Forwarded-Proto': ['https', 'http'] }, 'https://api.example'],
    ['behind two without TLS', { Host: 'api.example', 'X-Forwarded-Proto': 'http, https' }, 'http://api.example'],
    ['whatever a proxy says else', { Host: 'api.example', 'X-Forwarded-Proto': 'javascript' }, 'http://api.example'],
  ])('is the one %s', async (_how, headers, address) => {
    expect(await addressFor(headers)).toBe(address)
    expect(parse(await textOf('/openapi.yaml', headers)).servers).toEqual([{ url: address }])
    expect(JSON.parse(await textOf('/openapi.3.1.json', headers)).servers).toEqual([{ url: address }])
    expect(await textOf('/docs', headers)).toContain(`${address}/v1/verify/send`)
  })

  it.each([
    '"><img src=x onerror=alert(1)>',
    'another host',
    'user@host',
    'host/path',
    "x';touch y;'",
    `${'a.'.repeat(200)}b`,
  ])('is not what is no host, which is refused: %s', async (host) => {
    for (const path of ['/docs', '/docs/errors', '/openapi.yaml', '/openapi.json']) {
      const { status, bytes } = await ask(path, { Host: host })
      expect(status).toBe(400)
      expect(String(bytes)).not.toContain(host)
    }
  })

  it('is not what has a port that cannot be', async () => {
    expect(await addressFor({ Host: 'a:99999' })).toBe(contract.servers[0]!.url)
  })

  it('is not mixed up by who keeps answers', async () => {
    const [one, other] = [await ask('/docs', { Host: 'one.example' }), await ask('/docs', { Host: 'other.example' })]
    expect(one.headers.etag).not.toBe(other.headers.etag)
    for (const { headers } of [one, other]) expect(headers.vary).toBe('Accept-Encoding, Host, X-Forwarded-Proto')
    expect((await ask('/docs/style.css', { Host: 'one.example' })).headers.vary).toBe('Accept-Encoding')
  })

  it('is the one that the operator says, whoever asks', async () => {
    const publicUrl = 'https://api.example/watchword'
    const told = await startServer({ config: { publicUrl }, beside: server })
    const text = await textOf('/openapi.json', { Host: 'other.example' }, told)
    expect(JSON.parse(text).servers).toEqual([{ url: publicUrl }])
    expect(await textOf('/docs', {}, told)).toContain(`${publicUrl}/v1/verify/send`)
    await told.close()
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
    expect(new Set(sources)).toEqual(new Set(["'none'", "'self'"]))
  })

  it('is found with a slash at the end too', async () => {
    const response = await read('/docs/', { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([308, '../docs'])
  })
})

describe('what is served beside the API', () => {
  const paths = ['/docs', '/docs/errors', '/docs/search.json', '/docs/icon.svg', '/openapi.json', '/openapi.yaml']

  it.each(paths)('comes in gzip to those who take it, with the address that they asked at: %s', async (path) => {
    for (const Host of ['a', 'api.example:8080', `${'long.'.repeat(40)}example`]) {
      const [plain, packed] = [await ask(path, { Host }), await ask(path, { Host, 'Accept-Encoding': 'gzip' })]
      expect([plain, packed].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip'])
      for (const { headers, bytes } of [plain, packed]) expect(headers['content-length']).toBe(`${bytes.length}`)
      expect(String(gunzipSync(packed.bytes))).toBe(String(plain.bytes))
      if (plain.bytes.length > 2000) expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
    }
  })

  it.each([
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1, gzip;q=0.1', 'gzip'],
    ['*', 'gzip'],
    ['', undefined],
    ['br', undefined],
    ['gzip;q=0', undefined],
    ['*, gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['*;q=0', undefined],
    [`gzip, ${'x, '.repeat(2000)}`, undefined],
  ])('comes as it is wanted by who says: %s', async (accepted, encoding) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask('/docs', { 'Accept-Encoding': accepted }, { method })
      expect([status, headers['content-encoding']]).toEqual([200, encoding])
    }
  })

  it('is described by HEAD as GET brings it', async () => {
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const [got, told] = [await ask('/docs', headers), await ask('/docs', headers, { method: 'HEAD' })]
      const without = ({ date, 'x-trace-id': _id, ...rest }: IncomingHttpHeaders) => rest
      expect(without(told.headers)).toEqual(without(got.headers))
      expect([told.bytes.length, got.headers['content-length']]).toEqual([0, `${got.bytes.length}`])
    }
  })

  it.each([
    { Range: 'bytes=99999999-' },
    { 'If-Match': '"x"' },
    { 'If-Unmodified-Since': 'Mon, 01 Jan 1990 00:00:00 GMT' },
  ])('is answered, whatever is asked for with it: %j', async (headers) => {
    for (const path of ['/docs', '/docs/minisearch.js', '/openapi.json']) {
      expect((await read(path, { headers: headers as Record<string, string> })).status).toBe(200)
    }
  })

  it.each(['/openapi.json', '/docs'])('can only be read: %s', async (path) => {
    expect((await read(path, { method: 'HEAD' })).status).toBe(200)
    const refused = await readAnswer<{ code: string }>(await read(path, { method: 'POST' }))
    expect([refused.status, refused.data.code]).toEqual([405, 'method_not_allowed'])
    expect(refused.headers.get('allow')).toBe('GET, HEAD')
  })

  it.each([
    ['http://other.example/docs', 200],
    ['http://%@other.example/openapi.json', 200],
    ['http://;/docs?x', 200],
    ['http://[::bad/docs', 400],
    ['http://%/openapi.json', 400],
    ['http://[/docs/', 400],
  ])('is found by a whole URL, and by nothing that only looks like one: %s', async (target, status) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const received = await converse(server.url, (socket) => socket.write(request))
    expect(statusesIn(received)).toEqual([status])
    if (status === 400) expect(received).toContain('"code":"invalid_request"')
  })

  it.each(['/docs/index.html', '/docs/reference.ts', '/docs/..%2fpublished.ts', '/openapi', '/DOCS', '/__proto__'])(
    'is what is named, and nothing else: %s',
    async (path) => {
      expect((await readAnswer(await read(path))).status).toBe(404)
    },
  )
})
