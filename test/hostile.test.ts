/** Input that means harm: cases derived from the contract, and connections that dawdle. */
import { connect, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestValidator } from '../generated/validators.js'
import * as generated from '../generated/validators.js'
import { bodyBytesMax, contract } from '../src/contract/document.ts'
import { type Answer, type ErrorData, readAnswer } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'

const validators: Record<string, RequestValidator> = { ...generated }
const unknownId = `req_${'0'.repeat(26)}`

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer({ overrides: { timeouts: { headersMs: 300, requestMs: 600 } } })
  key = await server.key({ mode: 'live' })
})
afterAll(() => server.close())

interface Target {
  operationId: string
  method: string
  path: string
  statuses: number[]
  /** The fields of the body by their schemas; none for a GET. */
  fields: Record<string, FieldSchema>
  example: Record<string, unknown>
}
interface FieldSchema {
  type?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxProperties?: number
}

const targets: Target[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
    const media = operation.requestBody?.content['application/json']
    const schema = media && (resolve(media.schema) as { properties: Record<string, FieldSchema> })
    const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => [name, resolve(field)])
    return {
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(operation.responses).map(Number),
      fields: Object.fromEntries(fields),
      example: Object.values(media?.examples ?? {})[0]?.value ?? {},
    }
  }),
)
const posts = targets.filter(({ method }) => method === 'POST')

interface Operation {
  operationId: string
  responses: object
  requestBody?: {
    content: Record<string, { schema: object; examples: Record<string, { value: Record<string, unknown> }> }>
  }
}

function resolve(node: object): object {
  if (!('$ref' in node)) return node
  const keys = String(node.$ref).slice(2).split('/')
  return keys.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as object
}

/** Text of the kinds that break parsers, stores and terminals. */
const nastyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfffy',
    '\u202eevil',
    '\u2066\u2069',
    '﷽',
    '\ufeff',
    "' or 1=1 --",
    '$(reboot)',
    '{{name}}',
    '<script>',
    '../../etc/passwd',
    '+1415555010\u0660',
    ' +14155550100',
    '+14155550100\n',
    'req_',
    `${unknownId}\n`,
    unknownId.toLowerCase(),
    '9'.repeat(400),
    'é'.repeat(5000),
  ),
)

const nastyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(-0, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE, 3, 9, 6.5),
)

const nested = fc.integer({ min: 1, max: 1500 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)))

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.array(nastyText, { maxLength: 3 }),
  fc.dictionary(fc.oneof(nastyText, prototypeNames()), fc.oneof(nastyText, nastyNumber, fc.constant(null)), {
    maxKeys: 60,
  }),
  nested,
)

function prototypeNames(): fc.Arbitrary<string> {
  return fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty')
}

/** Values at and just beyond what the contract allows a field. */
function aroundBounds({ minimum, maximum, minLength, maxLength, maxProperties }: FieldSchema): fc.Arbitrary<unknown> {
  const bounds: unknown[] = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1],
  )
  for (const length of [minLength, maxLength].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1],
  )) {
    bounds.push('a'.repeat(Math.max(0, length)), '🦊'.repeat(Math.max(0, length)))
  }
  if (maxProperties !== undefined) {
    for (const count of [maxProperties, maxProperties + 1]) {
      bounds.push(Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, 'x'.repeat(1025)])))
    }
  }
  return bounds.length > 0 ? fc.constantFrom(...bounds) : nastyValue
}

async function ask(target: Target, init: RequestInit & { headers?: Record<string, string> }, path = target.path) {
  const before = await written()
  const started = performance.now()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers }
  const answer = await readAnswer<ErrorData>(
    await fetch(server.url + path, { method: target.method, ...init, headers }),
  )
  expect(performance.now() - started).toBeLessThan(1000)
  expect(answer.status).toBeLessThan(500)
  expect(Buffer.byteLength(answer.text)).toBeLessThan(bodyBytesMax)
  expect(target.statuses, answer.text).toContain(answer.status)
  if (answer.status >= 400) expect(await written()).toEqual(before)
  return answer
}

async function written(): Promise<unknown> {
  const [counts] = await server.query(sql`select (select count(*) from message) as messages,
    (select count(*) from phone) as phones, (select count(*) from idempotency) as answers,
    (select count(*) from pgboss.job) as jobs`)
  return counts
}

/** What breaks the schema is always told so; what does not may be refused for another documented reason, or pass. */
function expectVerdict(target: Target, body: unknown, answer: Answer<ErrorData>): void {
  const valid = validators[target.operationId]?.({ header: {}, requestBody: structuredClone(body) })
  if (valid) return
  expect({ status: answer.status, code: answer.data.code }).toEqual(
    answer.status === 413 ? { status: 413, code: 'body_too_large' } : { status: 400, code: 'invalid_request' },
  )
}

const runs = { numRuns: 60 }

describe.each(posts)('$operationId answers as documented, at once, and writes nothing', (target) => {
  it.each(Object.entries(target.fields))('when %s is wrong', async (name, schema) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(nastyValue, aroundBounds(schema)), async (value) => {
        const body = JSON.parse(JSON.stringify({ ...target.example, [name]: value }))
        expectVerdict(target, body, await ask(target, { body: JSON.stringify(body) }))
      }),
      runs,
    )
  })

  it('when a field is missing, surplus, twice or named after a prototype', async () => {
    const names = Object.keys(target.fields)
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(names),
        fc.option(fc.tuple(fc.oneof(nastyText, prototypeNames()), nastyValue), { nil: undefined }),
        fc.boolean(),
        async (kept, surplus, twice) => {
          const members = Object.entries(target.example).filter(([name]) => kept.includes(name))
          if (surplus) members.push(surplus)
          if (twice && members[0]) members.push(members[0])
          const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`
          expectVerdict(target, JSON.parse(text), await ask(target, { body: text }))
        },
      ),
      runs,
    )
  })

  it('when the body is anything at all', async () => {
    const anything = fc.oneof(
      fc.json(),
      nastyText,
      fc.uint8Array({ maxLength: 300 }),
      nastyValue.map((value) => JSON.stringify(value) ?? ''),
      // More deeply than a stack is high.
      fc.integer({ min: 4000, max: 8180 }).map((depth) => `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        const answer = await ask(target, { body: body as string })
        expect([400, 413]).toContain(answer.status)
      }),
      runs,
    )
  })

  it('when a number is too large for any machine, and when a name comes a thousand times', async () => {
    const [name = '', value] = Object.entries(target.example)[0] ?? []
    const others = JSON.stringify(target.example).slice(1)
    const bodies = ['1e400', '-1e400', '1'.repeat(400), '0x10', '1e', '.5', 'NaN', '-Infinity'].map(
      (n) => `{"${name}":${n},"x":1,${others}`,
    )
    bodies.push(`{${`"${name}":${JSON.stringify(value)},`.repeat(200)}"x":1,${others}`)
    for (const body of bodies) expect((await ask(target, { body })).status).toBe(400)
  })

  it('when headers are wrong', async () => {
    const headerText = fc.string({
      unit: fc
        .integer({ min: 32, max: 254 })
        .map((code) => (code === 127 ? 255 : code))
        .map((code) => String.fromCharCode(code)),
      maxLength: 300,
    })
    await fc.assert(
      fc.asyncProperty(headerText, async (text) => {
        // A body that is refused, so that a good key is not used up.
        const body = JSON.stringify({ ...target.example, surplus: 1 })
        const answers = [
          await ask(target, { body, headers: { 'Idempotency-Key': text } }),
          await ask(target, { body, headers: { 'Content-Type': text } }),
          await ask(target, { body, headers: { Authorization: `Bearer ${text}` } }),
          await ask(target, { body, headers: { Authorization: text } }),
        ]
        expect(answers.map(({ status }) => status)).toEqual([
          400,
          text.trim() === 'application/json' ? 400 : 415,
          401,
          401,
        ])
      }),
      { numRuns: 25 },
    )
  })
})

describe.each(targets.filter(({ method }) => method === 'GET'))(
  '$operationId answers as documented, at once',
  (target) => {
    it('when the path is anything at all', async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(nastyText, fc.constant(unknownId)), fc.boolean(), async (text, encode) => {
          const segment = encode ? encodeURIComponent(text.toWellFormed()) : text
          const path = target.path.replace(/\{.*\}/, () => segment)
          const [, , , ...rest] = new URL(server.url + path).pathname.split('/')
          // What the URL standard makes of it must still be one segment at this place.
          fc.pre(rest.length === 1 && rest[0] !== '' && new URL(server.url + path).pathname.startsWith('/v1/messages/'))
          const answer = await ask(target, {}, path)
          expect(answer.status).toBe(rest[0] === unknownId ? 404 : 400)
        }),
        { numRuns: 200 },
      )
    })
  },
)

describe('a connection', () => {
  /** Opens a connection, writes, and gives all that comes back until the server ends it. */
  function converse(write: (socket: Socket) => void): Promise<string> {
    const { hostname, port } = new URL(server.url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => write(socket))
      let received = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      socket.once('close', () => resolve(received))
      socket.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? resolve(received) : reject(error),
      )
    })
  }

  const head = () =>
    `POST /v1/verify/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const refusal = /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"success":false[\s\S]*"code":"invalid_request"/

  it('that does not finish its head is cut off', async () => {
    expect(await converse((socket) => socket.write('POST /v1/verify/send HTTP/1.1\r\nHost: x\r\nX-Slow: '))).toMatch(
      refusal,
    )
  })

  it('that does not finish its body holds no other one up, however many do so', async () => {
    const dawdlers = Array.from({ length: 40 }, () =>
      converse((socket) => socket.write(`${head()}Content-Length: 100\r\n\r\n{"phone":`)),
    )
    for (let i = 0; i < 5; i++) expect((await server.live.get(`/v1/messages/${unknownId}`)).status).toBe(404)
    for (const answer of await Promise.all(dawdlers)) expect(answer).toMatch(refusal)
    expect((await server.live.get(`/v1/messages/${unknownId}`)).status).toBe(404)
  })

  it('gets the answer to its good request, and none to the junk that follows', async () => {
    const body = '{"phone":"+14152345678"}'
    const answer = await converse((socket) =>
      socket.write(`${head()}Content-Length: ${body.length}\r\n\r\n${body}\x16\x03\x01junk`),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"status":"sent"/)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('without a Host, or that asks for a tunnel, is answered in the envelope', async () => {
    expect(await converse((socket) => socket.write('GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n'))).toMatch(
      /"route_not_found"/,
    )
    expect(await converse((socket) => socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatch(
      /"route_not_found"/,
    )
  })

  it('that does not finish its body is cut off', async () => {
    expect(await converse((socket) => socket.write(`${head()}Content-Length: 100\r\n\r\n{"phone":`))).toMatch(refusal)
  })

  it('with an endless head is refused', async () => {
    expect(await converse((socket) => socket.write(`${head()}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`))).toMatch(refusal)
  })

  it('that goes away in the middle leaves nothing behind', async () => {
    const before = await written()
    await converse((socket) => {
      socket.write(`${head()}Content-Length: 24\r\n\r\n{"phone":"+1415555`)
      setImmediate(() => socket.destroy())
    })
    expect(await written()).toEqual(before)
    expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200)
  })

  it('with two lengths, or a length and chunks, is refused', async () => {
    const smuggled = [
      'Content-Length: 5\r\nContent-Length: 6\r\n',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    ]
    for (const lengths of smuggled)
      expect(await converse((socket) => socket.write(`${head()}${lengths}\r\n{}`))).toMatch(refusal)
  })
})
