/** A provider that reports nothing, though its reports are waited for: who is told of it, and when no more. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { whatsappEntry } from '../support/simulation.ts'

let server: TestServer
let workers: TestServer[]
let provider: Provider
beforeAll(async () => {
  const config = { publicUrl: 'https://codes.example' }
  server = await startServer({ config })
  workers = [await startServer({ config, beside: server }), await startServer({ config, beside: server }), server]
  provider = await startProvider({ status: 202, body: '0: Accepted for delivery' })
})
afterAll(async () => {
  for (const worker of workers) await worker.close()
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
  const live = server.as(await server.key({ mode: 'live', account }))
  const unreported = async () => {
    const [row] =
      await server.query(sql`select unreported_count::int as count from connection where account_id = ${accountId}
      order by unreported_count desc`)
    return row
  }
  /** Each by another process, which writes its first message down at once, and all others a minute later. */
  const send = async (count: number) => {
    for (const worker of workers.slice(0, count)) {
      await live.send(newPhone())
      await worker.work()
    }
    await expect.poll(unreported).toEqual({ count })
  }
  return {
    apply,
    live,
    send,
    sendThree: () => send(3),
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
  const { sendThree, troubles, said, known } = await accountWith(kannel('sms'))
  const since = server.runtime.now()
  await sendThree()
  await expect.poll(known).toMatchObject({ takenAt: since.getTime() })
  server.runtime.advance(3599)
  expect([await troubles(), await said()]).toEqual([[], []])
  server.runtime.advance(1)
  expect(await troubles()).toEqual([{ kind: 'reports_missing', id: 'sms', messages: 3, since }])
  expect(await said()).toEqual([
    `warning: no report came since ${since.toISOString()}, of 3 messages: see that the provider knows the address of the reports`,
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

it('a connection is not named for two phones that are switched off on a quiet day', async () => {
  const { send, troubles } = await accountWith(kannel('sms'))
  await send(2)
  server.runtime.advance(86_400)
  expect(await troubles()).toEqual([])
})

it('a connection whose reports are not waited for is not named', async () => {
  const { live, troubles, known } = await accountWith(kannel('sms', { reports: 'none' }))
  for (const worker of workers) {
    await live.send(newPhone())
    await worker.work()
  }
  await expect.poll(known).toMatchObject({ takenAt: expect.any(Number) })
  server.runtime.advance(7200)
  expect(await troubles()).toEqual([])
})

it('a connection has its time anew when its settings have changed, not when its place has', async () => {
  const { sendThree, troubles, apply } = await accountWith(kannel('sms'))
  await sendThree()
  server.runtime.advance(3600)
  await apply([kannel('other'), kannel('sms')])
  expect(await troubles()).toMatchObject([{ kind: 'reports_missing', id: 'sms' }])
  await apply([kannel('other'), kannel('sms', { from: 'Acme' })])
  expect(await troubles()).toEqual([])
})

it('a connection to WhatsApp is named too, whose webhook nobody has set up at Meta', async () => {
  provider.behave({ status: 200, body: '{"messaging_product":"whatsapp","messages":[{"id":"wamid.1"}]}' })
  const { sendThree, troubles } = await accountWith(whatsappEntry(provider))
  await sendThree()
  server.runtime.advance(3600)
  expect(await troubles()).toMatchObject([{ kind: 'reports_missing', id: 'wa-eu', messages: 3 }])
})
