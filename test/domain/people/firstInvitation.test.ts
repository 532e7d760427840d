/** The link that lets the first owner in: each start may tell it, and nothing keeps it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCompanies } from '../../../src/domain/people/company.ts'
import type { Uninvited } from '../../../src/domain/people/firstInvitation.ts'
import { acts, from, join, newAccount, openPeople, type People, password, peopleOn } from '../../support/people.ts'

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
const newEmail = () => `owner-${++names}@example.com`

type Ensured = { token: string; expiresAt: Date } | Uninvited
const tokenOf = (ensured: Ensured) => (typeof ensured === 'object' ? ensured.token : ensured)
const invite = async (email: string | null, by = people) => tokenOf(await by.firstInvitations.ensure(accountId, email))
const claim = (token: string, email = newEmail()) =>
  people.invitations.claim({ token, name: 'Ada Lovelace', password, email, ...from })
const open = async () => (await people.invitations.list(accountId)).map(({ email, role }) => ({ email, role }))

describe('an invitation of the first owner', () => {
  it('is one for all processes that start at once, and for each start after them', async () => {
    const email = newEmail()
    const processes = Array.from({ length: 12 }, () => peopleOn(opened.commit))
    const tokens = await Promise.all(processes.map((by) => invite(email, by)))
    expect(new Set(tokens).size).toBe(1)
    expect(await open()).toEqual([{ email, role: 'owner' }])
    people.runtime.advance(daySeconds - 1)
    expect(await invite(email)).toBe(tokens[0])
    expect(await acts(opened.commit, accountId)).toEqual(['first start: invitation.created'])
  })

  it('is renewed when its day is over, and the one before is not good again', async () => {
    const email = newEmail()
    const first = await invite(email)
    people.runtime.advance(daySeconds)
    const second = await invite(email)
    expect(second).not.toBe(first)
    expect(await claim(first)).toBe(undefined)
    expect(await people.invitations.look(second)).toMatchObject({ role: 'owner', email, user: null })
  })

  it.each([
    ['another address', () => invite(newEmail())],
    ['any address', () => invite(null)],
    ['another secret', (email: string) => invite(email, peopleOn(opened.commit, { secrets: ['b'.repeat(32)] }))],
  ])('ends when a start invites with %s', async (_, again) => {
    const email = newEmail()
    const first = await invite(email)
    const second = await again(email)
    expect(await people.invitations.look(first)).toBe(undefined)
    expect(await people.invitations.look(second)).toMatchObject({ role: 'owner' })
    expect(await open()).toHaveLength(1)
  })

  it('lets in its address alone, once, and is not needed after that', async () => {
    const email = newEmail()
    const token = await invite(email)
    const [came, again] = await Promise.all([claim(token, newEmail()), claim(token)])
    expect([came, again].filter(Boolean)).toHaveLength(1)
    expect(await people.users.require(email)).toMatchObject({ accountId, role: 'owner' })
    for (const wanted of [email, newEmail(), null]) expect(await invite(wanted)).toBe('not needed')
    expect(await open()).toEqual([])
  })

  it('ends as soon as another user joins, by a link or from the company', async () => {
    const first = await invite(newEmail())
    const { token } = await people.invitations.make({ accountId, role: 'viewer', email: null })
    await claim(token)
    expect(await people.invitations.look(first)).toBe(undefined)

    accountId = await newAccount(opened.test)
    const second = await invite(newEmail())
    const [{ name = '' } = {}] = await opened.test.sql`select name from account where id = ${accountId}`
    const companies = createCompanies({ commit: opened.commit, runtime: people.runtime, account: name })
    const identity = { issuer: 'i', subject: accountId, name: 'Eve', email: newEmail(), isEmailVerified: true }
    await companies.enter({ ...identity, role: 'viewer', provedAt: undefined }, from)
    expect(await claim(second)).toBe(undefined)
  })

  it('comes back when no user can sign in any more', async () => {
    const { user } = await join(opened.commit, people, { accountId, role: 'viewer' })
    expect(await invite(newEmail())).toBe('not needed')
    await people.users.disable(user)
    expect(await people.invitations.look(await invite(newEmail()))).toMatchObject({ role: 'owner' })
    // The user is here still: a second one cannot have the address.
    expect(await invite(user.email.toUpperCase())).toBe('email taken')
    expect(await open()).toEqual([])
  })
})
