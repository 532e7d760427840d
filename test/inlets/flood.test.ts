/** What a crowd that has no secret may not take from the systems that have one, and may not find out. */
import { once } from 'node:events'
import { type IncomingMessage, request as requestTo } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/domain/access/keyText.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { applyInlets, bodyOf, entry, post } from './site.ts'

const unknownKeysPerMinute = 20

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { unknownKeysPerMinute } })
  await applyInlets(server, entry())
})
afterAll(() => server.close())

const good = () => post(server, bodyOf({ phone: newPhone(), code: '561166' }))
const wrong = (account?: string) => post(server, '{}', { headers: {}, ...(account !== undefined && { account }) })
const stranger = (n: number) => `acct_${String(n).padStart(26, '0')}`

/** Sends a head, and the body only when other posts were answered. @returns the answer, and whether it came before the body */
async function slowly(on: TestServer, account: string, inlet: string) {
  const request = requestTo(`${on.directUrl}/inlets/${account}/${inlet}`, {
    method: 'POST',
    headers: { 'Content-Length': 2 },
  })
  request.flushHeaders()
  let isEarly = false
  const answered = once(request, 'response').then(([response]: IncomingMessage[]) => {
    isEarly = !request.writableEnded
    return response!
  })
  for (const _ of [1, 2, 3]) await post(on, '{}', { headers: {}, account, inlet })
  request.end('{}')
  const response = await answered
  const { date: _date, 'x-trace-id': trace, ...headers } = response.headers
  const body = (await textOf(response)).replace(String(trace), '')
  return { isEarly, status: response.statusCode, headers, body }
}

it.each([
  ['somebody new', 1000, 401],
  ['a crowd', unknownKeysPerMinute, 429],
])('%s finds out by no answer, and by no unread body, which inlets there are', async (_who, perMinute, status) => {
  const on = await startServer({ config: { unknownKeysPerMinute: perMinute } })
  try {
    const account = await applyInlets(on, entry())
    for (let n = 0; n < unknownKeysPerMinute; n++) await post(on, '{}', { headers: {} })
    const known = await slowly(on, account, 'supabase-prod')
    expect(known).toMatchObject({ isEarly: false, status })
    expect(await slowly(on, account, 'another')).toEqual(known)
    expect(await slowly(on, stranger(79), 'supabase-prod')).toEqual(known)
  } finally {
    await on.close()
  }
})

describe('an address from which too many posts came that nobody had signed', () => {
  beforeAll(async () => {
    await good()
    for (let n = 0; n < unknownKeysPerMinute; n++)
      expect((await wrong(n % 2 ? stranger(n) : undefined)).status).toBe(401)
  })

  it('is refused with the next one, in the same way whether there is such an inlet or not', async () => {
    const answers = [await wrong(), await wrong(stranger(77))]
    for (const { status, retryAfter, text } of answers)
      expect([status, retryAfter, JSON.parse(text)]).toMatchObject([429, '2', { data: { code: 'rate_limited' } }])
  })

  it('counts with the keys that nobody has, and these with it', async () => {
    expect((await server.as(newKey('live')).get('/v1/messages/req_00000000000000000000000000')).status).toBe(429)
  })

  it('goes on with what is signed, also when the inlet has to be read anew', async () => {
    expect((await good()).status).toBe(200)
    await server.advance(10)
    expect((await good()).status).toBe(200)
  })

  it('can post to an inlet that this process has never seen, 2 seconds after it was made', async () => {
    const beside = await startServer({ beside: server, config: { unknownKeysPerMinute: 1 } })
    try {
      const body = bodyOf({ phone: newPhone(), code: '561166' })
      for (const n of [1, 2]) await post(beside, body, { account: stranger(n) })
      await server.advance(2)
      expect((await post(beside, body)).status).toBe(200)
    } finally {
      await beside.close()
    }
  })

  it('costs the database nothing more', async () => {
    await wrong(stranger(78))
    const sql = server.database!.sql
    await sql.begin(async (transaction) => {
      await transaction`lock table inlet in access exclusive mode`
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => wrong(stranger(1000 + n))))
      for (const { status } of answers) expect(status).toBe(429)
    })
  })
})
