import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/domain/access/actor.ts'
import { createCompanies } from '../../../src/domain/people/company.ts'
import { newToken } from '../../../src/domain/people/token.ts'
import {
  acts,
  codeOf,
  enrol,
  from,
  type Joined,
  join,
  newAccount,
  notTokens,
  openPeople,
  type People,
  password,
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
beforeEach(async () => {
  people = peopleOn(opened.commit)
  accountId = await newAccount(opened.test)
})

const daySeconds = 24 * 3600
let names = 0
const newEmail = () => `guest-${++names}@example.com`

function claim(token: string, email?: string, changes: object = {}) {
  return people.invitations.claim({
    token,
    name: 'Grace Hopper',
    password,
    ...(email && { email }),
    ...from,
    ...changes,
  })
}

it('a link is not looked for in the database by what is no token', async () => {
  const letGo = await opened.test.hold('invitation')
  const asked = notTokens.flatMap((text) => [people.invitations.look(text), claim(text, newEmail())])
  expect(await Promise.all(asked).finally(letGo)).toEqual(asked.map(() => undefined))
})

it('a crowd with made-up links leaves the database to others', async () => {
  const { email } = await join(opened.commit, people, { accountId })
  const letGo = await opened.test.hold('invitation')
  const asked = Array.from({ length: 50 }, () => people.invitations.look(newToken()))
  try {
    await expect.poll(() => opened.test.stuckAt('invitation')).not.toEqual([])
    expect((await signIn(people, email)).kind).toBe('entered')
    expect((await opened.test.stuckAt('invitation')).length).toBeLessThan(4)
  } finally {
    await letGo()
  }
  expect(await Promise.all(asked)).toEqual(asked.map(() => undefined))
})

const make = (email: string | null = null) => people.invitations.make({ accountId, role: 'developer', email })

describe('an invitation', () => {
  it('makes a user with its role, who is signed in at once', async () => {
    const { token } = await make()
    const email = newEmail()
    const claimed = await claim(token, email)
    expect(claimed).toMatchObject({ isPending: false })
    expect(await people.find(claimed!.token)).toMatchObject({
      accountId,
      email,
      name: 'Grace Hopper',
      role: 'developer',
    })
    expect((await signIn(people, email)).kind).toBe('entered')
  })

  it('is a token of 32 random bytes, of which no more than a hash is kept', async () => {
    const made = await make()
    expect(made.token).toMatch(/^[\w-]{43}$/)
    const kept = JSON.stringify([
      await opened.test.sql`select * from invitation`,
      await opened.test.sql`select * from audit`,
      await people.invitations.list(accountId),
    ])
    expect(kept).toContain(made.id)
    expect(kept).not.toContain(made.token)
  })

  it('works once', async () => {
    const { token } = await make()
    expect(await claim(token, newEmail())).toBeDefined()
    expect(await claim(token, newEmail())).toBe(undefined)
    expect(await people.invitations.look(token)).toBe(undefined)
  })

  it('is claimed by one of many at once', async () => {
    const { token } = await make()
    const told = await Promise.all(Array.from({ length: 8 }, () => claim(token, newEmail())))
    expect(told.filter((one) => one)).toHaveLength(1)
    expect(await people.users.list(accountId)).toHaveLength(1)
  })

  it('works for 24 hours', async () => {
    const [first, second] = [await make(), await make()]
    people.runtime.advance(daySeconds - 1)
    expect(await claim(first.token, newEmail())).toBeDefined()
    people.runtime.advance(1)
    expect(await people.invitations.look(second.token)).toBe(undefined)
    expect(await claim(second.token, newEmail())).toBe(undefined)
    expect(await people.invitations.list(accountId)).toEqual([])
  })

  it('says whom it is for and what it gives, before it is used', async () => {
    const email = newEmail()
    const { token } = await make(email)
    expect(await people.invitations.look(token)).toEqual({
      ...{ account: accountId, invitedBy: 'command line', role: 'developer', email, user: null },
    })
    expect(await people.invitations.look('another')).toBe(undefined)
  })

  it('with an address of mail is for that one alone', async () => {
    const email = newEmail()
    const { token } = await make(email)
    const claimed = await claim(token, newEmail())
    expect(await people.find(claimed!.token)).toMatchObject({ email })
  })

  it('is listed until it is used or ended, and no other account can end it', async () => {
    const first = await make()
    people.runtime.advance(1)
    const second = await make()
    const stranger = await join(opened.commit, people, { accountId: await newAccount(opened.test) })
    expect((await people.invitations.list(accountId)).map(({ id }) => id)).toEqual([second.id, first.id])
    const { invitations } = people.as(stranger.of)
    const gone = `There is no invitation ${first.id}.`
    expect(await refusal(invitations.end(stranger.user.accountId, first.id))).toBe(gone)
    await people.invitations.end(accountId, first.id)
    expect(await refusal(people.invitations.end(accountId, first.id))).toBe(gone)
    expect(await claim(first.token, newEmail())).toBe(undefined)
    expect(await people.invitations.list(accountId)).toHaveLength(1)
  })

  it.each([
    ['a name that is none', { name: '' }, "A person's name is one line"],
    ['an address that is none', { email: 'ada' }, 'An email address looks like ada@example.com.'],
    ['an address with what cannot be seen', { email: 'a\u200bda@example.com' }, 'An email address looks like'],
    ['a password that is too short', { password: 'short' }, 'A password needs at least 12 characters.'],
  ])('is good still after %s', async (_what, changes, said) => {
    const { token } = await make()
    expect(await refusal(claim(token, newEmail(), changes))).toContain(said)
    expect(await claim(token, newEmail())).toBeDefined()
  })

  it('costs who holds none no work', async () => {
    await claim('x'.repeat(43), newEmail())
    expect(people.work()).toBe(0)
  })
})

describe('an address of mail', () => {
  it('is of one person in the whole installation, whatever its case', async () => {
    const email = newEmail()
    await claim((await make()).token, email)
    accountId = await newAccount(opened.test)
    const { token } = await make(email.toUpperCase())
    const said = `A user with the address ${email.toUpperCase()} already exists.`
    expect(await refusal(claim(token))).toBe(said)
    const { token: open } = await make()
    expect(await refusal(claim(open, ` ${email} `))).toContain('A user with the address')
    expect(await claim(open, newEmail())).toBeDefined()
  })

  it('is given to one of many who claim it at once, in whatever account', async () => {
    const email = newEmail()
    const invited = []
    for (let made = 0; made < 6; made++) {
      accountId = await newAccount(opened.test)
      invited.push(await make())
    }
    const told = await Promise.all(invited.map(({ token }) => refusal(claim(token, email))))
    expect(told.filter((text) => text === 'was done')).toHaveLength(1)
    const rows = await opened.test.sql`select 1 from dashboard_user where email = ${email}`
    expect(rows).toHaveLength(1)
  })

  it('of somebody who is there is not invited; whether another account has it, nobody is told', async () => {
    const email = newEmail()
    await claim((await make()).token, email)
    expect(await refusal(make(email))).toBe(`${email} belongs to Grace Hopper, who is here already.`)
    accountId = await newAccount(opened.test)
    expect(await make(email)).toMatchObject({ email })
  })
})

describe('a link for a forgotten password', () => {
  it('sets it, signs in, and ends all sessions and wrong guesses of before', async () => {
    const { user, email, token } = await join(opened.commit, people, { accountId })
    for (let guess = 0; guess < 5; guess++) await signIn(people, email, `a wrong guess ${guess}`)
    const link = await people.invitations.makeForPassword(user)
    expect(await people.invitations.look(link.token)).toMatchObject({ user: 'Ada Lovelace', email })
    const claimed = await claim(link.token, undefined, { password: 'another one that is long' })
    expect(await people.find(token)).toBe(undefined)
    expect(await people.find(claimed!.token)).toMatchObject({ userId: user.id, name: 'Ada Lovelace' })
    expect((await signIn(people, email, 'another one that is long')).kind).toBe('entered')
    expect((await signIn(people, email)).kind).toBe('wrong')
    const told = await acts(opened.commit, accountId)
    expect(told).toEqual(
      expect.arrayContaining(['Ada Lovelace: user.password_set', 'command line: password_link.created']),
    )
  })

  it('does not get around the authenticator, of which it ends the wrong codes of before', async () => {
    const { user, email, of } = await join(opened.commit, people, { accountId })
    const { secret } = await enrol(people, of)
    const half = (await people.pending((await signIn(people, email)).token!))!
    for (let guess = 0; guess < 5; guess++) await people.signIns.confirm(half, '000000')
    const link = await people.invitations.makeForPassword(user)
    const claimed = await claim(link.token)
    expect(claimed).toMatchObject({ isPending: true })
    expect(await people.find(claimed!.token)).toBe(undefined)
    people.runtime.advance(30)
    const pending = (await people.pending(claimed!.token))!
    const code = codeOf(secret, people.runtime.now().getTime())
    expect(await people.signIns.confirm(pending, code)).toMatchObject({ kind: 'entered' })
  })

  it('ends those that were made before', async () => {
    const { user } = await join(opened.commit, people, { accountId })
    const [first, second] = [
      await people.invitations.makeForPassword(user),
      await people.invitations.makeForPassword(user),
    ]
    expect(await claim(first.token)).toBe(undefined)
    expect(await claim(second.token)).toBeDefined()
  })

  it('is used by one of many at once, while others are made', async () => {
    const { user } = await join(opened.commit, people, { accountId })
    const { token } = await people.invitations.makeForPassword(user)
    const told = await Promise.all([
      ...Array.from({ length: 6 }, () => claim(token)),
      ...Array.from({ length: 3 }, () => people.invitations.makeForPassword(user).then(() => undefined)),
    ])
    expect(told.filter((one) => one).length).toBeLessThanOrEqual(1)
    expect(await people.invitations.list(accountId)).toHaveLength(1)
  })

  it('is not made for who is disabled', async () => {
    await join(opened.commit, people, { accountId })
    const { user } = await join(opened.commit, people, { accountId, name: 'Grace' })
    await people.users.disable(user)
    expect(await refusal(people.invitations.makeForPassword(user))).toBe('Grace is disabled.')
  })
})

describe('a link that an owner has made', () => {
  const lowerings: [what: string, lower: (owner: Joined) => Promise<unknown>][] = [
    ['disabled', ({ user }) => people.users.disable(user)],
    ['given another role', ({ user }) => people.users.setRole(user, 'developer')],
    ['given another role by the company', ({ user }) => enterAs(user.id, 'developer')],
    [
      'disabled by a process of the version before',
      ({ user }) => opened.test.sql`update dashboard_user set disabled_at = now() where id = ${user.id}`,
    ],
  ]

  /** As somebody whom the company vouches for. */
  async function enterAs(id: string, role: Role) {
    await opened.test.sql`update dashboard_user set oidc_subject = ${`i ${id}`} where id = ${id}`
    const companies = createCompanies({ commit: opened.commit, runtime: people.runtime, account: accountId })
    const unnamed = { name: undefined, email: undefined, isEmailVerified: false, provedAt: undefined }
    return companies.enter({ issuer: 'i', subject: id, ...unnamed, role }, from)
  }

  it.each(lowerings)('ends when its maker is %s; those of others go on', async (_what, lower) => {
    const [first, second] = [
      await join(opened.commit, people, { accountId }),
      await join(opened.commit, people, { accountId }),
    ]
    const { invitations } = people.as(second.of)
    const ended = [
      await invitations.make({ accountId, role: 'owner', email: null }),
      await invitations.makeForPassword(first.user),
    ]
    await lower(second)
    const left = [await people.as(first.of).invitations.make({ accountId, role: 'viewer', email: null }), await make()]
    for (const { token } of ended) {
      expect(await people.invitations.look(token)).toBe(undefined)
      expect(await claim(token, newEmail())).toBe(undefined)
    }
    const open = (await people.invitations.list(accountId)).map(({ id }) => id)
    expect(open.toSorted()).toEqual(left.map(({ id }) => id).toSorted())
    for (const { token } of left) expect(await claim(token, newEmail())).toBeDefined()
    expect((await signIn(people, first.email)).kind).toBe('entered')
  })

  it('does not work again when its maker is enabled, and the audit tells how many ended', async () => {
    const [, second] = [
      await join(opened.commit, people, { accountId }),
      await join(opened.commit, people, { accountId }),
    ]
    const { token } = await people.as(second.of).invitations.make({ accountId, role: 'owner', email: null })
    await people.users.disable(second.user)
    await people.users.enable(second.user)
    expect(await claim(token, newEmail())).toBe(undefined)
    const [row] = await opened.test
      .sql`select detail from audit where act = 'user.disabled' and account_id = ${accountId}`
    expect(row).toEqual({ detail: { name: 'Ada Lovelace', linksEnded: 1 } })
  })

  it('is not used any more by one who comes as its maker is disabled', async () => {
    const { user, of } = await join(opened.commit, people, { accountId })
    const { token } = await people.as(of).invitations.make({ accountId, role: 'owner', email: null })
    const beside = await opened.test.sql.reserve()
    await beside`begin`
    await beside`select from account where id = ${accountId} for no key update`
    await beside`update dashboard_user set disabled_at = now() where id = ${user.id}`
    const coming = claim(token, newEmail())
    try {
      await expect.poll(() => opened.test.stuckAt('for no key update')).not.toEqual([])
    } finally {
      await beside`commit`
      beside.release()
    }
    expect(await coming).toBe(undefined)
  })
})
