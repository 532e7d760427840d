/** Hand-overs whose answer was lost, and what a provider's report that it sent the message changes. */
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { createRoutes, tg, unknown, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, connections, notes, report } = routes

/** Sends a notification, of whose first hand-over nobody knows whether it left. */
async function lostNotification(accountId: string, live: Client): Promise<string> {
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  const body = { phone: newPhone(), template: 'hello', variables: {} }
  const { data } = await live.post('/v1/notifications/send', body)
  await routes.server.work()
  return data.request_id as string
}

/** Has the worker do what comes due in so many minutes. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await routes.server.advance(60)
    await routes.server.work()
  }
}

describe.each([wa(), tg()])('a code whose hand-over to $id was not answered', ({ id: connection, kind }) => {
  it('is not sent again once a report says that it was sent', async () => {
    const { accountId, live } = await accountWith({ id: connection, kind })
    routes.answers = { [connection]: () => unknown }
    const id = await routes.sentBy(live)
    await report(accountId, connection, id, { status: 'sent', providerMessageId: 'provider-1' })
    await minutes(9)
    expect(connections()).toEqual([connection])
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual([`${connection}: attempt 1: no answer in time`, `taken by ${connection}`])
  })
})

describe('a code of which nobody knows whether its last connection took it', () => {
  it('comes to a phone three times at most, and is good until it runs out', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => unknown, tg: () => unknown }
    const id = await routes.sentBy(live)
    await minutes(9)
    expect(connections()).toEqual(['wa-eu', 'tg', 'tg', 'tg'])
    expect(new Set(routes.asked.map(({ content }) => JSON.stringify(content))).size).toBe(1)
    expect(await live.status(id)).toBe('sent')
    const { code } = routes.asked[0]!.content as { code: string }
    expect(await live.check(id, code)).toMatchObject({ verified: true })
  })

  it('loses none of these three to answers by which it was surely not taken', async () => {
    const { live } = await accountWith(wa())
    const busy = { kind: 'retry', reason: 'busy', afterSeconds: 1 } as const
    routes.answers = { 'wa-eu': ({ attempt }) => (attempt % 2 === 0 ? unknown : busy) }
    await routes.sentBy(live)
    await minutes(9)
    expect(connections()).toHaveLength(6)
  })

  it('is repeated on and on where the same hand-over twice is one to the provider', async () => {
    const { live } = await accountWith(wa())
    routes.answers = { 'wa-eu': () => unknown }
    routes.provider.dedupes = true
    try {
      await routes.sentBy(live)
      await minutes(9)
    } finally {
      delete routes.provider.dedupes
    }
    expect(connections().length).toBeGreaterThan(3)
  })
})

describe.each(['code', 'notification'] as const)('a report without a proof that a %s arrived', (kind) => {
  it('proves that the provider took it, whose answer was lost: it is not sent again', async () => {
    const { accountId, live } = await accountWith(wa())
    routes.answers = { 'wa-eu': () => unknown }
    const id = kind === 'code' ? await routes.sentBy(live) : await lostNotification(accountId, live)
    await report(accountId, 'wa-eu', id, { status: 'delivered', isHearsay: true, providerMessageId: 'provider-2' })
    await minutes(3)
    expect(connections()).toEqual(['wa-eu'])
    expect(await live.status(id)).toBe('sent')
    expect((await notes(id)).at(-1)).toBe('wa-eu: reported as delivered, which is not proven')
    await report(accountId, 'wa-eu', id, { message: undefined, providerMessageId: 'provider-2' } as never)
    expect(await live.status(id)).toBe('delivered')
  })
})

describe('a notification whose hand-over was not answered', () => {
  it('is not sent again once a report says that it was sent, and is known by the id that this names', async () => {
    const { accountId, live } = await accountWith(wa())
    routes.answers = { 'wa-eu': () => unknown }
    const id = await lostNotification(accountId, live)
    await report(accountId, 'wa-eu', id, { status: 'sent', providerMessageId: 'wamid.lost' })
    await minutes(3)
    expect(connections()).toEqual(['wa-eu'])
    expect(await live.status(id)).toBe('sent')
    await report(accountId, 'wa-eu', id, { message: undefined, providerMessageId: 'wamid.lost' } as never)
    expect(await live.status(id)).toBe('delivered')
  })

  it('has a minute for that report after the second time too, before it fails', async () => {
    const { accountId, live } = await accountWith(wa())
    routes.answers = { 'wa-eu': () => unknown }
    const [reported, lost] = [await lostNotification(accountId, live), await lostNotification(accountId, live)]
    await minutes(1)
    await report(accountId, 'wa-eu', reported, { status: 'sent' })
    expect(await live.status(lost)).toBe('queued')
    await minutes(3)
    expect(connections()).toHaveLength(4)
    expect([await live.status(reported), await live.status(lost)]).toEqual(['sent', 'failed'])
  })

  it('is not failed by a time-out that comes after the report', async () => {
    const { accountId, live } = await accountWith(wa())
    routes.answers = {
      'wa-eu': async ({ id }) => {
        await report(accountId, 'wa-eu', id, { status: 'sent' })
        return unknown
      },
    }
    const id = await lostNotification(accountId, live)
    await minutes(3)
    expect(connections()).toEqual(['wa-eu'])
    expect(await live.status(id)).toBe('sent')
  })
})

describe('a report that a message was sent', () => {
  const versionOf = (id: string) =>
    routes.server.query<{ version: string }>(sql`select xmin::text as version from message where id = ${id}`)

  it('writes nothing when that is known, or said beside its arrival', async () => {
    const { accountId, live } = await accountWith(wa())
    const id = await routes.sentBy(live)
    const before = await versionOf(id)
    await report(accountId, 'wa-eu', id, { status: 'sent', providerMessageId: 'wamid.1' })
    expect(await versionOf(id)).toEqual(before)
  })

  it('is taken together with thousands of others, and with what else they say', async () => {
    const { accountId, live } = await accountWith(wa())
    const id = await routes.sentBy(live)
    const { app, runtime } = routes.server
    const said = (id: string, status: string) => ({ message: { accountId, id }, at: runtime.now(), status })
    const list = Array.from({ length: 2500 }, () => said(`req_${runtime.newId()}`, 'sent'))
    const body = Buffer.from(JSON.stringify([...list, said(id, 'delivered')]))
    await app.receipts.accept({ accountId, connection: 'wa-eu' }, { headers: { signature: 'good' }, body })
    expect(await live.status(id)).toBe('delivered')
  })

  it('of another account is nothing to this one, nor one of a code that has another connection left', async () => {
    const other = await accountWith(wa())
    const { accountId, live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => ({ kind: 'retry', reason: 'busy', afterSeconds: 10 }) }
    const id = await routes.sentBy(live)
    await report(other.accountId, 'wa-eu', id, { status: 'sent', message: { accountId, id } })
    for (const connection of ['wa-eu', 'tg']) await report(accountId, connection, id, { status: 'sent' })
    expect(await notes(id)).toEqual(['wa-eu: attempt 1: busy'])
  })
})
