/** A phone that took messages and tells of none of them any more: it is off, and others have the messages until it is heard of again. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { acme } from './channels/sms/acme.ts'

let server: TestServer
/** It writes down at once that it handed a message over; so soon after another one, the first does not. */
let other: TestServer
let provider: Provider
beforeAll(async () => {
  const config = { publicUrl: 'https://codes.example' }
  server = await startServer({ config })
  other = await startServer({ config, beside: server })
  provider = await startProvider(({ path }) => ({ status: 200, body: JSON.stringify({ data: { id: path } }) }))
})
afterAll(async () => {
  await other.close()
  await server.close()
  await provider.close()
})

const file = acme.replace('  status: /data/status\n', '  status: /data/status\n  within: 120\n')

const sim = (id: string) => ({
  ...{ id, kind: 'sms', provider: './acme.yaml', provider_file: file, api_key: 'word', from: 'Acme' },
  base_url: `${provider.url}/${id}`,
})

let accounts = 0

async function accountWith(...ids: string[]) {
  accounts += 1
  const { app } = server
  const { id: accountId, name: account } = await app.accounts.create(`drawer ${accounts}`)
  await app.connections.apply(accountId, ids.map(sim))
  const key = await server.key({ mode: 'live', account })
  /** Messages that the first one took, and of which it did not tell yet. */
  const unreported = async () => {
    const rows = await server.query<{ count: number }>(sql`select unreported_count::int as count from connection
      where account_id = ${accountId} and id = ${ids[0]}`)
    return rows[0]?.count
  }
  /** @returns which connection has the code */
  const sentBy = async (by: TestServer) => {
    provider.asked.length = 0
    await by.as(key).send(newPhone())
    await by.work()
    return provider.asked.map(({ path }) => path.split('/')[1])
  }
  const report = async () => {
    const { callback, reference } = JSON.parse(provider.asked.at(-1)!.body) as Record<string, string>
    const { pathname, search } = new URL(callback!)
    const body = JSON.stringify({ data: { reference, status: 'sent' } })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(server.directUrl + pathname + search, { method: 'POST', headers, body })).status).toBe(200)
    await expect.poll(unreported).toBe(0)
  }
  return {
    sentBy,
    report,
    /** A code of which the phone tells, and one of which it does not. */
    fallSilent: async () => {
      await sentBy(server)
      await expect.poll(unreported).toBe(1)
      await report()
      // What is taken so soon after a report may be what it told of.
      await server.advance(11)
      await sentBy(other)
      await expect.poll(unreported).toBe(1)
    },
    troubles: () => app.troubles.find({ accountId, mode: 'live' }),
  }
}

it('a phone silent for two minutes rests, is tried once a minute, and is back with a report', async () => {
  const { sentBy, report, fallSilent, troubles } = await accountWith('drawer', 'paid')
  await fallSilent()
  await server.advance(114)
  expect(await sentBy(server)).toEqual(['drawer'])
  await server.advance(6)
  expect(await sentBy(server)).toEqual(['paid'])
  const reason =
    'no report came for 120 seconds: check that the phone is online, and that it can reach the address for reports'
  expect(await troubles()).toMatchObject([{ kind: 'connection_rests', id: 'drawer', reason }])
  await server.advance(60)
  expect(await sentBy(server)).toEqual(['drawer'])
  await server.advance(6)
  expect(await sentBy(server)).toEqual(['paid'])
  await server.advance(60)
  expect(await sentBy(server)).toEqual(['drawer'])
  await report()
  await server.advance(6)
  expect(await sentBy(server)).toEqual(['drawer'])
  expect(await troubles()).toEqual([])
})

it('a phone that is alone goes on: there is nowhere else to go', async () => {
  const { sentBy, fallSilent } = await accountWith('drawer')
  await fallSilent()
  await server.advance(125)
  expect(await sentBy(server)).toEqual(['drawer'])
})

it('a phone whose address of reports was never entered goes on: it says nothing of the phone', async () => {
  const { sentBy } = await accountWith('drawer', 'paid')
  await sentBy(server)
  await server.advance(125)
  expect(await sentBy(server)).toEqual(['drawer'])
})
