import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createSignIns } from '../../../src/domain/people/signIn.ts'
import { isProved } from '../../../src/domain/people/userSession.ts'
import { unavailable } from '../../../src/kit/problem.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import {
  codeOf,
  enrol,
  from,
  type Joined,
  join,
  newAccount,
  openPeople,
  type People,
  password,
  peopleOn,
  signIn,
} from '../../support/people.ts'
import { startTcpProxy } from '../../support/tcpProxy.ts'

const calm = { take: async () => 0, giveBack: async () => {}, keep: () => {} }
const windowSeconds = 15 * 60

let opened: Awaited<ReturnType<typeof openPeople>>
let people: People
let accountId: string
let ada: Joined
beforeAll(async () => {
  opened = await openPeople()
})
afterAll(() => opened.close())
beforeEach(async () => {
  people = peopleOn(opened.commit, { networks: calm })
  accountId = await newAccount(opened.test)
  ada = await join(opened.commit, people, { accountId })
})

const wrong = (email: string) => signIn(people, email, 'not the right one')

describe('the right password', () => {
  it('opens a session that is new, and says so in the audit', async () => {
    const { token } = await signIn(people, ada.email.toUpperCase())
    expect(token).not.toBe(ada.token)
    const of = (await people.find(token!))!
    expect(of.id).not.toBe(ada.of.id)
    const rows = await opened.test.sql`
      select name, address from audit where account_id = ${accountId} and act = 'user.signed_in'`
    expect(rows).toEqual([{ name: 'Ada Lovelace', address: from.address }])
  })

  it('is taken after four wrong ones', async () => {
    for (let guess = 0; guess < 4; guess++) expect((await wrong(ada.email)).kind).toBe('wrong')
    for (let again = 0; again < 10; again++) expect((await signIn(people, ada.email)).kind).toBe('entered')
    expect((await wrong(ada.email)).kind).toBe('wrong')
    expect((await signIn(people, ada.email)).kind).toBe('wait')
  })

  it.each([
    ['it was changed', () => people.as(ada.of).users.changePassword(ada.of, 'another horse, another battery')],
    ['its user was disabled', () => people.users.disable(ada.user)],
  ])('is of no use when %s while it was worked on', async (_what, meanwhile) => {
    await join(opened.commit, people, { accountId })
    const { runtime, authenticators, networks, browsers } = people
    const isRight = async () => {
      await meanwhile()
      return true
    }
    const { signIn } = createSignIns({
      ...{ commit: opened.commit, runtime, authenticators, networks, browsers },
      passwords: { hash: expect.unreachable, admit: (_asker, work) => work(isRight) },
    })
    expect(await signIn({ email: ada.email, password, ...from })).toEqual({ kind: 'wrong' })
  })
})

describe('five wrong passwords in 15 minutes', () => {
  it('make the next one wait, right or wrong, with the seconds until one is let through', async () => {
    for (let guess = 0; guess < 5; guess++) {
      expect((await wrong(ada.email)).kind).toBe('wrong')
      people.runtime.advance(10)
    }
    expect((await signIn(people, ada.email)).answer).toEqual({ kind: 'wait', seconds: windowSeconds - 50 })
    people.runtime.advance(windowSeconds - 51)
    expect((await wrong(ada.email)).answer).toEqual({ kind: 'wait', seconds: 1 })
    people.runtime.advance(1)
    expect((await signIn(people, ada.email)).kind).toBe('entered')
  })

  it('are no more than five, however many come at once', async () => {
    const before = people.work()
    const told = await Promise.all(Array.from({ length: 30 }, () => wrong(ada.email)))
    expect(told.filter(({ kind }) => kind === 'wrong')).toHaveLength(5)
    expect(told.filter(({ kind }) => kind === 'wait')).toHaveLength(25)
    expect(people.work() - before).toBe(5)
  })

  it('are the same five in every process', async () => {
    const other = peopleOn(opened.commit, { networks: calm, runtime: people.runtime })
    const told = await Promise.all(
      [people, other].flatMap((one) => Array.from({ length: 10 }, () => signIn(one, ada.email, 'not the right one'))),
    )
    expect(told.filter(({ kind }) => kind === 'wrong')).toHaveLength(5)
  })

  it('of one address of mail let all others in', async () => {
    const other = await join(opened.commit, people, { accountId })
    for (let guess = 0; guess < 6; guess++) await wrong(ada.email)
    expect((await signIn(people, other.email)).kind).toBe('entered')
  })
})

describe('who guesses', () => {
  it('learns nothing of whom there is: the same answers, the same work, the same wait', async () => {
    const disabled = await join(opened.commit, people, { accountId })
    await people.users.disable(disabled.user)
    const company = await join(opened.commit, people, { accountId })
    await opened.test.sql`update dashboard_user set password_hash = null where id = ${company.user.id}`
    const tell = async (email: string, text: string) => {
      const told = []
      for (let guess = 0; guess < 6; guess++) {
        const before = people.work()
        const { answer } = await signIn(people, email, text)
        told.push({ answer, work: people.work() - before })
      }
      return told
    }
    const known = await tell(ada.email, 'not the right one')
    expect(known.map(({ work }) => work)).toEqual([1, 1, 1, 1, 1, 0])
    expect(known.at(-1)).toEqual({ answer: { kind: 'wait', seconds: windowSeconds }, work: 0 })
    expect(await tell('nobody@example.com', password)).toEqual(known)
    expect(await tell(disabled.email, password)).toEqual(known)
    expect(await tell(company.email, password)).toEqual(known)
    expect(await tell('not an address at all', password)).toEqual(known)
  })

  it('waits after twenty wrong ones from a network, whomever they are of; the right ones do not count', async () => {
    people = peopleOn(opened.commit)
    const at = (address: string) => signIn(people, `nobody-${Math.random()}@example.com`, password, address)
    for (let guess = 0; guess < 25; guess++) expect((await signIn(people, ada.email)).kind).toBe('entered')
    const told = await Promise.all(Array.from({ length: 30 }, () => at('203.0.113.7')))
    expect(told.filter(({ kind }) => kind === 'wrong')).toHaveLength(20)
    const { answer } = await signIn(people, ada.email, password, '::ffff:203.0.113.7')
    expect(answer).toEqual({ kind: 'wait', seconds: expect.any(Number) })
    expect((answer as { seconds: number }).seconds).toBeGreaterThan(890)
    expect((await signIn(people, ada.email, password, '203.0.113.8')).kind).toBe('entered')
  })

  it('is not who is right: of an office that comes at once, the last ones wait for a second', async () => {
    people = peopleOn(opened.commit)
    const office = await Promise.all(Array.from({ length: 30 }, () => join(opened.commit, people, { accountId })))
    const told = await Promise.all(office.map(({ email }) => signIn(people, email)))
    const late = office.filter((_one, index) => told[index]?.kind !== 'entered')
    expect(late.length).toBeGreaterThan(0)
    for (const { answer, kind } of told) if (kind !== 'entered') expect(answer).toEqual({ kind: 'wait', seconds: 1 })
    for (const { email } of late) expect((await signIn(people, email)).kind).toBe('entered')
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, n) => signIn(people, `nobody-${n}@example.com`)))
    expect(guesses.filter(({ kind }) => kind === 'wrong')).toHaveLength(20)
  })

  it('locks nobody out by a crowd: what found no place was no wrong proof, and leaves nothing behind', async () => {
    people = peopleOn(opened.commit)
    const noPlace = () => Promise.reject(unavailable())
    const { runtime, authenticators, networks, browsers } = people
    const busy = createSignIns({
      ...{ commit: opened.commit, runtime, authenticators, networks, browsers },
      passwords: { admit: noPlace, hash: noPlace },
    })
    const email = 'nobody-yet@example.com'
    const kept = () => opened.test.sql`select email_hash from sign_in`
    const before = await kept()
    const asked = () => busy.signIn({ email, password, ...from })
    for (let again = 0; again < 25; again++)
      await expect(asked()).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await kept()).toEqual(before)
    expect((await signIn(people, ada.email)).kind).toBe('entered')
  })

  it('locks nobody out while the database is away, however often they try', async () => {
    const wire = await startTcpProxy(opened.test.settings.url)
    const database = await connect({ ...opened.test.settings, url: wire.url })
    people = peopleOn(createCommit(database, commitOptions(database)))
    expect((await signIn(people, ada.email)).kind).toBe('entered')
    wire.cut()
    for (let again = 0; again < 25; again++) await expect(signIn(people, ada.email)).rejects.toThrow()
    wire.restore()
    expect((await signIn(people, ada.email)).kind).toBe('entered')
    await database.close()
    await wire.close()
  })

  it('locks nobody out by sessions that ended while somebody proved again: nothing was guessed', async () => {
    people = peopleOn(opened.commit)
    for (let person = 0; person < 5; person++) {
      const { user, of } = await join(opened.commit, people, { accountId })
      await people.users.disable(user)
      for (let again = 0; again < 5; again++) expect(await people.signIns.prove(of, 'x')).toEqual({ kind: 'over' })
    }
    expect((await signIn(people, ada.email)).kind).toBe('entered')
  })

  it('leaves neither address of mail nor password behind', async () => {
    await signIn(people, 'somebody-secret@example.com', 'a password that is secret')
    const kept = JSON.stringify([
      await opened.test.sql`select * from sign_in`,
      await opened.test.sql`select * from audit`,
      people.runtime.lines,
    ])
    expect(kept).not.toMatch(/somebody-secret|that is secret/)
  })
})

describe('with an authenticator', () => {
  it('the password opens nothing but the question for the code, and the code gives another token', async () => {
    const { codeAt } = await enrol(people, ada.of)
    people.runtime.advance(60)
    const { token, answer } = await signIn(people, ada.email)
    expect(answer).toMatchObject({ kind: 'entered', isPending: true })
    expect(await people.find(token!)).toBe(undefined)
    const pending = (await people.pending(token!))!
    const entered = await people.signIns.confirm(pending, ` ${codeAt(0).replace(/^.../, '$& ')} `)
    expect(entered).toMatchObject({ kind: 'entered', isPending: false })
    const { token: next } = entered as { token: string }
    expect(next).not.toBe(token)
    expect([await people.find(token!), await people.pending(token!), await people.pending(next)]).toEqual(
      Array(3).fill(undefined),
    )
    expect(await people.find(next)).toMatchObject({ id: pending.id, userId: ada.user.id })
  })

  it('the question for the code is over after ten minutes', async () => {
    await enrol(people, ada.of)
    const { token } = await signIn(people, ada.email)
    people.runtime.advance(599)
    expect(await people.pending(token!)).toBeDefined()
    people.runtime.advance(1)
    expect(await people.pending(token!)).toBe(undefined)
  })

  it('wrong codes count like wrong passwords, also when right passwords come in between', async () => {
    await enrol(people, ada.of)
    const told = []
    for (let guess = 0; guess < 6; guess++) {
      const { token, kind } = await signIn(people, ada.email)
      const pending = token && (await people.pending(token))
      told.push(pending ? (await people.signIns.confirm(pending, '000000')).kind : kind)
    }
    expect(told).toEqual([...Array(5).fill('wrong'), 'wait'])
  })

  it('right codes are taken while strangers guess at the password', async () => {
    const { codeAt } = await enrol(people, ada.of)
    people.runtime.advance(60)
    const { token } = await signIn(people, ada.email)
    for (let guess = 0; guess < 6; guess++) await wrong(ada.email)
    expect((await people.signIns.confirm((await people.pending(token!))!, codeAt(0))).kind).toBe('entered')
  })

  it('of codes that are guessed at once, five are looked at', async () => {
    await enrol(people, ada.of)
    const { token } = await signIn(people, ada.email)
    const pending = (await people.pending(token!))!
    const told = await Promise.all(Array.from({ length: 20 }, () => people.signIns.confirm(pending, '000000')))
    expect(told.filter(({ kind }) => kind === 'wrong')).toHaveLength(5)
  })

  it('a session that ended meanwhile is not confirmed', async () => {
    const { codeAt } = await enrol(people, ada.of)
    people.runtime.advance(60)
    const { token } = await signIn(people, ada.email)
    const pending = (await people.pending(token!))!
    await people.users.signOut(ada.user)
    expect(await people.signIns.confirm(pending, codeAt(0))).toEqual({ kind: 'over' })
  })
})

describe('proving again', () => {
  it('with the password makes a proof that is ten minutes good, and the old token is worth nothing', async () => {
    people.runtime.advance(600)
    const of = (await people.find(ada.token))!
    expect(isProved(of, people.runtime.now())).toBe(false)
    const { token } = (await people.signIns.prove(of, password)) as { token: string }
    expect(await people.find(ada.token)).toBe(undefined)
    const proved = (await people.find(token))!
    expect(proved).toMatchObject({ id: of.id, createdAt: of.createdAt })
    people.runtime.advance(599)
    expect(isProved(proved, people.runtime.now())).toBe(true)
    people.runtime.advance(1)
    expect(isProved(proved, people.runtime.now())).toBe(false)
  })

  it('is closed by five wrong proofs of the session, and the sign-in is not', async () => {
    const told = []
    for (let guess = 0; guess < 6; guess++) told.push((await people.signIns.prove(ada.of, 'not the right one')).kind)
    expect(told).toEqual([...Array(5).fill('wrong'), 'wait'])
    expect((await people.signIns.prove(ada.of, password)).kind).toBe('wait')
    expect((await signIn(people, ada.email)).kind).toBe('entered')
  })

  it('is not closed by strangers, who guess at the sign-in or name the session there', async () => {
    for (const typed of [ada.email, ada.of.id, ada.user.id]) {
      for (let guess = 0; guess < 6; guess++) await wrong(typed)
    }
    expect((await signIn(people, ada.email)).kind).toBe('wait')
    expect((await people.signIns.prove(ada.of, password)).kind).toBe('entered')
  })

  it('takes a code from who has no password, and nothing from who has neither', async () => {
    const { secret } = await enrol(people, ada.of)
    people.runtime.advance(60)
    await opened.test.sql`update dashboard_user set password_hash = null where id = ${ada.user.id}`
    const code = codeOf(secret, people.runtime.now().getTime())
    expect(await people.signIns.prove(ada.of, password)).toEqual({ kind: 'wrong' })
    const { token } = (await people.signIns.prove(ada.of, code)) as { token: string }
    await opened.test.sql`update dashboard_user set totp_sealed = null where id = ${ada.user.id}`
    expect(await people.signIns.prove((await people.find(token))!, code)).toEqual({ kind: 'wrong' })
  })
})
