/** An account's messages, searched and turned over, as its people see them. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createMessageSearch, type MessagePage, type MessageSearch } from '../../../src/domain/sending/messageSearch.ts'
import { newUlid } from '../../../src/kit/runtime.ts'
import type { TestDatabase } from '../../support/database.ts'
import { person } from '../../support/person.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const accountId = 'acct_default'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const as = (...who: Parameters<typeof person>) => server.app.as(person(...who))
const search = (filters: Partial<MessageSearch> = {}) =>
  as('developer').searchMessages(accountId, { limit: 50, ...filters })
const ids = ({ messages }: MessagePage) => messages.map(({ id }) => id)

/** Messages a second apart, made beside the service; the oldest first. */
async function fill(account: string, count: number, of: (n: number) => Record<string, unknown> = () => ({})) {
  const start = server.runtime.now().getTime()
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(start + n * 1000)
    const row = {
      account_id: account,
      id: `req_${newUlid(at)}`,
      mode: 'live',
      kind: 'notification',
      phone: '+14155550100',
    }
    return { ...row, route: ['wa'], status: 'read', status_at: at, timeline: [], created_at: at, ...of(n) }
  })
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, route, status, status_at, timeline,
    created_at, template, country) select account_id, id, mode, kind, phone, route, status, status_at, timeline, created_at,
    template, country from jsonb_populate_recordset(null::message, ${JSON.stringify(rows)}::jsonb)`)
  server.runtime.advance(count)
  return rows.map(({ id }) => id)
}

/** For which each look at the clock takes as long as a search may. */
function searchInHaste(account: string) {
  let elapsed = 0
  const runtime = { now: server.runtime.now, elapsedMs: () => (elapsed += 100) }
  const search = createMessageSearch({ commit: server.commit, runtime })
  return (asked: MessageSearch) => search(person('viewer', account), account, asked)
}

/** All pages from the newest on. */
async function pagesOf(account: string, filters: Partial<MessageSearch>): Promise<MessagePage[]> {
  const pages: MessagePage[] = []
  for (let after: string | undefined; pages.length === 0 || after; ) {
    const page = await as('developer', account).searchMessages(account, { limit: 10, ...filters, after })
    pages.push(page)
    after = page.after
  }
  return pages
}

describe('a search', () => {
  it('by any one thing that is known of a message finds it, and none that differs in it', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    await server.live.send(newPhone())
    const notified = await server.live.post('/v1/notifications/send', {
      ...{ phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } },
    })
    const noteId = (notified.data as { request_id: string }).request_id
    await server.query(sql`update message set template = 'welcome', country = 'DE', route = '{wa,tg}', leg = 2
      where id = ${noteId}`)
    await server.work()
    expect(ids(await search({ id }))).toEqual([id])
    expect(ids(await search({ phone }))).toEqual([id])
    expect(ids(await search({ mode: 'test' }))).toEqual([id])
    for (const filter of [
      { kind: 'notification' },
      { template: 'welcome' },
      { country: 'DE' },
      { channel: 'tg' },
    ] as const) {
      expect(ids(await search(filter))).toEqual([noteId])
    }
    expect(ids(await search({ channel: 'wa' }))).toEqual([])
    expect(ids(await search({ id, kind: 'notification' }))).toEqual([])
    expect(ids(await search({ phone, mode: 'live' }))).toEqual([])
    expect((await search()).messages).toHaveLength(3)
  })

  it('by time has what was made from the first moment on, and not what was made at the last', async () => {
    await server.app.accounts.create('timed')
    const { id: account } = await server.app.accounts.require('timed')
    const start = server.runtime.now().getTime()
    const made = await fill(account, 5)
    const at = (n: number) => new Date(start + n * 1000)
    const found = async (from: number, to: number) =>
      ids(await as('viewer', account).searchMessages(account, { limit: 50, from: at(from), to: at(to) }))
    expect(await found(1, 3)).toEqual([made[2], made[1]])
    expect(await found(-1e9, 1e9)).toEqual(made.toReversed())
    expect(await found(5, 9)).toEqual([])
  })

  it('tells and finds a verification whose code ran out as expired before that is written down', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone)
    const used = await server.test.send(newPhone())
    await server.test.check(used, '000000')
    const { messages } = await search({ phone })
    expect(messages).toMatchObject([{ id, status: 'sent', errorCode: null }])
    await server.advance(601)
    const shown = await search({ phone })
    expect(shown.messages).toMatchObject([
      { id, status: 'expired', at: new Date(server.runtime.now().getTime() - 1000) },
    ])
    expect(await server.live.status(id)).toBe('expired')
    expect(ids(await search({ phone, status: 'expired' }))).toEqual([id])
    expect(ids(await search({ phone, status: 'sent' }))).toEqual([])
    expect(ids(await search({ status: 'expired', mode: 'live' }))).toContain(id)
    expect(ids(await search({ status: 'expired' }))).not.toContain(used)
  })

  it('shows a viewer no whole phone, and nobody a code or a text', async () => {
    const phone = newPhone()
    await server.test.send(phone)
    const shownTo = async (role: 'viewer' | 'developer' | 'owner') =>
      (await as(role).searchMessages(accountId, { limit: 1, phone })).messages[0]?.phone
    expect(await shownTo('viewer')).toBe(`+1415•••••${phone.slice(-2)}`)
    expect(await shownTo('developer')).toBe(phone)
    expect(await shownTo('owner')).toBe(phone)
    const { messages } = await search({ phone })
    expect(
      Object.keys(messages[0] ?? {})
        .toSorted()
        .join(),
    ).toBe(
      'at,connection,country,createdAt,errorCode,findings,id,keyId,kind,mode,phone,price,reference,sendAt,status,template,templateLocale,templateVersion',
    )
  })

  it('sees the own account alone, whatever it asks for', async () => {
    await server.app.accounts.create('another')
    const { id: other } = await server.app.accounts.require('another')
    const phone = newPhone()
    const id = await server.test.send(phone)
    const theirs = await server.as(await server.key({ account: 'another' })).send(phone)
    expect(ids(await search({ phone }))).toEqual([id])
    expect(ids(await search({ id: theirs }))).toEqual([])
    expect(ids(await as('owner', other).searchMessages(other, { limit: 9 }))).toEqual([theirs])
    await expect(as('owner').searchMessages(other, { limit: 9 })).rejects.toThrow('needs the role')
  })

  it('cannot tell by its pages whether other accounts sent to a phone, and how often', async () => {
    const { id: own } = await server.app.accounts.create('curious')
    const { id: other } = await server.app.accounts.create('discreet')
    const phone = newPhone()
    await fill(own, 1500, () => ({ phone }))
    const turned = () => searchInHaste(own)({ limit: 10, phone, status: 'failed' })
    const before = await turned()
    // Counted with the own, they would be more than are looked at all at once.
    await fill(other, 1500, () => ({ phone }))
    expect(await turned()).toEqual(before)
  })
})

describe('pages', () => {
  let account: string
  let made: string[]
  beforeAll(async () => {
    await server.app.accounts.create('pages')
    account = (await server.app.accounts.require('pages')).id
    // Every 50th is of a phone of its own, the first has the only template, and 2,500 go to one phone.
    made = await fill(account, 7000, (n) => ({
      phone: n % 50 === 0 ? '+14155550177' : n < 2500 ? '+14155550178' : `+14156${100_000 + n}`,
      template: n === 0 ? 'rare' : null,
      status: n % 700 === 0 ? 'failed' : 'read',
    }))
  })

  it('hold each message once, the newest first, also when others come meanwhile', async () => {
    const first = await as('viewer', account).searchMessages(account, { limit: 10 })
    expect(first).toMatchObject({ before: undefined, lookedUntil: undefined })
    const [late] = await fill(account, 1)
    const second = await as('viewer', account).searchMessages(account, { limit: 10, after: first.after })
    expect([...ids(first), ...ids(second)]).toEqual(made.toReversed().slice(0, 20))
    expect(ids(await as('viewer', account).searchMessages(account, { limit: 1 }))).toEqual([late])
    made.push(late as string)
  })

  it('lead back to newer ones: the page before, and the newest at the end', async () => {
    const turn = (filters: Partial<MessageSearch>) =>
      as('viewer', account).searchMessages(account, { limit: 10, ...filters })
    const first = await turn({})
    const second = await turn({ after: first.after })
    const third = await turn({ after: second.after })
    expect(ids(await turn({ before: third.before }))).toEqual(ids(second))
    const back = await turn({ before: second.before })
    expect(ids(back)).toEqual(ids(first))
    expect([back.before, back.after]).toEqual([undefined, first.after])
    // A page that is not full begins with the newest instead.
    expect(ids(await turn({ before: ids(first)[4] }))).toEqual(ids(first))
  })

  it.each([
    ['a status that is rare', { status: 'failed' }, (n: number) => n % 700 === 0],
    ['a phone with many messages', { phone: '+14155550178' }, (n: number) => n < 2500 && n % 50 !== 0],
    ['a phone with some', { phone: '+14155550177' }, (n: number) => n % 50 === 0],
    ['a template that one message has', { template: 'rare' }, (n: number) => n === 0],
  ] as const)('of %s have all of them', async (_what, filters, isOne) => {
    const pages = await pagesOf(account, filters)
    expect(pages.flatMap(ids)).toEqual(made.filter((_id, n) => isOne(n) && n < 7000).toReversed())
    expect(pages.map(({ lookedUntil }) => lookedUntil).filter(Boolean)).toEqual([])
  })

  it('of what is rare say how far was looked when the time is up, and go on from there', async () => {
    const impatient = searchInHaste(account)
    const found: string[] = []
    const looked: Date[] = []
    for (let after: string | undefined, turns = 0; turns === 0 || after; turns++) {
      const page = await impatient({ limit: 10, template: 'rare', after })
      found.push(...ids(page))
      if (page.lookedUntil) looked.push(page.lookedUntil)
      after = page.after
    }
    expect(found).toEqual([made[0]])
    expect(looked.length).toBeGreaterThan(5)
    expect(looked.map(Number)).toEqual(looked.map(Number).toSorted((one, other) => other - one))
    // Newer ones are looked through the same way.
    const newer = await impatient({ limit: 10, template: 'none', before: made[0] })
    expect(newer).toMatchObject({ messages: [], before: made[500], lookedUntil: expect.any(Date) })
    expect(ids(await impatient({ limit: 1, after: newer.after }))).toEqual([made[0]])
  })

  it.runIf(inject('engine') === 'postgres')(
    'and searches among 100,000 messages that nobody has analysed take less than 100 ms',
    async () => {
      // Beside the service, which gives a statement 15 seconds.
      const beside = (server.database as TestDatabase).sql
      await beside`alter table message_default set (autovacuum_enabled = off)`
      await beside`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
      select ${account}, 'req_00' || to_char(n, 'FM000000000000000000000000'), 'live', 'notification', '+14157' || (n % 1000),
        'read', '2020-01-01', '[]', '2020-01-01' from generate_series(1, 93000) n`
      const searched: [string, Partial<MessageSearch>][] = [
        ['all', {}],
        ['turned', { after: made[100] }],
        ['a phone', { phone: '+14157999' }],
        ['rare', { template: 'none' }],
        ['rare and of a phone with many', { phone: '+14155550178', template: 'none' }],
      ]
      // What the processor was given to others for, is not the search's.
      for (const [what, filters] of searched) {
        const times: number[] = []
        for (let n = 0; n < 5; n++) {
          const startedAt = performance.now()
          const runtime = { now: server.runtime.now, elapsedMs: () => performance.now() }
          const search = createMessageSearch({ commit: server.commit, runtime })
          await search(person('viewer', account), account, { limit: 50, ...filters })
          times.push(performance.now() - startedAt)
        }
        expect(Math.min(...times), what).toBeLessThan(100)
      }
    },
    120_000,
  )
})
