import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Channel, Receipt } from '../../src/delivery/channel.ts'
import { createReceipts, type Receipts } from '../../src/delivery/receipts.ts'
import { createReportRoom } from '../../src/delivery/reports/reportRoom.ts'
import { createMove } from '../../src/domain/sending/message.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { noOptOuts, silence } from '../support/silence.ts'

/** A provider that reports nothing by itself. */
const provider: Channel = {
  send: async () => ({ kind: 'sent' }),
  verify: ({ headers }) => headers.signature === 'good',
  parse: (body) =>
    (JSON.parse(body.toString()) as Receipt[]).map((receipt) => ({ ...receipt, at: new Date(receipt.at) })),
}
const reporter = { accountId: 'acct_default', connection: 'sandbox' }

let server: TestServer
let receipts: Receipts
beforeAll(async () => {
  server = await startServer({ overrides: { channels: { sandbox: provider } } })
  receipts = createReceipts({
    commit: server.commit,
    // Reports that name our own ids bring no jobs.
    queue: {} as never,
    move: createMove({ dispatch: async () => {}, events: silence, optOuts: noOptOuts }),
    channelOf: async ({ connection }) => (connection === 'sandbox' ? provider : undefined),
    queued: provider,
    room: createReportRoom({ runtime: server.runtime, receiptsPerSecond: 1000 }),
  })
})
afterAll(() => server.close())

const reportOf = (id: string, statuses: Receipt['status'][]) => {
  const receipts = statuses.map((status) => ({
    message: { accountId: 'acct_default', id },
    status,
    at: server.runtime.now(),
    ...(status === 'failed' && { errorCode: 'not_on_channel' }),
  }))
  return { headers: { signature: 'good' }, body: Buffer.from(JSON.stringify(receipts)) }
}

const report = async (id: string, ...statuses: Receipt['status'][]) => {
  expect(await receipts.accept(reporter, reportOf(id, statuses))).toBe('accepted')
}

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

it('a report that the provider has not signed changes nothing, and is not even read', async () => {
  const id = await sent()
  const { body } = reportOf(id, ['read'])
  expect(await receipts.accept(reporter, { headers: {}, body })).toBe('refused')
  expect(await receipts.accept(reporter, { headers: {}, body: Buffer.from('{') })).toBe('refused')
  expect(await server.test.status(id)).toBe('sent')
})

it('a report of no connection that there is, or that is not of its form, changes nothing', async () => {
  const id = await sent()
  expect(await receipts.accept({ ...reporter, connection: 'pigeon' }, reportOf(id, ['read']))).toBe('unknown')
  await expect(receipts.accept(reporter, { headers: { signature: 'good' }, body: Buffer.from('{') })).rejects.toThrow()
  expect(await server.test.status(id)).toBe('sent')
})

it('a report of a message that there is not, changes nothing, and that of another beside it counts', async () => {
  const id = await sent()
  const accountId = 'acct_default'
  const both = [
    { accountId, id: 'req_none' },
    { accountId: 'acct_none', id },
    { accountId, id },
  ].map((message) => ({ message, status: 'delivered', at: server.runtime.now() }))
  const body = Buffer.from(JSON.stringify(both))
  expect(await receipts.accept(reporter, { headers: { signature: 'good' }, body })).toBe('accepted')
  expect(await server.test.status(id)).toBe('delivered')
})
