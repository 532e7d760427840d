/** Large reports, and many of them: others have their turn between, and no account takes more than its share. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Channel, Receipt } from '../../src/delivery/channel.ts'
import { createHttpKind } from '../../src/delivery/channels/http/http.ts'
import { createParse } from '../../src/delivery/channels/whatsapp/reports.ts'
import { OverlongReport, reportItemsMax, UnreadableReport } from '../../src/delivery/report.ts'
import { createReportRoom, partMax, readInTurns } from '../../src/delivery/reports/reportRoom.ts'
import { createAddressGuard } from '../../src/outbound/address.ts'
import { newSecret } from '../../src/outbound/signature.ts'
import { createRoutes, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'
import { countTurns } from '../support/turns.ts'
import { converse, statusesIn } from '../support/wire.ts'

const routes = createRoutes({ keyRatePerSecond: 100 })
const { accountWith, provider } = routes

const toldOf = (accountId: string, count: number): Receipt[] =>
  Array.from({ length: count }, (_, n) => ({
    message: { accountId, id: `req_${String(n).padStart(26, '0')}` },
    status: 'delivered',
    at: routes.server.runtime.now(),
  }))
const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value))
const accept = (accountId: string, body: Buffer, connection = 'wa-eu') =>
  routes.server.app.receipts.accept({ accountId, connection }, { headers: { signature: 'good' }, body })

/** Has the provider's reports read as that, while the work lasts. */
async function reading<T>(parse: Channel['parse'], work: () => Promise<T>): Promise<T> {
  const usual = provider.parse
  provider.parse = parse
  return work().finally(() => {
    provider.parse = usual
  })
}

it('of a large report, no more than 250 messages are read before others have their turn', async () => {
  const { accountId } = await accountWith(wa())
  const told = toldOf(accountId, reportItemsMax)
  const turns = countTurns()
  onTestFinished(turns.end)
  const ofTurn = new Map<number, number>()
  const read = function* () {
    for (const receipt of told) {
      ofTurn.set(turns.now(), (ofTurn.get(turns.now()) ?? 0) + 1)
      yield receipt
    }
  }
  expect(await reading(read, () => accept(accountId, bodyOf([])))).toBe('accepted')
  expect([...ofTurn.values()].reduce((sum, count) => sum + count)).toBe(reportItemsMax)
  expect(Math.max(...ofTurn.values())).toBeLessThanOrEqual(partMax)
})

/** Counts how many parts of a report are looked at in each turn. */
async function countLooks(parts: Iterable<unknown>) {
  const turns = countTurns()
  const perTurn = new Map<number, number>()
  const counted = function* () {
    for (const part of parts) {
      perTurn.set(turns.now(), (perTurn.get(turns.now()) ?? 0) + 1)
      yield part
    }
  }
  const receipts = await readInTurns(counted()).finally(turns.end)
  const looks = [...perTurn.values()]
  return { receipts, sum: looks.reduce((sum, count) => sum + count), most: Math.max(...looks) }
}

const metadata = { phone_number_id: '106540352242922' }
const statusOf = (n: number) => ({ id: `wamid.${n}`, status: 'delivered', timestamp: '1763715600' })
const times = <One>(count: number, make: (n: number) => One) => Array.from({ length: count }, (_, n) => make(n))
const whatsappReport = (entry: unknown[]) => bodyOf({ object: 'whatsapp_business_account', entry })
const parseWhatsapp = createParse({
  accountId: 'acct_a',
  phoneNumberId: metadata.phone_number_id,
  businessAccountId: '1022',
  now: () => new Date(),
})

it.each([
  ['statuses', [{ changes: [{ field: 'messages', value: { metadata, statuses: times(reportItemsMax, statusOf) } }] }]],
  [
    'changes with a status each',
    [
      {
        changes: times(reportItemsMax, (n) => ({
          field: 'messages',
          value: { metadata, statuses: [statusOf(n)] },
        })),
      },
    ],
  ],
  [
    'entries with a status each',
    times(reportItemsMax, (n) => ({
      changes: [{ field: 'messages', value: { metadata, statuses: [statusOf(n)] } }],
    })),
  ],
])('of five thousand %s of WhatsApp, 250 at most are looked at in a turn', async (_what, entry) => {
  const { receipts, most } = await countLooks(parseWhatsapp(whatsappReport(entry)))
  expect(receipts).toHaveLength(reportItemsMax)
  expect(most).toBe(partMax)
})

it('what tells nothing is looked at in turns, too', async () => {
  const [none, other] = [{}, { field: 'flows', value: {} }]
  const told = whatsappReport([{ changes: times(5000, () => other) }, ...times(5000, () => none)])
  const { receipts, sum, most } = await countLooks(parseWhatsapp(told))
  expect([receipts, sum, most]).toEqual([[], 10_001, partMax])
})

it('over five thousand statuses of WhatsApp are refused, however they are divided', () => {
  const change = (count: number) => ({
    field: 'messages',
    value: { metadata, statuses: times(count, statusOf) },
  })
  const read = (entry: unknown[]) => [...parseWhatsapp(whatsappReport(entry))]
  expect(() => read([{ changes: [change(reportItemsMax + 1)] }])).toThrow(OverlongReport)
  expect(() => read([{ changes: [change(2500), change(2500)] }, { changes: [change(1)] }])).toThrow(OverlongReport)
})

it('another account sends a code while eight reports of five thousand messages are worked on', async () => {
  const [noisy, quiet] = [await accountWith(wa(), wa({ id: 'wa-us' })), await accountWith(wa())]
  const body = bodyOf(toldOf(noisy.accountId, reportItemsMax))
  let done = 0
  const reports = Array.from({ length: 8 }, async (_, n) => {
    await accept(noisy.accountId, body, n % 2 ? 'wa-eu' : 'wa-us')
    done += 1
  })
  expect(await quiet.live.send(newPhone())).toMatch(/^req_/)
  expect(done).toBeLessThan(8)
  await Promise.all(reports)
})

it('one large report of a connection is worked on at a time, those of others beside it', async () => {
  const room = createReportRoom({ runtime: routes.server.runtime, receiptsPerSecond: 1_000_000 })
  const [large, small] = [65 * 1024, 64 * 1024]
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const enter = (name: string, connection: string, bytes: number) =>
    room.enter({ accountId: 'acct_a', connection }, bytes, async () => {
      begun.push(name)
      await gate.promise
    })
  const all = [
    enter('first', 'wa', large),
    enter('second', 'wa', large),
    enter('small', 'wa', small),
    enter('other', 'sms', large),
  ]
  for (let n = 0; n < 5; n++) await turn()
  expect(begun.toSorted()).toEqual(['first', 'other', 'small'])
  gate.resolve()
  await Promise.all(all)
  expect(begun.at(-1)).toBe('second')
})

it('large reports of accounts that are refused at once make way for one of the next in each turn', async () => {
  const room = createReportRoom({ runtime: routes.server.runtime, receiptsPerSecond: 1_000_000 })
  const turns = countTurns()
  onTestFinished(turns.end)
  const begun: number[] = []
  const refuse = async () => {
    begun.push(turns.now())
    throw new OverlongReport()
  }
  const reports = times(8, (n) => room.enter({ accountId: `acct_${n}`, connection: 'wa' }, 1_200_000, refuse))
  await Promise.allSettled(reports)
  expect(begun).toHaveLength(8)
  expect(new Set(begun).size).toBe(8)
})

it.each([
  ['tells of too much', OverlongReport],
  ['cannot be read', UnreadableReport],
])('after a large report that %s, no large one of its account is read for a second', async (_what, Refusal) => {
  const [noisy, quiet] = [await accountWith(wa(), wa({ id: 'wa-us' })), await accountWith(wa())]
  let read = 0
  const refuse = () => {
    read += 1
    throw new Refusal()
  }
  const large = Buffer.alloc(65 * 1024)
  const { runtime, app } = routes.server
  await reading(refuse, async () => {
    const eight = times(8, (n) => accept(noisy.accountId, large, n % 2 ? 'wa-eu' : 'wa-us'))
    const answers = await Promise.allSettled(eight)
    // One of each connection may have begun.
    expect(read).toBeLessThanOrEqual(2)
    expect(answers.filter((answer) => answer.status === 'fulfilled' && answer.value === 'busy')).toHaveLength(8 - read)
    const before = read
    expect(app.receipts.isFull(noisy, large.length)).toBe(true)
    expect(await accept(noisy.accountId, large)).toBe('busy')
    expect(read).toBe(before)
    await expect(accept(quiet.accountId, large)).rejects.toThrow(Refusal)
    runtime.advance(1)
    await expect(accept(noisy.accountId, large)).rejects.toThrow(Refusal)
  })
  expect(await accept(noisy.accountId, bodyOf([]))).toBe('accepted')
})

it('the body of a report for a connection that is not there is not waited for', async () => {
  const { accountId } = await accountWith(wa())
  const answer = await converse(routes.server.directUrl, (socket) =>
    socket.write(`POST /providers/${accountId}/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n`),
  )
  expect(statusesIn(answer)).toEqual([404])
})

it('of the signatures of large reports, one is looked at in a turn, and of small ones as many bytes', async () => {
  const room = createReportRoom({ runtime: routes.server.runtime, receiptsPerSecond: 1_000_000 })
  const turns = countTurns()
  onTestFinished(turns.end)
  const lookedAt = (count: number, bytes: number) =>
    Promise.all(times(count, () => room.enterTurn(bytes).then(turns.now)))
  expect(new Set(await lookedAt(8, 3_000_000)).size).toBe(8)
  const perTurn = [...Map.groupBy(await lookedAt(1000, 300), (turn) => turn).values()].map(({ length }) => length)
  expect(Math.max(...perTurn)).toBeLessThan(100)
})

it('an account that has its share of reports is told to come again, and no other one is', async () => {
  const [greedy, quiet] = [await accountWith(wa()), await accountWith(wa())]
  // Three receipts of each message that its keys may send, over ten seconds.
  const share = 3 * 20 * 100 * 10
  const body = bodyOf(toldOf(greedy.accountId, reportItemsMax))
  for (let n = 0; n < share / reportItemsMax; n++) expect(await accept(greedy.accountId, body)).toBe('accepted')
  expect(await accept(greedy.accountId, bodyOf([]))).toBe('busy')
  const { isFull } = routes.server.app.receipts
  expect([greedy, quiet].map(({ accountId }) => isFull({ accountId }, 1))).toEqual([true, false])
  expect(await accept(quiet.accountId, bodyOf(toldOf(quiet.accountId, 1)))).toBe('accepted')
  routes.server.runtime.advance(10)
  expect(await accept(greedy.accountId, bodyOf([]))).toBe('accepted')
}, 60_000)

it('bytes that tell nothing count like those of receipts', async () => {
  const room = createReportRoom({ runtime: routes.server.runtime, receiptsPerSecond: 10 })
  const reporter = { accountId: 'acct_a', connection: 'wa' }
  const enter = (bytes: number) => room.enter(reporter, bytes, async () => 'accepted')
  expect([await enter(60_000), await enter(1)]).toEqual(['accepted', 'busy'])
})

it('a report of over five thousand messages, or of too many members, is refused unread', () => {
  const guard = createAddressGuard({ allowLoopback: true })
  const kind = createHttpKind({ guard })
  const { runtime } = routes.server
  const parts = { accountId: 'acct_a', connection: 'sms', publicUrl: undefined, runtime, log: runtime.log }
  const channel = kind.open({ url: 'http://127.0.0.1:1/', secret: [newSecret()] }, parts)
  const read = (text: string) => [...channel.parse(Buffer.from(text))]
  const one = JSON.stringify({ id: 'req_01JD', status: 'delivered' })
  const listOf = (text: string, count: number) => `[${Array(count).fill(text).join(',')}]`
  expect(read(listOf(one, reportItemsMax))).toHaveLength(reportItemsMax)
  expect(() => read(listOf(one, reportItemsMax + 1))).toThrow(OverlongReport)
  expect(() => read(`{"x":${listOf('{}', 2 * reportItemsMax + 2)}, and then no JSON`)).toThrow(OverlongReport)
  const objectOf = (text: string, count: number) => `{${times(count, (n) => `"${n}":${text}`).join(',')}}`
  expect(() => read(`${objectOf('{}', 8 * reportItemsMax)}, and then no JSON`)).toThrow(OverlongReport)
  expect(() => read(`${objectOf('0', 30 * reportItemsMax + 2)}, and then no JSON`)).toThrow(OverlongReport)
  expect(() => read('['.repeat(1_000_000))).toThrow(UnreadableReport)
  // Signs within a text are none, and texts may hold any.
  expect(read(`[{"x":"${'[,'.repeat(400_000)}\\"[","id":"req_01JD","status":"read"}]`)).toHaveLength(1)
})
