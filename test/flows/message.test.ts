import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const message = (id: string) => server.test.get(`/v1/messages/${id}`)

describe('a number of the test range decides what becomes of a message', () => {
  it.each([
    ['+14155550100', 'delivered'],
    ['+14155550109', 'delivered'],
    ['+14155550110', 'read'],
    ['+14155550130', 'sent'],
    ['+14155550140', 'sent'],
    ['+14155550150', 'sent'],
  ])('%s is %s at once', async (phone, status) => {
    const id = await server.test.send(phone)
    await server.work()
    expect((await message(id)).data).toMatchObject({ id, status, timestamp: server.moment() })
  })

  it('012x fails, because the phone is not on the channel', async () => {
    const id = await server.test.send('+14155550125')
    await server.work()
    expect((await message(id)).data).toMatchObject({
      id,
      status: 'failed',
      timestamp: server.moment(),
      error: { code: 'not_on_channel', message: expect.any(String) },
    })
    expect(await server.phone('+14155550125')).toEqual([])
  })

  it('013x stays sent, then expires when its code does', async () => {
    const id = await server.test.send('+14155550131')
    const expiry = new Date(server.runtime.now().getTime() + 600_000).toISOString()
    await server.work()
    await server.advance(599)
    expect(await server.test.status(id)).toBe('sent')
    await server.advance(1)
    const expired = { id, status: 'expired', timestamp: expiry }
    expect((await message(id)).data).toMatchObject(expired)
    await server.work()
    expect((await message(id)).data).toMatchObject(expired)
  })

  it('014x is delivered after 5 seconds', async () => {
    const id = await server.test.send('+14155550141')
    await server.work()
    // The time of the machine counts too: the rest of the five seconds is for a busy one.
    await server.advance(1)
    await server.work()
    expect(await server.test.status(id)).toBe('sent')
    expect(await server.phone('+14155550141')).toEqual([])
    await server.advance(4)
    await server.work()
    expect(await server.test.status(id)).toBe('delivered')
    expect(await server.phone('+14155550141')).toHaveLength(1)
  })

  it('015x is delivered after two temporary errors', async () => {
    const id = await server.test.send('+14155550151')
    for (const status of ['sent', 'sent', 'delivered']) {
      await server.work()
      expect(await server.test.status(id)).toBe(status)
      await server.advance(10)
    }
    expect(await server.phone('+14155550151')).toHaveLength(1)
  })

  it('016x cannot be sent to so soon', async () => {
    expect(await server.test.post('/v1/verify/send', { phone: '+14155550160' })).toMatchObject({
      status: 429,
      data: { code: 'resend_cooldown', retry_after: 60 },
    })
  })
})

it('ends as sent when its code was used before anybody reported it', async () => {
  const id = await server.test.send('+14155550132')
  await server.work()
  expect(await server.test.check(id, '000000')).toMatchObject({ verified: true })
  await server.advance(600)
  await server.work()
  expect(await server.test.status(id)).toBe('sent')
})

it('is not said to have expired when its code was used before a worker came to it', async () => {
  const id = await server.test.send(newPhone())
  await server.test.check(id, '000000')
  await server.advance(600)
  await server.work()
  expect(await server.test.status(id)).toBe('sent')
})

it('keeps the country of its phone, and the template that it was made from', async () => {
  const [swiss, nowhere] = ['+41446681800', '+80012345678']
  const welcome = { template: 'welcome', variables: { name: 'Ada' } }
  const ids = [
    await server.live.send(swiss),
    await server.live.send(nowhere),
    (await server.live.post('/v1/notifications/send', { phone: swiss, ...welcome })).data.request_id as string,
  ]
  const kept = await server.query<{ id: string }>(sql`select id, country, template from message where id in ${ids}`)
  expect(ids.map((id) => kept.find((row) => row.id === id))).toEqual([
    { id: ids[0], country: 'CH', template: null },
    { id: ids[1], country: null, template: null },
    { id: ids[2], country: 'CH', template: 'welcome' },
  ])
})

it('is found by its account and mode only', async () => {
  await server.app.accounts.create('another')
  const id = await server.test.send(newPhone())
  const notFound = { status: 404, data: { code: 'message_not_found' } }
  expect(await server.live.get(`/v1/messages/${id}`)).toMatchObject(notFound)
  const stranger = server.as(await server.key({ account: 'another' }))
  expect(await stranger.get(`/v1/messages/${id}`)).toMatchObject(notFound)
  expect(await server.test.status(id)).toBe('sent')
})

it('keeps every step with its time, and erases what was written once it is handed over', async () => {
  const id = await server.test.send('+14155550153')
  const start = server.runtime.now()
  const at = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString()
  const [before] = await server.query<{ kept: boolean }>(
    sql`select content is not null as kept from message where id = ${id}`,
  )
  expect(before).toEqual({ kept: true })
  for (let i = 0; i < 3; i++) {
    await server.work()
    await server.advance(10)
  }
  const [after] = await server.query(sql`select content, timeline from message where id = ${id}`)
  const connection = 'sandbox'
  expect(after).toEqual({
    content: null,
    timeline: [
      { status: 'sent', at: at(0) },
      { status: 'sent', at: at(0), connection, note: 'sandbox: attempt 1: temporary error of the sandbox' },
      { status: 'sent', at: at(10), connection, note: 'sandbox: attempt 2: temporary error of the sandbox' },
      { status: 'sent', at: at(20), connection, note: 'taken by sandbox', taken: true },
      { status: 'delivered', at: at(20), connection },
    ],
  })
})
