/** Requests as libraries, shells and proxies make them, byte for byte, at each door that takes them. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Door, type Doors, openDoors } from './doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const every: readonly Door[] = ['api', 'twilio', 'inlet']
const ok: Record<Door, number> = { api: 200, twilio: 201, inlet: 200 }
const unsupported: Record<Door, string> = {
  api: 'Send the body as application/json in UTF-8',
  twilio: 'Send the body as application/x-www-form-urlencoded',
  inlet: 'Send the bytes as they were signed, not compressed.',
}

describe.each(every)('the Content-Type at the door of %s', (door) => {
  it.each<[string, (type: string) => string[]]>([
    ['that a proxy added again', (type) => [type, type]],
    ['in a list of itself', (type) => [`${type}, ${type}`]],
    ['in a list of itself, once with its charset', (type) => [`${type}; charset=utf-8, ${type}`]],
    ['with a semicolon behind it', (type) => [`${type};`]],
    ['with its charset in quotation marks', (type) => [`${type}; charset="utf-8"`]],
    ['with its charset in apostrophes', (type) => [`${type};charset='UTF-8'`]],
    ['with an empty charset', (type) => [`${type}; charset=`]],
    ['with blanks around everything', (type) => [`${type} ; charset = utf-8 `]],
    ['in capital letters', (type) => [type.toUpperCase()]],
  ])('%s is read', async (_what, write) => {
    expect((await doors.ask(door, { types: write })).status).toBe(ok[door])
  })
})

it.each<[Door, string, (type: string) => string[]]>([
  ['api', 'two different ones', (type) => [type, 'text/plain']],
  ['api', 'a type of its own on JSON', () => ['application/vnd.acme+json']],
  ['api', 'none', () => []],
  ['api', 'that of a form', () => ['application/x-www-form-urlencoded']],
  ['twilio', 'two different ones', (type) => [type, 'text/plain']],
  ['twilio', 'JSON', () => ['application/json']],
  ['twilio', 'none', () => []],
])('the door of %s refuses another Content-Type in words: %s', async (door, _what, types) => {
  expect(await doors.ask(door, { types })).toEqual({ status: 415, message: expect.stringContaining(unsupported[door]) })
})

describe.each(every)('the Content-Encoding at the door of %s', (door) => {
  it.each(['identity', 'Identity', 'UTF-8', ''])('%j changes nothing', async (encoding) => {
    expect((await doors.ask(door, { headers: [`Content-Encoding: ${encoding}`] })).status).toBe(ok[door])
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('%s is refused in words', async (encoding, compress) => {
    const told = await doors.ask(door, { headers: [`Content-Encoding: ${encoding}`], pack: compress })
    expect(told).toEqual({ status: 415, message: expect.stringContaining(unsupported[door]) })
  })

  it('is told where it is missing', async () => {
    const told = await doors.ask(door, { pack: gzipSync })
    expect(told).toEqual({ status: 400, message: expect.stringContaining('it is compressed (gzip)') })
  })
})

describe.each(every)('a body at the door of %s', (door) => {
  const chunked = (body: Buffer, trailers = '') =>
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from(`\r\n0\r\n${trailers}\r\n`)])

  it('in chunks, with a trailer that is no header, is read', async () => {
    const pack = (body: Buffer) => chunked(body, 'Authorization: Bearer of-another\r\nX-Sum: 1\r\n')
    const told = await doors.ask(door, { pack, lengths: ['Transfer-Encoding: chunked', 'Trailer: X-Sum'] })
    expect(told.status).toBe(ok[door])
  })

  it('that is asked about first is sent for', async () => {
    expect((await doors.ask(door, { headers: ['Expect: 100-continue'] })).status).toBe(ok[door])
  })

  it('with a mark at its beginning is read', async () => {
    const pack = (body: Buffer) => Buffer.concat([Buffer.from('\ufeff'), body])
    expect((await doors.ask(door, { pack })).status).toBe(ok[door])
  })

  it.each<[string, string[]]>([
    ['in two ways', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['twice', ['Content-Length: 5', 'Content-Length: 5']],
    ['in no way that there is', ['Transfer-Encoding: identity']],
  ])('whose length is told %s is refused in words', async (_what, lengths) => {
    const told = await doors.ask(door, { lengths })
    expect(told).toEqual({ status: 400, message: expect.stringContaining('the length of its body in exactly one way') })
  })
})

describe.each(every)('a request line at the door of %s', (door) => {
  it.each<[string, (path: string) => string]>([
    ['with the whole address', (path) => `http://127.0.0.1${path}`],
    ['with the address of another scheme, in capitals', (path) => `HTTPS://127.0.0.1:443${path}`],
    ['with a question mark behind it', (path) => `${path}?`],
    ['with a long query', (path) => `${path}?${'x'.repeat(6000)}`],
  ])('%s is read', async (_what, target) => {
    expect((await doors.ask(door, { target })).status).toBe(ok[door])
  })

  it.each([[['Accept: text/html']], [['Accept: application/xml;q=1, */*;q=0']]])(
    'asks for %s, and gets JSON',
    async (headers) => {
      expect((await doors.ask(door, { headers })).status).toBe(ok[door])
    },
  )

  it('of HTTP/1.0 needs no Host, and one of HTTP/1.1 needs one', async () => {
    expect((await doors.ask(door, { version: '1.0', hosts: [] })).status).toBe(ok[door])
    for (const hosts of [[], ['a', 'b'], ['m\u00fcller.de']]) {
      const told = await doors.ask(door, { hosts })
      expect(told).toEqual({ status: 400, message: expect.stringContaining('must have one Host header') })
    }
  })

  it.each<[string, Parameters<Doors['ask']>[1], string]>([
    ['a method in small letters', { method: 'post' }, 'in capital letters'],
    ['a method that is none', { method: 'SEND' }, 'in capital letters'],
    ['an address of 20 KB', { target: (path) => `${path}?${'x'.repeat(20_000)}` }, 'longer than 8 KB'],
    ['a header of 20 KB', { headers: [`X-Note: ${'x'.repeat(20_000)}`] }, 'longer than 8 KB'],
    ['a line end pasted into a header', { headers: ['X-Note: a\n'] }, 'A header has a line end'],
    ['a header in two lines', { headers: ['X-Note: a\r\n b'] }, 'A header has a line end'],
  ])('with %s is told what is wrong', async (_what, request, words) => {
    expect(await doors.ask(door, request)).toEqual({ status: 400, message: expect.stringContaining(words) })
  })

  it.each(['HEAD', 'OPTIONS', 'GET', 'PUT', 'TRACE'])('with %s is refused, with what there is', async (method) => {
    const { status, message } = await doors.ask(door, { method })
    expect([status, message]).toEqual([405, method === 'HEAD' ? '' : 'This path takes POST.'])
  })
})

it.each<[string, (path: string) => string]>([
  ['two slashes before it', (path) => `/${path}`],
  ['two slashes in it', (path) => path.replace('verify', '/verify')],
  ['a slash behind it', (path) => `${path}/`],
])('a path with %s is not found, and the right one is named', async (_what, target) => {
  const message = 'There is no such path. The same with single slashes, and none at its end, is /v1/verify/send.'
  expect(await doors.ask('api', { target })).toEqual({ status: 404, message })
})

describe('a key in the Authorization header', () => {
  it.each<[Door, string, (key: string) => string]>([
    ['api', 'two blanks before it', (key) => `Bearer  ${key}`],
    ['api', 'blanks behind it', (key) => `Bearer ${key}  `],
    ['api', 'the scheme in small letters', (key) => `bearer ${key}`],
    ['inlet', 'two blanks before it', (key) => `Bearer  ${key}`],
    ['inlet', 'the scheme in small letters', (key) => `bearer ${key}`],
    ['twilio', 'two blanks before it', (pair) => `Basic  ${base64(pair)}`],
    ['twilio', 'a line end behind it, as echo makes one', (pair) => `Basic ${base64(`${pair}\n`)}`],
    ['twilio', 'blanks around both', (pair) => `Basic ${base64(` ${pair.replace(':', ' : ')} `)}`],
  ])('at the door of %s is read with %s', async (door, _what, authorization) => {
    expect((await doors.ask(door, { authorization })).status).toBe(ok[door])
  })

  it.each<[string, (key: string) => string]>([
    ['quotation marks', (key) => `"${key}"`],
    ['apostrophes', (key) => `'${key}'`],
    ['angle brackets, as in examples', (key) => `<${key}>`],
    ['a comma behind it', (key) => `${key},`],
    ['an escaped line end', (key) => `${key}\\n`],
    ['a character of no width', (key) => Buffer.from(`${key}\u200b`).toString('latin1')],
    ['its last letter missing', (key) => key.slice(0, -1)],
    ['the name of a variable in its place', () => '$WATCHWORD_KEY'],
  ])('is refused with %s, and its caller is told that it is not one', async (_what, write) => {
    const told = await doors.ask('api', { authorization: (key) => `Bearer ${write(key)}` })
    expect(told).toEqual({ status: 401, message: expect.stringContaining('This is not an API key') })
  })

  it.each<[string, (key: string) => string]>([
    ['no scheme', (key) => key],
    ['the scheme twice', (key) => `Bearer Bearer ${key}`],
    ['a colon behind the scheme', (key) => `Bearer: ${key}`],
    ['another scheme', (key) => `Token ${key}`],
  ])('is not found with %s, and its caller is told the form', async (_what, authorization) => {
    const told = await doors.ask('api', { authorization })
    expect(told).toEqual({ status: 401, message: expect.stringContaining('in the form Bearer <API key>') })
  })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
