/** Bodies that are made to cost more than they are worth: however they are built, the answer is small and soon there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyBytesMax } from '../../src/contract/document.ts'
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
