import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyBytesMax } from '../../src/contract/document.ts'
import { type Answer, type ErrorData, readAnswer } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const path = '/v1/verify/send'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await server.key()
})
afterAll(() => server.close())

async function raw(method: string, target: string, init: RequestInit = {}): Promise<Answer<ErrorData>> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers }
  return readAnswer(await fetch(server.url + target, { method, ...init, headers }))
}
const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  raw('POST', path, { body: body as string, headers })
/** The answer in two words. */
const brief = ({ status, data }: Answer<ErrorData>) => [status, data.code]

it('no answer about an account is kept by a cache, whether it is good or not', async () => {
  const good = await send(JSON.stringify({ phone: newPhone() }))
  expect(good.status).toBe(200)
  for (const { headers } of [good, await send('{'), await raw('GET', '/nowhere')]) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

describe('every answer is in the envelope', () => {
  it.each([
    '/',
    '/v1',
    '/v2/verify/send',
    '/v1/verify/send/',
    '/V1/verify/send',
    '/v1/verify/send/more',
    '//',
    '/v1/messages/',
  ])('for an unknown path: %s', async (target) => {
    expect(brief(await raw('POST', target, { body: '{}' }))).toEqual([404, 'route_not_found'])
  })

  it.each([
    ['DELETE', path, 'POST'],
    ['GET', path, 'POST'],
    ['PUT', '/v1/messages/req_00000000000000000000000000', 'GET'],
    ['OPTIONS', '/v1/notifications/send', 'POST'],
  ])('for a wrong method, with Allow: %s %s', async (method, target, allow) => {
    const answer = await raw(method, target)
    expect(brief(answer)).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('for a path that is no UTF-8', async () => {
    expect(brief(await raw('GET', '/v1/messages/%ff%'))).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['what is no HTTP at all', 'HELLO\r\n\r\n'],
    ['a target that is no URL', 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('for %s', async (_what, sent) => {
    const { hostname, port } = new URL(server.url)
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(sent))
      let received = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      socket.on('end', () => resolve(received)).on('error', reject)
    })
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    await readAnswer(new Response(body, { status: 400, headers: parseHeaders(head) }))
  })
})

function parseHeaders(head: string): [string, string][] {
  return head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string])
}

describe('a body', () => {
  it.each(['', '{', 'phone=1', '{"phone":}', '\u0000', '{"a":1}{"b":2}'])(
    'that is no JSON is invalid_json: %j',
    async (body) => {
      expect(brief(await send(body))).toEqual([400, 'invalid_json'])
    },
  )

  it('that is no UTF-8 is invalid_json', async () => {
    expect(brief(await send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])))).toEqual([400, 'invalid_json'])
  })

  it('may have as many bytes as the contract says, and not one more', async () => {
    const body = (bytes: number) => `{"phone":"+14155550100"${' '.repeat(bytes - 24)}}`
    expect((await send(body(bodyBytesMax))).status).toBe(200)
    expect(brief(await send(body(bodyBytesMax + 1)))).toEqual([413, 'body_too_large'])
  })

  it('that does not tell its length is cut off at the same place', async () => {
    const answer = await new Promise<Answer<ErrorData>>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      }
      const outgoing = request(server.url + path, { method: 'POST', headers }, async (response) => {
        const chunks = await response.toArray()
        const init = { status: response.statusCode as number, headers: response.headers as Record<string, string> }
        resolve(readAnswer(new Response(Buffer.concat(chunks), init)))
      })
      outgoing.on('error', reject)
      for (let i = 0; i < 20; i++) outgoing.write(' '.repeat(1024))
      outgoing.end()
    })
    expect(brief(answer)).toEqual([413, 'body_too_large'])
  })

  it.each([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/json; charset=latin1' },
    { 'Content-Type': 'application/jsonx' },
    { 'Content-Type': '' },
    { 'Content-Encoding': 'gzip' },
  ])('of another media type is unsupported_media_type: %j', async (headers) => {
    expect(brief(await send('{"phone":"+14155550100"}', headers as Record<string, string>))).toEqual([
      415,
      'unsupported_media_type',
    ])
  })

  it.each(['application/json; charset=utf-8', 'application/json;charset=utf8', 'APPLICATION/JSON'])(
    'of this media type passes: %s',
    async (type) => {
      expect((await send('{"phone":"+14155550100"}', { 'Content-Type': type })).status).toBe(200)
    },
  )

  it('has every fault named at once, header and body', async () => {
    const answer = await send('{"length":9,"brand_name":"see evil.com","x/y":1}', { 'Idempotency-Key': 'a b' })
    expect(brief(answer)).toEqual([400, 'invalid_request'])
    const found = answer.data.details?.map(({ field, code }) => `${field} ${code}`)
    expect(found?.sort()).toEqual([
      '/brand_name wrong_format',
      '/length too_large',
      '/phone missing',
      '/x~1y unknown',
      'header:Idempotency-Key wrong_format',
    ])
  })

  it.each([
    ['/phone', '{"phone":14155550100}', 'wrong_type'],
    ['/phone', '{"phone":"14155550100"}', 'wrong_format'],
    ['/phone', '{"phone":"+1415555010٠"}', 'wrong_format'],
    ['/phone', '{"phone":"+14155550100\\u0000"}', 'wrong_format'],
    ['', '[]', 'wrong_type'],
    ['', 'null', 'wrong_type'],
    ['/length', '{"phone":"+14155550100","length":6.5}', 'wrong_type'],
    ['/length', '{"phone":"+14155550100","length":"6"}', 'wrong_type'],
    ['/length', '{"phone":"+14155550100","length":3}', 'too_small'],
    ['/__proto__', '{"phone":"+14155550100","__proto__":{}}', 'unknown'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":""}', 'too_short'],
    ['/brand_name', `{"phone":"+14155550100","brand_name":"${'a'.repeat(31)}"}`, 'too_long'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":"Call 55512"}', 'wrong_format'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":"evil.\\ufe0fcom"}', 'wrong_format'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":"evil.c\\u034fom"}', 'wrong_format'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":"1.1.1.1"}', 'wrong_format'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":" "}', 'wrong_format'],
    ['/brand_name', '{"phone":"+14155550100","brand_name":"\\u202eemca"}', 'wrong_format'],
    ['/locale', `{"phone":"+14155550100","locale":"de${'-a'.repeat(100)}"}`, 'too_long'],
    ['/autofill', '{"phone":"+14155550100","autofill":"acme.com"}', 'wrong_type'],
    ['/autofill/host', '{"phone":"+14155550100","autofill":{"host":"acme.com"}}', 'unknown'],
    ['/autofill/domain', '{"phone":"+14155550100","autofill":{"domain":"https://acme.com"}}', 'wrong_format'],
    ['/autofill/domain', '{"phone":"+14155550100","autofill":{"domain":"acme.com:443"}}', 'wrong_format'],
    ['/autofill/domain', '{"phone":"+14155550100","autofill":{"domain":"acme.com/login"}}', 'wrong_format'],
    ['/autofill/domain', '{"phone":"+14155550100","autofill":{"domain":"127.0.0.1"}}', 'wrong_format'],
    ['/autofill/domain', '{"phone":"+14155550100","autofill":{"domain":"acme.com\\n@evil.com"}}', 'wrong_format'],
    ['/autofill/domain', `{"phone":"+14155550100","autofill":{"domain":"${'a.'.repeat(126)}com"}}`, 'too_long'],
    ['/autofill/app_hash', '{"phone":"+14155550100","autofill":{"app_hash":"FA+9qCX9VS"}}', 'too_short'],
    ['/autofill/app_hash', '{"phone":"+14155550100","autofill":{"app_hash":"FA-9qCX9VSu"}}', 'wrong_format'],
    ['/autofill/app_hash', '{"phone":"+14155550100","autofill":{"app_hash":"FA+9qCX9VSu\\n"}}', 'too_long'],
  ])('at fault in %j is invalid_request: %s', async (field, body, code) => {
    const answer = await send(body)
    expect(brief(answer)).toEqual([400, 'invalid_request'])
    expect(answer.data.details).toEqual([{ field, code, message: expect.any(String) }])
  })

  it('has one entry for each field, also for one with several faults', async () => {
    const { data } = await send(`{"phone":"+14155550100","brand_name":"${'see evil.com '.repeat(3)}"}`)
    expect(data.details?.map(({ field, code }) => [field, code])).toEqual([['/brand_name', 'too_long']])
    const twice = await raw('GET', '/v1/messages?limit=0&limit=1&%ff&%fe', {})
    expect(twice.data.details?.map(({ field, code }) => [field, code])).toEqual([
      ['query:limit', 'repeated'],
      ['query:', 'wrong_format'],
    ])
  })

  it.each(['\\u0000', '\\ud800', '\\udc00x'])(
    'with %s in a text is invalid_request, which names nothing else',
    async (sequence) => {
      const variables = `{"phone":"not one","template":"welcome","variables":{"name":"a${sequence}"}}`
      const answer = await raw('POST', '/v1/notifications/send', { body: variables })
      expect(brief(answer)).toEqual([400, 'invalid_request'])
      expect(answer.data.details?.map(({ field }) => field)).toEqual(['/variables/name'])
    },
  )

  it('with a value of no allowed type names what is wrong with it', async () => {
    const variables = JSON.stringify({ name: null, long: 'x'.repeat(1025) })
    const body = `{"phone":"+14155550100","template":"welcome","variables":${variables}}`
    const { data } = await raw('POST', '/v1/notifications/send', { body })
    expect(data.details?.map(({ field, code }) => [field, code])).toEqual([
      ['/variables/name', 'wrong_type'],
      ['/variables/long', 'too_long'],
    ])
  })
})

it('a number that no country has is invalid_phone', async () => {
  for (const phone of ['+10000000000', '+999123456789', '+4912', '+1415555010']) {
    expect(brief(await send(JSON.stringify({ phone })))).toEqual([400, 'invalid_phone'])
  }
})

it('a number that charges its caller is invalid_phone for every send, also in test mode', async () => {
  for (const phone of ['+19002345678', '+447012345678', '+881612345678']) {
    const notification = JSON.stringify({ phone, template: 'welcome', variables: { name: 'Ada' } })
    const answers = [
      await send(JSON.stringify({ phone })),
      await raw('POST', '/v1/notifications/send', { body: notification }),
    ]
    expect(answers.map(brief)).toEqual([
      [400, 'invalid_phone'],
      [400, 'invalid_phone'],
    ])
  }
})

describe('an API key', () => {
  const as = async (authorization: string | undefined) => {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' }
    if (authorization !== undefined) headers.Authorization = authorization
    return readAnswer<ErrorData>(await fetch(server.url + path, { method: 'POST', headers, body: '{' }))
  }

  it('is asked for before anything else is looked at', async () => {
    for (const authorization of [undefined, '', 'Basic abc', 'Bearer', 'Bearer a b', key]) {
      const answer = await as(authorization)
      expect(brief(answer)).toEqual([401, 'missing_api_key'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('may follow the scheme in any case', async () => {
    expect(brief(await as(`bEARER ${key}`))).toEqual([400, 'invalid_json'])
  })

  it('that is not known here is invalid_api_key', async () => {
    const unknown = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
    for (const presented of ['x', 'ww_test_', unknown, key.replace('test', 'live'), `${key}0`]) {
      expect(brief(await as(`Bearer ${presented}`))).toEqual([401, 'invalid_api_key'])
    }
  })

  it('that was revoked or has expired says so', async () => {
    const expiring = await server.key({ expiresAt: new Date(server.runtime.now().getTime() + 1000) })
    expect(brief(await as(`Bearer ${expiring}`))).toEqual([400, 'invalid_json'])
    await server.advance(1)
    expect(brief(await as(`Bearer ${expiring}`))).toEqual([401, 'expired_api_key'])

    const { key: revoked, id } = await server.newKey()
    expect(brief(await as(`Bearer ${revoked}`))).toEqual([400, 'invalid_json'])
    await server.app.apiKeys.revoke(id)
    expect(brief(await as(`Bearer ${revoked}`))).toEqual([401, 'revoked_api_key'])
  })

  it('without the scope is refused before its body is looked at, and is told which scope it needs', async () => {
    const reader = await server.key({ scopes: ['messages:read'] })
    const answer = await as(`Bearer ${reader}`)
    expect(brief(answer)).toEqual([403, 'insufficient_scope'])
    expect(answer.data.message).toContain('verify:write')
    expect((await server.as(reader).get('/v1/messages/req_00000000000000000000000000')).status).toBe(404)
  })
})

it('a country that is not on the list is refused, for codes and for notifications', async () => {
  const strict = await startServer({ config: { countriesAllowed: new Set(['DE', 'US']) } })
  const notify = (phone: string) =>
    strict.test.post('/v1/notifications/send', { phone, template: 'welcome', variables: { name: 'A' } })
  expect((await strict.test.post(path, { phone: newPhone() })).status).toBe(200)
  const refused = { status: 403, data: { code: 'country_not_allowed' } }
  expect(await strict.test.post(path, { phone: '+447400123456' })).toMatchObject(refused)
  expect(await notify('+447400123456')).toMatchObject(refused)
  await strict.close()
})
