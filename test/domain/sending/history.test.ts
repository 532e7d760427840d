/** What became of a message, as its account's people see it, and what was told of it. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenTo } from '../../support/listening.ts'
import { person } from '../../support/person.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const as = (...who: Parameters<typeof person>) => server.app.as(person(...who))

describe('a message', () => {
  it('is told with each step, its connections, country and template; a viewer sees no whole phone', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone)
    await server.query(sql`update message set country = 'US', template = 'welcome' where id = ${id}`)
    await server.work()
    const history = await as('developer').history(id)
    expect(history).toMatchObject({ id, phone, country: 'US', template: 'welcome', status: 'delivered', events: [] })
    expect(history.legs).toMatchObject([{ connection: 'sandbox', state: 'current' }])
    expect(history.timeline.map(({ status }) => status)).toEqual(['sent', 'sent', 'delivered'])
    const masked = `+1415•••••${phone.slice(-2)}`
    expect((await as('viewer').history(id)).phone).toBe(masked)
    expect((await server.app.history(id)).phone).toBe(masked)
    expect(JSON.stringify(await as('viewer').history(id))).not.toContain(phone)
  })

  it('of another account is told to be missing, in the words of one that never was', async () => {
    await server.app.accounts.create('another')
    const theirs = await server.as(await server.key({ account: 'another' })).send(newPhone())
    await expect(as('owner').history(theirs)).rejects.toThrow(`There is no message ${theirs}.`)
    await expect(as('owner').history('req_none')).rejects.toThrow('There is no message req_none.')
    expect(await server.app.history(theirs)).toMatchObject({ id: theirs, account: 'another' })
  })

  it('whose code ran out is told as expired before that is written down, and once', async () => {
    const id = await server.live.send(newPhone())
    const end = new Date(server.runtime.now().getTime() + 600_000)
    await server.advance(601)
    const before = await as('viewer').history(id)
    expect(before).toMatchObject({ status: 'expired', statusAt: end })
    await server.work()
    const after = await as('viewer').history(id)
    expect(after.timeline.filter(({ status }) => status === 'expired')).toEqual([before.timeline.at(-1)])
  })
})

describe('what was told of a message', () => {
  it('is shown with each endpoint, what came of the last attempt, and when the next is', async () => {
    const [taking, failing] = [await listenTo(server), await listenTo(server, { behaviour: { status: 500 } })]
    const id = await server.test.send(newPhone())
    await server.test.send(newPhone())
    expect((await as('viewer').history(id)).events).toEqual([])
    await server.work()
    const { events } = await as('viewer').history(id)
    expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.delivered'])
    const [first] = events
    expect(first?.endpoints).toHaveLength(2)
    expect(first?.endpoints.find((endpoint) => endpoint.id === taking.id)).toMatchObject({
      ...{ state: 'delivered', dueAt: null },
      lastAttempt: { status: 204, error: null },
    })
    const failed = first?.endpoints.find((endpoint) => endpoint.id === failing.id)
    expect(failed).toMatchObject({ state: 'due', lastAttempt: { status: 500 } })
    expect(failed?.dueAt?.getTime()).toBeGreaterThan(server.runtime.now().getTime())
    server.runtime.advance(1)
    await server.test.check(id, '000000')
    expect((await as('viewer').history(id)).events.at(-1)).toMatchObject({
      type: 'verification.verified',
      endpoints: [
        { state: 'due', lastAttempt: undefined },
        { state: 'due', lastAttempt: undefined },
      ],
    })
    for (const { close } of [taking, failing]) await close()
  })
})
