import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, Outcome } from '../../src/delivery/channel.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const path = '/v1/notifications/send'
const expiresIn = 60

let answer: Outcome
let asked: { id: string; expiresAt: Date | null }[] = []
const provider: Channel = {
  send: async ({ id, expiresAt }) => {
    asked.push({ id, expiresAt })
    return answer
  },
  verify: () => false,
  parse: () => [],
}

let server: TestServer
beforeAll(async () => {
  server = await startServer({ overrides: { channels: { sandbox: provider } } })
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  answer = { kind: 'sent' }
})

const post = (more: object) =>
  server.test.post<{ request_id: string }>(path, {
    ...{ phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } },
    ...more,
  })
const notify = async () => (await post({ expires_in: expiresIn })).data.request_id

describe('a notification with `expires_in`', () => {
  it('is handed to no provider after its time, and ends as expired', async () => {
    const id = await notify()
    await server.advance(expiresIn)
    // Readers are told before the worker has written it down.
    expect(await server.test.status(id)).toBe('expired')
    await server.work()
    expect(asked).toEqual([])
    const [row] = await server.query<{ status: string; content: Buffer | null }>(
      sql`select status, content from message where id = ${id}`,
    )
    expect(row).toEqual({ status: 'expired', content: null })
  })

  it('goes before its end, and the provider is told when that is', async () => {
    const madeAt = server.runtime.now()
    const id = await notify()
    await server.advance(expiresIn - 1)
    await server.work()
    expect(asked).toEqual([{ id, expiresAt: new Date(madeAt.getTime() + expiresIn * 1000) }])
  })

  it('stays with the provider that took it in time', async () => {
    const id = await notify()
    await server.work()
    await server.advance(expiresIn)
    await server.work()
    expect(await server.test.status(id)).toBe('sent')
    const { data } = await server.test.get<{ messages: { id: string }[] }>('/v1/messages?kind=notification&status=sent')
    expect(data.messages.map((one) => one.id)).toContain(id)
  })

  it('is tried again within its time, and no more after it', async () => {
    answer = { kind: 'retry', reason: 'busy' }
    const id = await notify()
    for (let second = 0; second <= expiresIn + 1; second++) {
      await server.work()
      await server.advance(1)
    }
    const tries = asked.length
    expect(tries).toBeGreaterThan(2)
    await server.advance(3600)
    await server.work()
    expect(asked).toHaveLength(tries)
    expect(await server.test.status(id)).toBe('expired')
  })

  it('waits behind codes as any other notification', async () => {
    const id = await notify()
    const code = await server.test.send(newPhone())
    const priorityOf = async (one: string) =>
      (
        await server.query<{ priority: number }>(sql`
          select priority from pgboss.job where data -> 'messages' @> ${JSON.stringify([{ id: one }])}::text::jsonb`)
      ).map(({ priority }) => priority)
    expect([await priorityOf(id), await priorityOf(code)]).toEqual([[0], [1]])
  })

  it.each([29, 604_801, 60.5, '60'])('is refused for %j seconds', async (seconds) => {
    expect(await post({ expires_in: seconds })).toMatchObject({
      status: 400,
      data: { code: 'invalid_request', details: [{ field: '/expires_in' }] },
    })
  })
})
