import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Channel, Receipt } from '../../src/delivery/channel.ts'
import { acceptReceipts } from '../../src/delivery/receipts.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

/** A provider that reports nothing by itself. */
const provider: Channel = { send: async () => ({ kind: 'sent' }), parseReceipts: (payload) => payload as Receipt[] }
const channels = { sandbox: provider }

let server: TestServer
let database: Database
beforeAll(async () => {
  server = await startServer({ overrides: { channels } })
  database = await connect(server.database?.settings ?? { kind: 'memory' })
})
afterAll(async () => {
  await database.close()
  await server.close()
})

const report = (id: string, ...statuses: Receipt['status'][]) =>
  acceptReceipts(
    database.db,
    channels,
    'sandbox',
    statuses.map((status) => ({
      accountId: 'acct_default',
      id,
      status,
      at: server.runtime.now(),
      ...(status === 'failed' && { errorCode: 'not_on_channel' }),
    })),
  )

async function sent(): Promise<string> {
  const id = await server.test.send(newPhone())
  await server.work()
  return id
}

it.each([
  [['delivered'], 'delivered'],
  [['read'], 'read'],
  [['read', 'delivered'], 'read'],
  [['failed', 'delivered'], 'delivered'],
  [['delivered', 'failed'], 'delivered'],
  [['failed', 'read', 'delivered'], 'read'],
  [['delivered', 'delivered', 'delivered'], 'delivered'],
] as const)('reports %j leave it %s', async (statuses, final) => {
  const id = await sent()
  for (const status of statuses) await report(id, status)
  expect(await server.test.status(id)).toBe(final)
})

it('a late report wins over an expiry, and takes the error of a failure away', async () => {
  const [expired, failed] = [await sent(), await sent()]
  await report(failed, 'failed')
  await server.advance(600)
  await server.work()
  expect([await server.test.status(expired), await server.test.status(failed)]).toEqual(['expired', 'failed'])
  await report(expired, 'failed')
  expect(await server.test.status(expired)).toBe('expired')
  await report(expired, 'delivered')
  await report(failed, 'read')
  const messages = await Promise.all([expired, failed].map((id) => server.test.get(`/v1/messages/${id}`)))
  expect(messages.map(({ data }) => [data.status, data.error])).toEqual([
    ['delivered', undefined],
    ['read', undefined],
  ])
})

it('the final status does not depend on the order of the reports, nor on how they are grouped', async () => {
  const statuses = fc.array(fc.constantFrom<Receipt['status']>('delivered', 'read', 'failed'), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(
      statuses.chain((list) =>
        fc.tuple(
          fc.shuffledSubarray(list, { minLength: list.length }),
          fc.shuffledSubarray(list, { minLength: list.length }),
        ),
      ),
      async ([one, another]) => {
        const [first, second] = [await sent(), await sent()]
        for (const status of one) await report(first, status)
        await report(second, ...another)
        expect(await server.test.status(first)).toBe(await server.test.status(second))
      },
    ),
    { numRuns: 40 },
  )
})

it('a step is kept once, however often it is reported', async () => {
  const id = await sent()
  await report(id, 'read', 'delivered', 'read', 'delivered')
  const [row] = await server.query<{ steps: string[] }>(
    sql`select jsonb_path_query_array(timeline, '$[*].status') as steps from message where id = ${id}`,
  )
  expect(row?.steps).toEqual(['sent', 'sent', 'read', 'delivered'])
})
