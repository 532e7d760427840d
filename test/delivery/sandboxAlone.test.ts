/** The sandbox stands in for no other connection. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const sandbox = { id: 'sandbox', kind: 'sandbox' }
/** Of a gateway that cannot be reached. */
const gateway = {
  ...{ id: 'gateway', kind: 'http', url: 'http://127.0.0.1:1/send' },
  secret: `whsec_${randomBytes(32).toString('base64')}`,
}

let server: TestServer
let strict: TestServer
let accountId: string
beforeAll(async () => {
  server = await startServer()
  strict = await startServer({ config: { sandboxLive: false }, beside: server })
  accountId = (await server.app.accounts.require(defaultAccount)).id
})
beforeEach(() => apply(sandbox))
afterAll(async () => {
  await strict.close()
  await server.close()
})

async function apply(...list: object[]): Promise<void> {
  await server.app.connections.apply(accountId, list)
  for (const { runtime } of [server, strict]) runtime.advance(6)
}

const send = (phone: string, { live } = server) => live.post('/v1/verify/send', { phone })
const statusOf = async (id: unknown) => (await server.live.get(`/v1/messages/${id}`)).data.status
/** What the operations port and the page Sandbox phone show of a phone. */
async function shownOn(phone: string, { app } = server): Promise<number[]> {
  await server.work()
  const texts = await app.sandboxPhones.texts(accountId, phone)
  const phones = await app.sandboxPhones.list(accountId)
  return [(await server.phone(phone)).length, texts.length, phones.filter((one) => one.phone === phone).length]
}

describe('an account with another connection', () => {
  it.each([
    ['first', [sandbox, gateway]],
    ['last', [gateway, sandbox]],
  ])('has no live code carried by the sandbox, which is %s in its list', async (_where, list) => {
    await apply(...list)
    const phone = newPhone()
    const { status, data } = await send(phone)
    expect([status, await shownOn(phone)]).toEqual([200, [0, 0, 0]])
    expect(await statusOf(data.request_id)).not.toBe('delivered')
    const tested = newPhone()
    await server.test.send(tested)
    expect(await shownOn(tested)).toEqual([1, 1, 1])
  })

  it('has none carried that was on its way to the sandbox when that connection came', async () => {
    const phone = newPhone()
    const { data } = await send(phone)
    await apply(sandbox, gateway)
    expect(await shownOn(phone)).toEqual([0, 0, 0])
    expect(await statusOf(data.request_id)).toBe('failed')
  })

  it('shows no live code any more that the sandbox carried before', async () => {
    const [phone, tested] = [newPhone(), newPhone()]
    await send(phone)
    await server.test.send(tested)
    expect([await shownOn(phone), await shownOn(tested)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ])
    await apply(gateway)
    expect([await shownOn(phone), await shownOn(tested)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
  })

  it('has the sandbox listed as for test keys only, for as long as the other one is there', async () => {
    const marked = async ({ app } = server) =>
      (await app.connections.list(accountId)).flatMap(({ id, isForTestKeys }) => (isForTestKeys ? id : []))
    await apply(gateway, sandbox)
    expect([await marked(), await marked(strict)]).toEqual([['sandbox'], ['sandbox']])
    await apply(sandbox)
    expect([await marked(), await marked(strict)]).toEqual([[], ['sandbox']])
  })
})

describe('an account with nothing but the sandbox', () => {
  it('has its live codes there', async () => {
    await apply(gateway)
    await apply(sandbox)
    const phone = newPhone()
    expect((await send(phone)).status).toBe(200)
    expect(await shownOn(phone)).toEqual([1, 1, 1])
  })

  it('is answered no_channel where the sandbox is for test keys only, and shows no live code', async () => {
    const { status, data } = await send(newPhone(), strict)
    expect([status, data]).toMatchObject([403, { code: 'no_channel', message: expect.stringContaining('the sandbox') }])
    const notified = await strict.live.post('/v1/notifications/send', {
      ...{ phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } },
    })
    expect(notified.data).toMatchObject({ code: 'no_channel', message: expect.stringContaining('the sandbox') })
    const phone = newPhone()
    await strict.test.send(phone)
    expect(await shownOn(phone, strict)).toEqual([1, 1, 1])
    const live = newPhone()
    await send(live)
    expect((await shownOn(live, strict)).slice(1)).toEqual([0, 0])
  })
})
