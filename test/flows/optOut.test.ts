import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const offer = { slug: 'offer', category: 'marketing' as const, text: 'An offer for {{name}}' }
  await server.app.templates.apply('acct_default', [offer])
})
afterAll(() => server.close())

const ask = (client: Client, what: 'add' | 'remove' | 'find', phone: string, headers = {}) =>
  client.post(`/v1/opt-outs/${what}`, { phone }, headers)
const notify = (client: Client, phone: string, more = {}) =>
  client.post('/v1/notifications/send', { phone, template: 'welcome', variables: { name: 'Ada' }, ...more })
const offer = (client: Client, phone: string, more = {}) => notify(client, phone, { template: 'offer', ...more })
const gets = { status: 200, data: { status: 'queued' } }
const optedOut = { status: 403, data: { code: 'opted_out' } }

describe('a phone whose owner told the account that they want no notifications', () => {
  it('gets none, but every code that it asks for', async () => {
    const phone = newPhone()
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect((await ask(server.live, 'add', phone)).data).toEqual({
      opted_out: true,
      category: 'all',
      source: 'api',
      since,
    })
    expect(await notify(server.live, phone)).toMatchObject(optedOut)
    await server.live.send(phone)
    await server.work()
    await expect.poll(() => server.phone(phone)).toHaveLength(1)
  })

  it('keeps the time of the first opt-out, however often it is told', async () => {
    const phone = newPhone()
    const { data: first } = await ask(server.live, 'add', phone)
    await server.advance(60)
    expect((await ask(server.live, 'add', phone)).data).toEqual(first)
    expect((await ask(server.live, 'find', phone)).data).toEqual(first)
  })

  it('gets notifications again once the opt-out is removed, which may be told twice', async () => {
    const phone = newPhone()
    await ask(server.live, 'add', phone)
    for (let told = 0; told < 2; told++)
      expect((await ask(server.live, 'remove', phone)).data).toEqual({ opted_out: false })
    expect((await ask(server.live, 'find', phone)).data).toEqual({ opted_out: false })
    expect(await notify(server.live, phone)).toMatchObject(gets)
  })

  it('does not get one that waited for its time', async () => {
    const phone = newPhone()
    const send_at = new Date(server.runtime.now().getTime() + 3600_000).toISOString()
    const { request_id } = (await notify(server.live, phone, { send_at })).data as { request_id: string }
    await ask(server.live, 'add', phone)
    await server.advance(3600)
    await server.work()
    expect((await server.live.get(`/v1/messages/${request_id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'opted_out' },
    })
  })

  it('is one phone, under both of its numbers', async () => {
    await ask(server.live, 'add', '+541136599007')
    expect((await ask(server.live, 'find', '+5491136599007')).data).toMatchObject({ opted_out: true })
  })

  it('is known to its own account and mode alone', async () => {
    const phone = newPhone()
    await ask(server.live, 'add', phone)
    expect((await ask(server.test, 'find', phone)).data).toEqual({ opted_out: false })
    expect(await notify(server.test, phone)).toMatchObject(gets)
  })

  it('is told of once, by all who tell it at the same moment', async () => {
    const phone = newPhone()
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(server.live, 'add', phone)))
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(await notify(server.live, phone)).toMatchObject(optedOut)
  })

  it('is answered the same under the same Idempotency-Key, also after it opted in again', async () => {
    const phone = newPhone()
    const once = () => ask(server.live, 'add', phone, { 'Idempotency-Key': `stop-${phone}` })
    const first = await once()
    await ask(server.live, 'remove', phone)
    expect((await once()).text).toBe(first.text)
    expect((await ask(server.live, 'find', phone)).data).toEqual({ opted_out: false })
  })
})

describe('a phone whose owner wants no marketing', () => {
  const addMarketing = (phone: string) => server.live.post('/v1/opt-outs/add', { phone, category: 'marketing' })

  it('gets no template of that category, and all others', async () => {
    const phone = newPhone()
    expect((await addMarketing(phone)).data).toMatchObject({ opted_out: true, category: 'marketing' })
    expect(await offer(server.live, phone)).toMatchObject(optedOut)
    expect(await notify(server.live, phone)).toMatchObject(gets)
    const preview = await server.live.post('/v1/notifications/preview', {
      ...{ phone, template: 'offer', variables: { name: 'Ada' } },
    })
    expect(preview.data).toMatchObject({ refusals: [{ code: 'opted_out' }] })
  })

  it('gets what waited for its time, unless it is marketing, also of a template that is gone', async () => {
    const phone = newPhone()
    const send_at = new Date(server.runtime.now().getTime() + 3600_000).toISOString()
    await server.app.templates.apply('acct_default', [{ slug: 'gone', text: 'Hello' }])
    const asked = [
      await notify(server.live, phone, { send_at }),
      await offer(server.live, phone, { send_at }),
      await notify(server.live, phone, { send_at, template: 'gone', variables: {} }),
    ]
    await addMarketing(phone)
    await server.app.templates.remove('acct_default', 'gone')
    await server.advance(3600)
    const ids = asked.map(({ data }) => data.request_id as string)
    const became = async () => {
      await server.work()
      return Promise.all(ids.map((id) => server.live.status(id)))
    }
    await expect.poll(became).toEqual([expect.stringMatching(/^(sent|delivered)$/), 'failed', 'failed'])
  })

  it('gets nothing more once the opt-out names all, and marketing changes nothing then', async () => {
    const phone = newPhone()
    await addMarketing(phone)
    await server.advance(60)
    const { data: all } = await ask(server.live, 'add', phone)
    expect(all).toMatchObject({ category: 'all', since: server.moment() })
    expect(await notify(server.live, phone)).toMatchObject(optedOut)
    expect((await addMarketing(phone)).data).toEqual(all)
    expect((await ask(server.live, 'remove', phone)).data).toEqual({ opted_out: false })
    expect(await offer(server.live, phone)).toMatchObject(gets)
  })

  it('is told of at each step, also where many widen it at the same moment', async () => {
    const listening = await listenTo(server, { accountId: 'acct_default', mode: 'live' })
    const phone = newPhone()
    await addMarketing(phone)
    await Promise.all(Array.from({ length: 8 }, () => ask(server.live, 'add', phone)))
    await addMarketing(phone)
    await ask(server.live, 'remove', phone)
    const told = async () => {
      await server.work()
      return listening.events().flatMap(({ type, data }) => ('category' in data ? [`${type} ${data.category}`] : []))
    }
    const steps = ['phone.opted_in all', 'phone.opted_out all', 'phone.opted_out marketing']
    await expect.poll(async () => (await told()).sort()).toEqual(steps)
    await listening.close()
  })
})

it('a number that cannot exist has no opt-out, and is told what is wrong with it', async () => {
  for (const what of ['add', 'remove', 'find'] as const) {
    expect(await ask(server.live, what, '+1415555010')).toMatchObject({
      status: 400,
      data: { code: 'invalid_phone', details: [{ field: '/phone' }] },
    })
  }
})

it('endpoints are told who opts out and in again, by what stands for the phone in its messages', async () => {
  const listening = await listenTo(server, { accountId: 'acct_default', mode: 'live' })
  const phone = newPhone()
  const { data } = await server.live.get(`/v1/messages/${await server.live.send(phone)}`)
  const { recipient } = data as { recipient: string }
  for (const what of ['add', 'add', 'remove', 'remove', 'add'] as const) await ask(server.live, what, phone)
  await server.app.optOuts.remove('acct_default', { phone })
  // Those of another mode are not for this endpoint.
  await ask(server.test, 'add', newPhone())
  const toldOf = (what: string) =>
    listening
      .events()
      .filter(({ type, data }) => type.startsWith(what) && 'recipient' in data && data.recipient === recipient)
  const told = () => toldOf('phone.').map(({ type, data }) => [type, data])
  const of = (source: string) => ({ recipient, category: 'all', source, mode: 'live' })
  await expect
    .poll(async () => {
      await server.work()
      return told()
    })
    .toEqual(
      expect.arrayContaining([
        ...[
          ['phone.opted_out', of('api')],
          ['phone.opted_in', of('api')],
          ['phone.opted_in', of('operator')],
        ],
      ]),
    )
  await expect.poll(told).toHaveLength(4)
  expect(toldOf('message.')).not.toEqual([])
  expect(JSON.stringify(listening.events())).not.toContain(phone.slice(1))
  await listening.close()
})
