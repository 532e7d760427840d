/** A provider that reports nothing, though its reports are waited for: who is told of it, and when no more. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { whatsappEntry } from '../support/simulation.ts'

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
  provider.asked.length = 0
})

const kannel = (id: string, more: object = {}) => ({
  ...{ id, kind: 'sms', provider: 'kannel', base_url: provider.url, username: 'me', password: 'of-this-operator' },
  ...more,
})

let accounts = 0

async function accountWith(...entries: object[]) {
  accounts += 1
  const { app } = server
  const { id: accountId, name: account } = await app.accounts.create(`quiet ${accounts}`)
  const apply = (list: object[]) => app.connections.apply(accountId, list)
  await apply(entries)
  return {
    apply,
    live: server.as(await server.key({ mode: 'live', account })),
    troubles: () => app.troubles.find({ accountId, mode: 'live' }),
    said: async () =>
      (await app.check(accountId)).flatMap(({ findings }) =>
        findings.flatMap(({ level, text }) => (level === 'good' ? [] : `${level}: ${text}`)),
      ),
    /** Once it is written down: nobody waits for that. */
    known: async () => {
      const [first] = await app.connections.list(accountId)
      return { takenAt: first?.takenAt?.getTime(), reportedAt: first?.reportedAt?.getTime() }
    },
  }
}

it('a connection without a report is named after an hour, by overview and check, until one comes', async () => {
  const { live, troubles, said, known } = await accountWith(kannel('sms'))
  const since = server.runtime.now()
  await live.send(newPhone())
  await server.work()
  await expect.poll(known).toMatchObject({ takenAt: since.getTime() })
  server.runtime.advance(3599)
  expect([await troubles(), await said()]).toEqual([[], []])
  server.runtime.advance(1)
  expect(await troubles()).toEqual([{ kind: 'reports_missing', id: 'sms', messages: 1, since }])
  expect(await said()).toEqual([
    `warning: no report came since ${since.toISOString()}, of 1 message: see that the provider knows the address of the reports`,
  ])

  const { pathname, search } = new URL(new URL(provider.asked[0]!.path, provider.url).searchParams.get('dlr-url') ?? '')
  const reported = `${server.directUrl}${pathname}${search.replace('%d', '1').replace('%F', 'own-1')}`
  const forged = reported.replace(/\/[\w-]{22}\?/, `/${'A'.repeat(22)}?`)
  expect((await fetch(forged)).status).toBe(401)
  expect((await known()).reportedAt).toBe(undefined)
  expect((await fetch(reported)).status).toBe(200)
  await expect.poll(known).toMatchObject({ reportedAt: server.runtime.now().getTime() })
  expect([await troubles(), await said()]).toEqual([[], []])
})

it('a connection whose reports are not waited for is not named', async () => {
  const { live, troubles, known } = await accountWith(kannel('sms', { reports: 'none' }))
  await live.send(newPhone())
  await server.work()
  await expect.poll(known).toMatchObject({ takenAt: expect.any(Number) })
  server.runtime.advance(7200)
  expect(await troubles()).toEqual([])
})

it('a connection has its time anew when its settings have changed, not when its place has', async () => {
  const { live, troubles, known, apply } = await accountWith(kannel('sms'))
  await live.send(newPhone())
  await server.work()
  await expect.poll(known).toMatchObject({ takenAt: expect.any(Number) })
  server.runtime.advance(3600)
  await apply([kannel('other'), kannel('sms')])
  expect(await troubles()).toMatchObject([{ kind: 'reports_missing', id: 'sms' }])
  await apply([kannel('other'), kannel('sms', { from: 'Acme' })])
  expect(await troubles()).toEqual([])
})

it('a connection to WhatsApp is named too, whose webhook nobody has set up at Meta', async () => {
  provider.behave({ status: 200, body: '{"messaging_product":"whatsapp","messages":[{"id":"wamid.1"}]}' })
  const { live, troubles, known } = await accountWith(whatsappEntry(provider))
  await live.send(newPhone())
  await server.work()
  await expect.poll(known).toMatchObject({ takenAt: expect.any(Number) })
  server.runtime.advance(3600)
  expect(await troubles()).toMatchObject([{ kind: 'reports_missing', id: 'wa-eu', messages: 1 }])
})
