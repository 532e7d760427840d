/** What an application says of a person, and whom rules stopped: nowhere in the clear but where phones are kept. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const signals = {
  ip: '203.0.113.77',
  user_id: 'user-of-the-shop',
  device_id: 'device-of-the-shop',
  user_agent: 'Mozilla/5.0 (of-the-shop)',
  platform: 'platform-of-the-shop',
  app_version: 'version-of-the-shop',
}
const said = ['203.0.113', 'of-the-shop', 'Mozilla']
/** Tables that hold phones, so that messages reach them and limits hold; and the numbers that were refused. */
const withPhones = ['message', 'phone', 'sandbox_message', 'refused_phone', 'protection_finding']

const rules: WrittenRule[] = (['ip', 'network', 'user', 'device', 'prefix'] as const).map((by) => ({
  ...{ id: `of-${by}`, by, count: by === 'prefix' ? 'numbers' : 'sends', window: '1h', over: { constant: 2 } },
  do: by === 'user' ? 'block' : 'record',
}))

it('nothing of a person or a phone is in a log, a metric or an event, nor in a table without phones', async () => {
  const { id } = await server.app.accounts.require('default')
  await server.app.protections.apply(id, { rules, fail: 'open', budgets: [] }, 'we are being pumped')
  const endpoint = await listenTo(server, { mode: 'live' })
  const phones = Array.from({ length: 4 }, newPhone)
  const statuses: number[] = []
  for (const phone of phones) statuses.push((await server.live.post('/v1/verify/send', { phone, signals })).status)
  expect(statuses).toEqual([200, 200, 403, 403])
  await server.live.check(await server.live.send(newPhone(), { signals: { ...signals, trusted: true } }), '111111')
  await server.work()
  server.runtime.advance(10)
  await server.work()
  await server.app.exchangeCounts()

  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
  expect(metrics).toContain('did="block"} 2')
  const told = JSON.stringify(endpoint.events())
  expect(told).toContain('verification.blocked')
  const outside = [metrics, told, ...server.runtime.lines]
  for (const text of outside) for (const word of [...said, ...phones]) expect(text).not.toContain(word)

  for (const [table, text] of await dump()) {
    for (const word of said) expect([table, text.includes(word)]).toEqual([table, false])
    if (withPhones.some((name) => table.includes(name))) continue
    for (const phone of phones) expect([table, text.includes(phone.slice(1))]).toEqual([table, false])
  }
  await endpoint.close()
})

/** All rows of each table as text, as a dump of the database has them. */
async function dump(): Promise<Map<string, string>> {
  const { sql } = server.database!
  const tables = await sql<{ name: string }[]>`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'pgboss')`
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ text: string | null }[]>(
      `select string_agg(t::text, e'\\n') as text from ${name} t`,
    )
    texts.set(name, row?.text ?? '')
  }
  expect(texts.get('public.protection_count')).toContain('prefix:')
  return texts
}
