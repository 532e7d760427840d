/** What callers without a good key may not take from those who have one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/domain/access/keyText.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { converse, statusesIn } from '../support/wire.ts'

const path = '/v1/messages/req_00000000000000000000000000'
const unknownKeysPerMinute = 20

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { unknownKeysPerMinute } })
  await server.live.get(path)
})
afterAll(() => server.close())

const ask = async (key: string) => {
  const { status, data } = await server.as(key).get<{ code: string; retry_after?: number }>(path)
  return { status, ...data }
}

describe('an address from which too many keys came that nobody has', () => {
  beforeAll(async () => {
    for (let i = 0; i < unknownKeysPerMinute; i++) {
      expect(await ask(newKey('live'))).toMatchObject({ status: 401, code: 'invalid_api_key' })
    }
  })

  it('is refused with the next one', async () => {
    expect(await ask(newKey('live'))).toMatchObject({ status: 429, code: 'rate_limited', retry_after: 2 })
  })

  it('is told as ever of a key that is missing or mistyped', async () => {
    expect((await server.as(undefined).get(path)).data.code).toBe('missing_api_key')
    expect(await ask('ww_live_mistyped')).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  it('goes on with a key that is known, also when that has to be read anew', async () => {
    expect((await server.live.get(path)).status).toBe(404)
    await server.advance(10)
    expect((await server.live.get(path)).status).toBe(404)
    await server.live.send(newPhone())
  })

  it('can use a key that this process has never seen, 2 seconds after it was made at the latest', async () => {
    const beside = await startServer({ beside: server })
    const key = await beside.key()
    await beside.close()
    await server.advance(2)
    expect(await ask(key)).toMatchObject({ status: 404 })
  })

  it('costs the database nothing more', async () => {
    await ask(newKey('live'))
    const sql = server.database!.sql
    await sql.begin(async (transaction) => {
      await transaction`lock table api_key in access exclusive mode`
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(newKey('live'))))
      for (const answer of answers) expect(answer).toMatchObject({ status: 429 })
    })
  })
})

it('looks for unknown keys in bulk, and tells those who wait for the database within seconds', async () => {
  const other = await startServer()
  await other.live.get(path)
  const startedAt = performance.now()
  await other.database!.sql.begin(async (transaction) => {
    await transaction`lock table api_key in access exclusive mode`
    const requests = Array.from(
      { length: 20 },
      () => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${newKey('live')}\r\n\r\n`,
    ).join('')
    const crowd = Array.from({ length: 50 }, () =>
      converse(other.url, (socket) => {
        socket.write(requests)
        socket.once('data', () => socket.destroy())
      }),
    )
    for (const received of await Promise.all(crowd)) expect(statusesIn(received)).toEqual([503])
    expect((await other.live.get(path)).status).toBe(404)
  })
  expect(performance.now() - startedAt).toBeLessThan(8000)
  await other.close()
}, 30_000)
