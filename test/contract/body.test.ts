/** Bodies that are made to cost more than they are worth: however they are built, the answer is small and soon there. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyBytesMax, contract, operationFacts } from '../../src/contract/document.ts'
import { createBodies, jsonMedia } from '../../src/http/api/body.ts'
import { type Answer, type ErrorData, readAnswer } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer({ config: { production: true } })
  key = await server.key()
})
afterAll(() => server.close())

async function send(body: string, path = '/v1/verify/send'): Promise<Answer<ErrorData>> {
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bodyBytesMax)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return readAnswer(await fetch(server.url + path, { method: 'POST', headers, body }))
}

const { maxItems: detailsMax } = contract.components.schemas.ErrorDetails
const { maxLength: fieldLengthMax } = contract.components.schemas.ErrorDetail.properties.field

/** A body as large as one may be, of one member after another. */
function filled(head: string, member: (index: number) => string, tail: string): string {
  const members: string[] = []
  let bytes = Buffer.byteLength(head + tail)
  for (let index = 0; ; index++) {
    const next = member(index)
    bytes += Buffer.byteLength(next) + 1
    if (bytes > bodyBytesMax) return head + members.join() + tail
    members.push(next)
  }
}

describe('a template', () => {
  const { bodyBytesMax: templateBytesMax = 0 } = operationFacts.find(
    ({ operationId }) => operationId === 'putTemplate',
  )!
  const put = async (body: string) => {
    const pipeline = server.as(await server.key({ scopes: ['templates:write'] }))
    return pipeline.put<ErrorData & { result: string }>('/v1/templates/longest', body)
  }

  it('may have the longest text in each of 50 languages, and a body of no more than a mebibyte', async () => {
    const tags = [...'abcdefghijklmnopqrstuvwxy'].flatMap((letter) => [`a${letter}`, `b${letter}`])
    const text = '\u{1f44d}'.repeat(4096)
    const locales = Object.fromEntries(tags.map((tag) => [tag, { text }]))
    expect((await put(JSON.stringify({ default_locale: 'aa', locales }))).data).toMatchObject({ result: 'created' })
    expect((await put(' '.repeat(templateBytesMax + 1))).data).toMatchObject({
      code: 'body_too_large',
      message: 'The body is larger than 1048576 bytes.',
    })
  })

  it.each([
    ['members', '{"default_locale":"en","locales":{', '"zzzz":1', '}}'],
    ['items', '{"default_locale":"en","locales":[', '0000001', ']}'],
    ['levels', '{"default_locale":"en","locales":', '[[[[[[[', ''],
  ])('of very many %s is refused before each of them is looked at', async (_what, head, member, tail) => {
    const count = Math.floor((templateBytesMax - head.length - tail.length) / (member.length + 1))
    const answer = await put(head + Array(count).fill(member).join() + tail)
    const message = 'must have at most 20000 members and items in all'
    expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
    expect(answer.data.details).toEqual([{ field: '', code: 'too_many', message }])
  })
})

describe('a body with very many faults gets a small answer, with the first of them, at once', () => {
  const controls = '\\u0001'.repeat(120)
  const notification = '{"phone":"+14155550100","template":"welcome","variables":{'

  it.each([
    ['texts that cannot be kept, under a long name', filled(`{"${'n'.repeat(8000)}":[`, () => '"\\u0000"', ']}')],
    [
      'texts that cannot be kept, under a name of control characters',
      filled(`{"${controls}":[`, () => '"\\u0000"', ']}'),
    ],
    ['names that cannot be kept', filled('{"x":[', () => '{"\\ud800":1}', ']}')],
    ['unknown fields', filled('{', (index) => `"${index.toString(36)}":1`, '}')],
    ['unknown fields with names of control characters', filled('{', (index) => `"${index}${controls}":1`, '}')],
    ['an unknown field with a name of slashes', `{"${'/'.repeat(16_000)}":1}`],
    ['an unknown field with a name of pairs', `{"x${'🦊'.repeat(1000)}":1}`],
    ['variables of no type', filled(notification, (index) => `"${index.toString(36)}":null`, '}}')],
    [
      'variables of no type with long names',
      filled(notification, (index) => `"${index}${'~'.repeat(300)}":null`, '}}'),
    ],
    [
      'unknown variables',
      `${notification}${Array.from({ length: 50 }, (_, index) => `"${index}${'~'.repeat(300)}":1`)}}}`,
    ],
    ['a text that is nothing but faults', `{"phone":"${'1.'.repeat(4000)}","brand_name":"${'1.'.repeat(4000)}"}`],
  ])('of %s', async (_what, body) => {
    const path = body.startsWith(notification) ? '/v1/notifications/send' : undefined
    const times: number[] = []
    for (let i = 0; i < 5; i++) {
      const before = process.cpuUsage()
      const { status, text, data } = await send(body, path)
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
      expect(status).toBe(400)
      expect(Buffer.byteLength(text)).toBeLessThan(bodyBytesMax)
      expect(data.details?.length).toBeLessThanOrEqual(detailsMax)
      for (const { field } of data.details ?? []) {
        expect(field.length).toBeLessThanOrEqual(fieldLengthMax)
        expect(field.isWellFormed()).toBe(true)
      }
    }
    // Both ends are in this process, and others share the machine.
    expect(Math.min(...times)).toBeLessThan(20)
  })

  it('and tells the first faults, in the order of the body', async () => {
    const { data } = await send(filled('{"phone":1,', (index) => `"x${index}":["\\u0000"]`, '}'))
    expect(data.details?.map(({ field }) => field)).toEqual(
      Array.from({ length: detailsMax }, (_, index) => `/x${index}/0`),
    )
  })

  it('and cuts a long name, so that it can be seen', async () => {
    const { data } = await send(`{"phone":"+14155550100","${'n'.repeat(100)}":1}`)
    expect(data.details?.map(({ field }) => field)).toEqual([`/${'n'.repeat(98)}…`])
  })
})

const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth)

describe('a body that is nested as deeply as its bytes allow is invalid_request', () => {
  const text = '"\\u0000"'

  it.each([
    ['arrays', nested(8188, '')],
    ['arrays around a text that cannot be kept', nested(8180, text)],
    ['arrays in a field', `{"phone":${nested(8180, '')}}`],
    ['arrays in a field around a text that cannot be kept', `{"phone":${nested(8180, text)}}`],
    ['objects', `${'{"a":'.repeat(2700)}${text}${'}'.repeat(2700)}`],
  ])('with %s', async (_what, body) => {
    expect(await send(body)).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
  })

  it('in a variable', async () => {
    const body = `{"phone":"+14155550100","template":"welcome","variables":{"name":${nested(8100, text)}}}`
    expect(await send(body, '/v1/notifications/send')).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
  })
})

it('a body in chunks of one byte takes what its bytes take, while it comes', async () => {
  const bytes = Buffer.from(`{"phone":"+14155550100","brand_name":"${'x'.repeat(2000)}"}`)
  const headers = { 'content-type': 'application/json' }
  const request = Object.assign(new Readable({ read: () => {} }), { headers, complete: true })
  const reading = createBodies(jsonMedia).read(request as unknown as IncomingMessage, async (body) => body.bytes)
  const chunks: WeakRef<Buffer>[] = []
  for (const byte of bytes) {
    const chunk = Buffer.alloc(1, byte)
    chunks.push(new WeakRef(chunk))
    request.push(chunk)
    if (chunks.length % 100 === 0) await setImmediate()
  }
  await setImmediate()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThan(10)
  request.push(null)
  expect(await reading).toEqual(bytes)
})
