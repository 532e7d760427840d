/** A verification ends once, and endpoints are told of one end, also when a check and time meet. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CheckData } from '../../support/client.ts'
import { type Listening, listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { execute } from '../../support/statement.ts'

let server: TestServer
let listening: Listening
beforeAll(async () => {
  server = await startServer()
  listening = await listenTo(server, {
    types: ['verification.verified', 'verification.failed', 'verification.expired'],
  })
})
afterAll(async () => {
  await server.close()
  await listening.close()
})

/** The ends that were told of a verification. */
async function endsOf(id: string): Promise<string[]> {
  const rows = await server.query<{ type: string }>(sql`select type from event where body like ${`%${id}%`}`)
  return rows.map(({ type }) => type)
}

const endOf = ({ verified }: CheckData) => (verified ? 'verification.verified' : 'verification.expired')

/** Has checks take their time and then wait for their phones, while `meanwhile` is done. */
async function checkBehind(phones: string[], check: () => Promise<CheckData>[], meanwhile: () => Promise<void>) {
  // In an object: a transaction that gives a promise back would wait for it.
  const { checked } = await server.commit.transaction(async (tx) => {
    await execute(tx, sql`select 1 from phone where phone = any (string_to_array(${phones.join(' ')}, ' ')) for update`)
    const checked = Promise.all(check())
    await expect.poll(() => server.database!.stuckAt('phone')).not.toEqual([])
    await meanwhile()
    return { checked }
  })
  return checked
}

it.each([
  ['delivered', newPhone()],
  ['not delivered', '+14155550130'],
])(
  'a right code that comes in time, and is looked at when the end of one %s was told, has run out',
  async (_what, phone) => {
    const id = await server.test.send(phone)
    await server.work()
    await server.advance(599)
    const [answer] = await checkBehind(
      [phone],
      () => [server.test.check(id, '000000')],
      async () => {
        await server.advance(1)
        await server.app.worker.sweep()
      },
    )
    expect(answer).toMatchObject({ verified: false, reason: 'expired' })
    expect(await endsOf(id)).toEqual(['verification.expired'])
    expect(await server.test.check(id, '000000')).toMatchObject({ verified: false, reason: 'expired' })
  },
)

it('a check that meets the sweep is told as one end, the one that was answered', async () => {
  for (let round = 0; round < 8; round++) {
    const phones = Array.from({ length: 24 }, newPhone)
    const ids = await Promise.all(phones.map((phone) => server.test.send(phone)))
    await server.work()
    const right = new Set(ids.slice(0, 16))
    const wrong = ids.slice(16)
    for (let attempt = 1; attempt < 5; attempt++) {
      await Promise.all(wrong.map((id) => server.test.check(id, '111111')))
    }
    await server.advance(599)
    let swept = Promise.resolve()
    const checkAll = () => ids.map((id) => server.test.check(id, right.has(id) ? '000000' : '111111'))
    const answers = await checkBehind(phones, checkAll, async () => {
      await server.advance(1)
      // It begins when they go on.
      swept = new Promise((resolve) => setTimeout(resolve, round)).then(server.app.worker.sweep)
    })
    await swept
    await server.app.worker.sweep()
    for (const [index, id] of ids.entries()) {
      const told = await endsOf(id)
      expect(told).toHaveLength(1)
      if (right.has(id)) expect(told).toEqual([endOf(answers[index]!)])
    }
  }
})
