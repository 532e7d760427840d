/** The database's clock was a day ahead for a while, as that of a machine brought back from a copy, and is right again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const daySeconds = 24 * 3600
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** What happens while the clock is ahead. */
async function whileAhead(work: () => Promise<void>): Promise<void> {
  server.runtime.advance(daySeconds)
  await work()
  server.runtime.advance(-daySeconds)
}

it('a phone that was sent to meanwhile is sent to again, and has its cooldown', async () => {
  const phone = newPhone()
  await whileAhead(async () => {
    await server.live.send(phone)
  })
  await server.live.send(phone)
  expect((await server.live.post('/v1/verify/send', { phone })).data).toMatchObject({
    code: 'resend_cooldown',
    retry_after: 60,
  })
})

it('wrong codes from meanwhile keep nobody from checking a code', async () => {
  const phone = newPhone()
  const right = async () => (await server.phone(phone)).at(-1)!.text.match(/\d{6}/)![0]
  await whileAhead(async () => {
    for (let request = 0; request < 2; request++) {
      const id = await server.live.send(phone)
      await server.work()
      const wrong = (await right()) === '000000' ? '000001' : '000000'
      for (let guess = 0; guess < 5; guess++) await server.live.check(id, wrong)
      server.runtime.advance(60)
    }
    server.runtime.advance(-120)
  })
  const id = await server.live.send(phone)
  await server.work()
  expect(await server.live.check(id, await right())).toMatchObject({ verified: true })
})

it('what happens is counted within seconds', async () => {
  const { id: accountId } = await server.app.accounts.require('default')
  const created = async () => {
    await server.app.countingLoop.runOnce()
    return (await server.app.figures.overview({ accountId, mode: 'live' }, '24h')).totals.created
  }
  await whileAhead(async () => {
    await server.live.send(newPhone())
    expect(await created()).toBeGreaterThan(0)
  })
  const before = await created()
  await server.live.send(newPhone())
  server.runtime.advance(30)
  expect(await created()).toBe(before + 1)
})
