/** Text messages through a provider that a file of the operator's own describes: from the request to its reports. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

/** As the gateways are that speak SMPP to operators: everything in the query, an answer in text, reports by GET. */
const gate = `provider: gate
title: Gate
settings:
  base_url: { host: true }
  user: {}
  password: { secret: true }
  from: { optional: true }
request:
  method: GET
  url: "{{s.base_url}}/send"
  as: query
  body: { user: "{{s.user}}", password: "{{s.password}}", from: "{{s.from}}", to: "{{to}}", text: "{{text}}",
          dlr: "{{report_url}}&state=%d&id=%F" }
answer:
  as: text
  rules:
    - { when: { status: 202, text: "0:*" }, is: sent }
    - { when: { status: 403 }, is: down }
    - { when: { status: 503 }, is: retry }
    - { when: { status: 4xx }, is: failed, code: not_on_channel }
report:
  as: query
  id: /id
  status: /state
  error: /error
  map: { "1": delivered, "2": failed, "8": sent }
  codes: { "5": unreachable }
  signature: { scheme: url-token }
`
const password = 'the-password-of-this-operator'

let server: TestServer
let provider: Provider
beforeAll(async () => {
  server = await startServer({ config: { publicUrl: 'https://codes.example' } })
  provider = await startProvider({ status: 202, body: '0: Accepted for delivery' })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(() => {
  provider.behave({ status: 202, body: '0: Accepted for delivery' })
  provider.asked.length = 0
})

const entry = (id: string, more: object = {}) => ({
  ...{ id, kind: 'sms', provider: './gate.yaml', provider_file: gate },
  ...{ base_url: provider.url, user: 'me', password, ...more },
})

let accounts = 0

async function accountWith(...entries: object[]) {
  accounts += 1
  const { id: accountId, name: account } = await server.app.accounts.create(`sms ${accounts}`)
  await server.app.connections.apply(accountId, entries)
  const pathOf = async (connection: string) =>
    (await server.app.connections.list(accountId)).find(({ id }) => id === connection)?.reportPath ?? ''
  return { accountId, pathOf, live: server.as(await server.key({ mode: 'live', account })) }
}

/** What the provider was asked last. */
const asked = () => new URL(provider.asked.at(-1)?.path ?? '', provider.url).searchParams
const codeIn = (parameters: URLSearchParams) => /\d{6}/.exec(parameters.get('text') ?? '')?.[0] ?? ''
const notes = async (id: string) => (await server.app.history(id)).timeline.flatMap(({ note }) => note ?? [])

/** Reports as the gateway does: by the address that it was given, filled in. */
async function report(address: string, state: string, more = ''): Promise<number> {
  const { pathname, search } = new URL(address.replace('%d', state).replace('%F', 'own-1') + more, server.directUrl)
  const answer = await fetch(server.directUrl + pathname + search)
  await answer.text()
  return answer.status
}

describe('a code by a provider of the operator', () => {
  it('is sent as its file says, verifies, and is delivered when the provider reports so by GET', async () => {
    const { live, accountId, pathOf } = await accountWith(entry('sms'))
    const phone = newPhone()
    const id = await live.send(phone)
    await server.work()
    const parameters = asked()
    expect(Object.fromEntries(parameters)).toEqual({
      ...{ user: 'me', password, to: phone, text: expect.stringMatching(/\d{6}/) },
      dlr: expect.stringMatching(
        new RegExp(`^https://codes\\.example/providers/${accountId}/sms/[\\w-]{22}\\?ref=${id}\\.1&state=%d&id=%F$`),
      ),
    })
    const address = parameters.get('dlr') ?? ''
    expect(new URL(address).pathname).toBe(await pathOf('sms'))
    expect(await report(address, '8')).toBe(200)
    expect(await live.status(id)).toBe('sent')
    expect(await report(address, '1')).toBe(200)
    expect(await live.status(id)).toBe('delivered')
    expect(await live.check(id, codeIn(parameters))).toMatchObject({ verified: true })
  })

  it('is tried for as long as it is good, and for 20 seconds at the end, as Vonage takes no less', async () => {
    const timed = gate.replace('dlr:', 'ttl: "{{ttl}}", ttl_ms: "{{ttl_ms}}", dlr:')
    const { live } = await accountWith(entry('sms', { provider_file: timed }))
    const ttlAfter = async (seconds: number) => {
      await live.send(newPhone())
      server.runtime.advance(seconds)
      await server.work()
      return [asked().get('ttl'), asked().get('ttl_ms')]
    }
    expect(await ttlAfter(0)).toEqual(['600', '600000'])
    expect(await ttlAfter(595)).toEqual(['20', '20000'])
  })

  it('keeps its status when a report comes without the right token, and the report is answered 401', async () => {
    const { live, accountId } = await accountWith(entry('sms'), entry('other'))
    const id = await live.send(newPhone())
    await server.work()
    const { pathname, search } = new URL((asked().get('dlr') ?? '').replace('%d', '1'))
    const [token = ''] = pathname.split('/').slice(-1)
    const wrong = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    const statusOf = async (path: string, method = 'GET') => {
      const answer = await fetch(server.directUrl + path, { method })
      expect(await answer.text()).not.toContain(token)
      return answer.status
    }
    expect(await statusOf(pathname.replace(token, wrong) + search)).toBe(401)
    expect(await statusOf(`/providers/${accountId}/other/${token}${search}`)).toBe(401)
    expect(await statusOf(pathname + search, 'POST')).toBe(401)
    expect(await statusOf(`/providers/${accountId}/sms${search}`)).toBe(403)
    expect(await statusOf(`/providers/${accountId}/sms${search}`, 'POST')).toBe(401)
    expect(await statusOf(pathname.replace(token, `${token}x`) + search)).toBe(404)
    expect(await live.status(id)).toBe('sent')
    expect(await statusOf(pathname + search)).toBe(200)
    expect(await live.status(id)).toBe('delivered')
  })

  it('goes on by the next connection with the same digits when a report says failed', async () => {
    const { live } = await accountWith(entry('first'), entry('second', { user: 'two' }))
    const id = await live.send(newPhone())
    await server.work()
    const first = asked()
    expect(await report(first.get('dlr') ?? '', '2', '&error=5')).toBe(200)
    await server.work()
    const second = asked()
    expect([first.get('user'), second.get('user')]).toEqual(['me', 'two'])
    expect(codeIn(second)).toBe(codeIn(first))
    expect(await report(second.get('dlr') ?? '', '2', '&error=5')).toBe(200)
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'unreachable' },
    })
  })

  it('is not moved by a report of a connection that was not asked, nor by one of another account', async () => {
    const { live, pathOf } = await accountWith(entry('first'), entry('second'))
    const stranger = await accountWith(entry('first'))
    const id = await live.send(newPhone())
    await server.work()
    for (const path of [await pathOf('second'), await stranger.pathOf('first')]) {
      for (const state of ['1', '2']) expect(await report(`${path}?ref=${id}.2&state=${state}`, state)).toBe(200)
    }
    expect(await live.status(id)).toBe('sent')
    expect(provider.asked).toHaveLength(1)
  })

  it('has the sender of its country', async () => {
    const { live } = await accountWith(
      entry('sms', { from: 'Acme', from_by_country: { DE: 'AcmeDE', us: '+15005550006' } }),
    )
    const senders: (string | null)[] = []
    for (const phone of ['+4915123456789', newPhone(), '+33612345678']) {
      await live.send(phone)
      await server.work()
      senders.push(asked().get('from'))
    }
    expect(senders).toEqual(['AcmeDE', '+15005550006', 'Acme'])
  })
})

describe('a provider whose reports prove little', () => {
  it('shows a delivery that only the carrier reports, and asks the next connection all the same', async () => {
    const { live } = await accountWith(entry('first', { reports: 'carrier', failover_seconds: 30 }), entry('second'))
    const id = await live.send(newPhone())
    await server.work()
    expect(await report(asked().get('dlr') ?? '', '1')).toBe(200)
    expect(await live.status(id)).toBe('sent')
    await server.advance(30)
    await server.work()
    expect(provider.asked).toHaveLength(2)
    expect(await notes(id)).toEqual([
      'taken by first',
      'first: reported as delivered, which is not proven',
      'first: not delivered within 30 s',
      'taken by second',
    ])
  })

  it('gets no address where no reports are waited for, and the time begins when it took the code', async () => {
    const { live } = await accountWith(entry('first', { reports: 'none', failover_seconds: 30 }), entry('second'))
    provider.behave({ status: 503, body: '3: try later' })
    await live.send(newPhone())
    await server.work()
    await server.advance(3)
    provider.behave({ status: 202, body: '0: Accepted' })
    await server.work()
    expect([provider.asked.length, asked().get('dlr')]).toEqual([2, null])
    await server.advance(28)
    await server.work()
    expect(provider.asked).toHaveLength(2)
    await server.advance(3)
    await server.work()
    expect(provider.asked).toHaveLength(3)
  })
})

describe('the address for reports', () => {
  it('stays the same when the list is applied again, and is another one for each connection', async () => {
    const { accountId, pathOf } = await accountWith(entry('first'), entry('second'))
    const before = [await pathOf('first'), await pathOf('second')]
    await server.app.connections.apply(accountId, [entry('second'), entry('first', { user: 'other' })])
    expect([await pathOf('first'), await pathOf('second')]).toEqual(before)
    expect(new Set(before.map((path) => path.split('/').at(-1))).size).toBe(2)
  })

  it('stands in no line of the log, nor does a secret or a whole number', async () => {
    const { live, pathOf } = await accountWith(entry('sms'))
    const phone = newPhone()
    await live.send(phone)
    await server.work()
    const token = (await pathOf('sms')).split('/').at(-1) ?? ''
    expect(await report(asked().get('dlr') ?? '', '1')).toBe(200)
    const log = server.runtime.lines.join('\n')
    expect(log).toContain('"operation":"report"')
    for (const hidden of [token, password, phone, codeIn(asked())]) expect(log).not.toContain(hidden)
  })
})

it('a notification is not sent by a provider that fills codes into a text of its own', async () => {
  const codesOnly = gate.replace('text: "{{text}}"', 'otp: "{{code}}"')
  const { accountId, live } = await accountWith(entry('otp', { provider_file: codesOnly }))
  await server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  const { data } = await live.post('/v1/notifications/send', { phone: newPhone(), template: 'hello' })
  await server.work()
  expect(provider.asked).toEqual([])
  expect(await live.status((data as { request_id: string }).request_id)).toBe('failed')
})
