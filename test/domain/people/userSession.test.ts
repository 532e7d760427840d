import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../../../src/domain/people/token.ts'
import { isProved } from '../../../src/domain/people/userSession.ts'
import { findUserByEmail } from '../../../src/store/people/user.ts'
import {
  enrol,
  from,
  join,
  newAccount,
  notTokens,
  openPeople,
  type People,
  peopleOn,
  refusal,
  signIn,
} from '../../support/people.ts'

let opened: Awaited<ReturnType<typeof openPeople>>
let people: People
let accountId: string
beforeAll(async () => {
  opened = await openPeople()
})
afterAll(() => opened.close())

/** With a clock of its own. */
async function newcomer() {
  people = peopleOn(opened.commit)
  accountId = await newAccount(opened.test)
  return join(opened.commit, people, { accountId })
}

const hourSeconds = 3600

describe('a session', () => {
  it('tells whose it is, and what that person may do', async () => {
    const { user, email, of } = await newcomer()
    expect(of).toMatchObject({
      accountId,
      userId: user.id,
      name: 'Ada Lovelace',
      email,
      role: 'owner',
      isPending: false,
    })
    expect(of).toMatchObject({ hasPassword: true, hasAuthenticator: false })
    expect(of.actor).toEqual({
      ...{ kind: 'user', accountId, id: user.id, name: 'Ada Lovelace', role: 'owner', address: from.address },
    })
  })

  it('is opened by its token alone, of which no more than a hash is kept', async () => {
    const { token } = await newcomer()
    expect(token).toMatch(/^[\w-]{43}$/)
    for (const other of ['', 'x', token.slice(1), `${token}A`, token.toLowerCase()]) {
      expect(await people.find(other)).toBe(undefined)
    }
    const kept = JSON.stringify(await opened.test.sql`select * from dashboard_session`)
    expect(kept).not.toContain(token)
    const { hash } = (await people.find(token))!
    expect(kept).toContain(hash)
    expect(await people.find(hash)).toBe(undefined)
  })

  it('is not looked for in the database by what is no token', async () => {
    await newcomer()
    const letGo = await opened.test.hold('dashboard_session')
    const found = await Promise.all(notTokens.map((text) => people.find(text))).finally(letGo)
    expect(found).toEqual(notTokens.map(() => undefined))
  })

  it('is found for each who asks, also among those of strangers at the same moment', async () => {
    const [ada, grace] = [await newcomer(), await join(opened.commit, people, { accountId, name: 'Grace Hopper' })]
    const asked = Array.from({ length: 100 }, () => [ada.token, newToken(), grace.token]).flat()
    const found = await Promise.all(asked.map((token) => people.find(token)))
    const names = Array.from({ length: 100 }, () => ['Ada Lovelace', undefined, 'Grace Hopper']).flat()
    expect(found.map((one) => one?.name)).toEqual(names)
  })

  it('is looked for on few connections, however many strangers ask for what there is not', async () => {
    const { email } = await newcomer()
    const letGo = await opened.test.hold('dashboard_session')
    const crowd = Promise.allSettled(Array.from({ length: 200 }, () => people.find(newToken())))
    await expect.poll(() => opened.test.stuckAt('dashboard_session')).not.toEqual([])
    const known = await findUserByEmail(opened.commit.reader, email).finally(letGo)
    expect(known).toMatchObject({ name: 'Ada Lovelace' })
    expect(new Set((await crowd).map(({ status }) => status))).toEqual(new Set(['fulfilled']))
  })

  it('ends after twelve hours in which nothing was asked', async () => {
    const { token } = await newcomer()
    people.runtime.advance(12 * hourSeconds - 1)
    expect(await people.find(token)).toBeDefined()
    people.runtime.advance(12 * hourSeconds - 1)
    expect(await people.find(token)).toBeDefined()
    people.runtime.advance(12 * hourSeconds)
    expect(await people.find(token)).toBe(undefined)
  })

  it('ends after seven days, whatever is asked', async () => {
    const { token } = await newcomer()
    for (let asked = 1; asked < 7 * 24; asked++) {
      people.runtime.advance(hourSeconds)
      expect(await people.find(token)).toBeDefined()
    }
    people.runtime.advance(hourSeconds)
    expect(await people.find(token)).toBe(undefined)
  })

  it('a session begun or proved by a clock that was then set back is over; a minute is allowed', async () => {
    const { token, of } = await newcomer()
    const ahead = async (column: string, seconds: number) => {
      const [now, at] = [0, seconds].map((by) => new Date(people.runtime.now().getTime() + by * 1000).toISOString())
      await opened.test.sql.unsafe(
        `update dashboard_session set created_at = $1, seen_at = $1, proved_at = $1 where id = $2`,
        [now!, of.id],
      )
      await opened.test.sql.unsafe(`update dashboard_session set ${column} = $1 where id = $2`, [at!, of.id])
      const found = await people.find(token)
      return found && isProved(found, people.runtime.now())
    }
    for (const column of ['created_at', 'seen_at', 'proved_at']) expect(await ahead(column, 60)).toBe(true)
    expect([await ahead('created_at', 61), await ahead('seen_at', 61)]).toEqual([undefined, undefined])
    expect(await ahead('proved_at', 61)).toBe(false)
  })

  it('is written as seen once a minute', async () => {
    const { token, of } = await newcomer()
    const seen = async () => (await people.find(token))!.seenAt.getTime() - of.createdAt.getTime()
    people.runtime.advance(59)
    expect([await seen(), await seen()]).toEqual([0, 0])
    people.runtime.advance(1)
    expect([await seen(), await seen()]).toEqual([0, 60_000])
  })

  it('shows another role, and another name, with the next page', async () => {
    const { user, token, of } = await newcomer()
    const { of: second } = await join(opened.commit, people, { accountId })
    await people.as(of).users.rename(of, ' Ada  King ')
    await people.as(second).users.setRole(user, 'viewer')
    expect(await people.find(token)).toMatchObject({ role: 'viewer', name: 'Ada King', actor: { role: 'viewer' } })
  })
})

describe('signing out', () => {
  it('ends a session at once', async () => {
    const { token, of } = await newcomer()
    await people.sessions.end(of)
    expect(await people.find(token)).toBe(undefined)
  })

  it('ends another one of the same user, and none of anybody else', async () => {
    const { email, of } = await newcomer()
    const stranger = await join(opened.commit, people, { accountId })
    const { token } = await signIn(people, email)
    const other = (await people.find(token!))!
    expect((await people.sessions.list(of)).map(({ id }) => id).toSorted()).toEqual([of.id, other.id].toSorted())
    await people.sessions.end(of, other.id)
    expect(await people.find(token!)).toBe(undefined)
    for (const id of [stranger.of.id, other.id, 'ses_0']) {
      expect(await refusal(people.sessions.end(of, id))).toBe(`There is no session ${id}.`)
    }
    expect(await people.find(stranger.token)).toBeDefined()
  })

  it('everywhere else leaves the session that asks', async () => {
    const { email, token, of } = await newcomer()
    const others = [await signIn(people, email), await signIn(people, email)]
    expect(await people.sessions.endOthers(of)).toBe(2)
    for (const other of others) expect(await people.find(other.token!)).toBe(undefined)
    expect(await people.find(token)).toBeDefined()
  })

  it('shows where somebody is signed in, and no session that is over or half-way', async () => {
    const { email, of, token } = await newcomer()
    people.runtime.advance(13 * hourSeconds)
    expect(await people.find(token)).toBe(undefined)
    const { token: second } = await signIn(people, email)
    const now = (await people.find(second!))!
    await enrol(people, now)
    expect((await signIn(people, email)).answer).toMatchObject({ isPending: true })
    expect(await people.sessions.list(of)).toEqual([
      { id: now.id, createdAt: now.createdAt, seenAt: now.seenAt, ...from },
    ])
  })
})

it('a browser that says too much of itself is cut short, and gives no orders', async () => {
  const { email } = await newcomer()
  const agent = `\u001b[31m${'x'.repeat(1000)}`
  const answer = await people.signIns.signIn({ email, password: 'correct horse battery staple', ...from, agent })
  const of = (await people.find((answer as { token: string }).token))!
  expect((await people.sessions.list(of)).find(({ id }) => id === of.id)?.agent).toBe(`[31m${'x'.repeat(296)}`)
})
