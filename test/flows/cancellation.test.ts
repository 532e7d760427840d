import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const cancel = async (request_id: string) => (await server.test.post('/v1/verify/cancel', { request_id })).data

describe('a verification that is cancelled', () => {
  it('takes the right code no more, and is not sent if it was not yet', async () => {
    const phone = newPhone()
    const request_id = await server.test.send(phone)
    expect(await cancel(request_id)).toEqual({ request_id, cancelled: true })
    expect(await server.test.check(request_id, '000000')).toMatchObject({ verified: false, reason: 'expired' })
    await server.work()
    expect(await server.phone(phone)).toEqual([])
    expect(await cancel(request_id)).toEqual({ request_id, cancelled: false })
  })

  it('is told the same again under the same Idempotency-Key', async () => {
    const request_id = await server.test.send(newPhone())
    const once = () =>
      server.test.post('/v1/verify/cancel', { request_id }, { 'Idempotency-Key': `cancel-${request_id}` })
    const first = await once()
    expect(first.data).toEqual({ request_id, cancelled: true })
    expect((await once()).text).toBe(first.text)
  })

  it('was over before when it was verified, superseded, or out of attempts', async () => {
    const verified = await server.test.send(newPhone())
    await server.test.check(verified, '000000')
    const phone = newPhone()
    const superseded = await server.test.send(phone)
    const newer = await server.test.send(phone)
    const exhausted = await server.test.send(newPhone())
    for (let tried = 0; tried < 5; tried++) await server.test.check(exhausted, '111111')
    for (const request_id of [verified, superseded, exhausted])
      expect(await cancel(request_id)).toEqual({ request_id, cancelled: false })
    expect(await server.test.check(newer, '000000')).toMatchObject({ verified: true })
  })

  it('leaves the phone free for a new code', async () => {
    const phone = newPhone()
    await cancel(await server.test.send(phone))
    expect(await server.test.check(await server.test.send(phone), '000000')).toMatchObject({ verified: true })
  })

  it('is known to its own account and mode alone', async () => {
    const request_id = await server.test.send(newPhone())
    const { status } = await server.live.post('/v1/verify/cancel', { request_id })
    expect(status).toBe(404)
    expect(await server.test.check(request_id, '000000')).toMatchObject({ verified: true })
  })

  it('once, however many cancel it or check it at the same moment', async () => {
    const request_id = await server.test.send(newPhone())
    const cancels = Array.from({ length: 8 }, () => cancel(request_id))
    const checks = Array.from({ length: 4 }, () => server.test.check(request_id, '000000'))
    const [told, checked] = await Promise.all([Promise.all(cancels), Promise.all(checks)])
    const ends = [...told.map((data) => data.cancelled), ...checked.map(({ verified }) => verified)]
    expect(ends.filter((end) => end === true)).toHaveLength(1)
  })

  it('stays so when a clock goes back: the code verifies nothing, and the message is not sent', async () => {
    const phone = newPhone()
    await server.advance(60)
    const request_id = await server.test.send(phone)
    expect(await cancel(request_id)).toEqual({ request_id, cancelled: true })
    await server.advance(-30)
    expect((await server.test.get(`/v1/messages/${request_id}`)).data).toMatchObject({ status: 'expired' })
    expect(await server.test.check(request_id, '000000')).toMatchObject({ verified: false, reason: 'expired' })
    await server.work()
    expect(await server.phone(phone)).toEqual([])
    await server.advance(30)
  })

  it('is over also when its message was delivered, which stays so', async () => {
    const request_id = await server.test.send('+14155550100')
    await server.work()
    expect(await cancel(request_id)).toEqual({ request_id, cancelled: true })
    expect(await server.test.check(request_id, '000000')).toMatchObject({ verified: false, reason: 'expired' })
    expect((await server.test.get(`/v1/messages/${request_id}`)).data).toMatchObject({ status: 'delivered' })
  })
})
