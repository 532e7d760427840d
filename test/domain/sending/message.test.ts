/** The one way in which a status moves: what may follow what, what is told of it, and what stays behind. */
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Addressed } from '../../../src/domain/sending/dispatch.ts'
import { createMove, expireOverdue, type Transition } from '../../../src/domain/sending/message.ts'
import { follows } from '../../../src/domain/sending/status.ts'
import type { MessageStatus } from '../../../src/store/schema/schema.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { noOptOuts, silence } from '../../support/silence.ts'

const accountId = 'acct_default'
const kind = 'verification'

/** What began a next leg. */
const dispatched: Addressed[] = []
const move = createMove({
  dispatch: async (_tx, messages) => {
    dispatched.push(...messages)
  },
  events: silence,
  optOuts: noOptOuts,
})

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const step = (id: string, status: MessageStatus, more: Partial<Transition> = {}): Transition => {
  const at = server.runtime.now()
  return { accountId, id, status, at, ...more }
}
const moveAll = (...steps: Transition[]) => server.commit.transaction((tx) => move(tx, steps))
const send = () => server.test.send(newPhone())

interface Row {
  status: MessageStatus
  statusAt: string
  attempts: number
  hasContent: boolean
  errorCode: string | null
  timeline: { status: string; at: string; note?: string }[]
}

async function rowOf(id: string): Promise<Row> {
  const [row] =
    await server.query<Row>(sql`select status, delivery_attempts as attempts, content is not null as "hasContent",
    to_char(status_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "statusAt", error_code as "errorCode", timeline
    from message where id = ${id}`)
  return row as Row
}

const moved = (id: string, from: MessageStatus, to: MessageStatus) =>
  expect.objectContaining({ accountId, id, mode: 'test', kind, from, to, next: null })

describe('a step', () => {
  it('that may follow moves the message, and is told with where it came from', async () => {
    const id = await send()
    expect(await moveAll(step(id, 'delivered'))).toEqual([moved(id, 'sent', 'delivered')])
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', statusAt: server.runtime.now().toISOString() })
  })

  it('is not dated before what it follows; the timeline has the time that the provider said', async () => {
    const id = await send()
    const takenAt = new Date(server.runtime.now().getTime() + 745)
    await moveAll(step(id, 'sent', { connection: 'sandbox', taken: true, at: takenAt }))
    const said = new Date(takenAt.getTime() - 700)
    expect(await moveAll(step(id, 'delivered', { at: said }))).toMatchObject([{ to: 'delivered', at: takenAt }])
    const { statusAt, timeline } = await rowOf(id)
    expect([statusAt, timeline.at(-1)?.at]).toEqual([takenAt.toISOString(), said.toISOString()])
  })

  it('that may not follow moves nothing and is told to nobody, but stands in the timeline', async () => {
    const id = await send()
    await moveAll(step(id, 'read'))
    await server.advance(1)
    expect(await moveAll(step(id, 'failed', { errorCode: 'not_on_channel' }))).toEqual([])
    const { status, errorCode, timeline } = await rowOf(id)
    expect([status, errorCode]).toEqual(['read', null])
    expect(timeline.map((one) => one.status)).toEqual(['sent', 'read', 'failed'])
  })

  it('a failure or an end after the right code moves nothing; what arrived still does', async () => {
    const id = await send()
    await server.test.check(id, '000000')
    const failure = { connection: 'sandbox', ends: true, errorCode: 'not_on_channel' } as const
    expect(await moveAll(step(id, 'failed', failure), step(id, 'expired'))).toEqual([])
    expect(await rowOf(id)).toMatchObject({ status: 'sent', errorCode: null })
    expect((await rowOf(id)).timeline.map(({ status }) => status)).toEqual(['sent', 'failed'])
    expect(await moveAll(step(id, 'delivered'))).toEqual([moved(id, 'sent', 'delivered')])
  })

  it('with the status that the message has is told to nobody; its note and its attempt are kept', async () => {
    const id = await send()
    expect(
      await moveAll(step(id, 'sent', { connection: 'sandbox', note: 'attempt 1: busy', attempted: true })),
    ).toEqual([])
    expect(await rowOf(id)).toMatchObject({ status: 'sent', attempts: 1, hasContent: true })
    expect((await rowOf(id)).timeline.at(-1)).toMatchObject({ status: 'sent', note: 'attempt 1: busy' })
  })

  it('after which nothing can need what was written, erases it', async () => {
    const ids = [await send(), await send(), await send(), await send()] as const
    const [delivered, taken, failed, tried] = ids
    await moveAll(
      step(delivered, 'delivered'),
      step(taken, 'sent', { connection: 'sandbox', taken: true }),
      step(failed, 'failed', { connection: 'sandbox', ends: true, errorCode: 'not_on_channel' }),
      step(tried, 'sent', { connection: 'sandbox', note: 'sandbox: busy', attempted: true }),
    )
    expect((await Promise.all(ids.map(rowOf))).map(({ hasContent }) => hasContent)).toEqual([false, false, false, true])
  })

  it('of a message that there is not, moves nothing', async () => {
    const id = await send()
    expect(await moveAll(step('req_none', 'read'), step(id, 'read', { accountId: 'acct_none' }))).toEqual([])
    expect((await rowOf(id)).status).toBe('sent')
  })
})

describe('several steps at once', () => {
  it('of one message are taken in their order, and each move is told', async () => {
    const [up, down] = [await send(), await send()]
    const told = await moveAll(step(up, 'delivered'), step(down, 'read'), step(up, 'read'), step(down, 'delivered'))
    const toldOf = (id: string) => told.filter((one) => one.id === id)
    expect(toldOf(up)).toEqual([moved(up, 'sent', 'delivered'), moved(up, 'delivered', 'read')])
    expect(toldOf(down)).toEqual([moved(down, 'sent', 'read')])
    expect(told).toHaveLength(3)
    expect((await rowOf(down)).timeline.map(({ status }) => status)).toEqual(['sent', 'read', 'delivered'])
  })

  it('move exactly what they would move one by one, as the table says', async () => {
    const statuses = fc.array(fc.constantFrom(...(Object.keys(follows) as MessageStatus[])), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(statuses, async (list) => {
        const [together, apart] = [await send(), await send()]
        const expected: { from: MessageStatus; to: MessageStatus }[] = []
        let status: MessageStatus = 'sent'
        for (const next of list) {
          if (!follows[next].includes(status)) continue
          expected.push({ from: status, to: next })
          status = next
        }
        const brief = (told: { from: MessageStatus; to: MessageStatus }[]) => told.map(({ from, to }) => ({ from, to }))
        expect(brief(await moveAll(...list.map((next) => step(together, next))))).toEqual(expected)
        const oneByOne = []
        for (const next of list) oneByOne.push(...(await moveAll(step(apart, next))))
        expect(brief(oneByOne)).toEqual(expected)
        expect([(await rowOf(together)).status, (await rowOf(apart)).status]).toEqual([status, status])
      }),
      { numRuns: 40 },
    )
  })
})

describe('time', () => {
  const sweep = (count = 500) => server.commit.transaction((tx) => expireOverdue(tx, move, server.runtime.now(), count))

  it('ends what was neither delivered nor used, at the moment when its code ran out', async () => {
    const [lost, delivered, used] = [await send(), await send(), await send()]
    await moveAll(step(delivered, 'delivered'))
    await server.test.check(used, '000000')
    const ranOutAt = new Date(server.runtime.now().getTime() + 600_000).toISOString()
    await server.advance(700)
    const young = await send()
    await sweep()
    expect(await rowOf(lost)).toMatchObject({ status: 'expired', statusAt: ranOutAt, hasContent: false })
    expect((await rowOf(lost)).timeline.at(-1)).toEqual({ status: 'expired', at: ranOutAt })
    const others = await Promise.all([delivered, used, young].map(rowOf))
    expect(others.map(({ status }) => status)).toEqual(['delivered', 'sent', 'sent'])
  })

  it('ends so many at once, and leaves the others to the next sweep', async () => {
    await server.advance(600)
    await sweep()
    const ids = [await send(), await send(), await send()]
    await server.advance(600)
    expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([2, 1, 0])
    expect(new Set(await Promise.all(ids.map(async (id) => (await rowOf(id)).status)))).toEqual(new Set(['expired']))
  })
})
