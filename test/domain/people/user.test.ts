import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Users } from '../../../src/domain/people/user.ts'
import {
  acts,
  enrol,
  type Joined,
  join,
  newAccount,
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
let owner: Joined
beforeAll(async () => {
  opened = await openPeople()
})
afterAll(() => opened.close())
beforeEach(async () => {
  people = peopleOn(opened.commit)
  accountId = await newAccount(opened.test)
  owner = await join(opened.commit, people, { accountId })
})

const hasOwner = async () => {
  const found = await people.users.list(accountId)
  return found.filter(({ role, disabledAt }) => role === 'owner' && !disabledAt).length
}

describe('the last owner who can sign in', () => {
  it('is neither disabled nor given another role', async () => {
    const { users } = people.as(owner.of)
    const said = 'Ada Lovelace is the last owner who can sign in. Make another user an owner first.'
    expect(await refusal(users.disable(owner.user))).toBe(said)
    for (const role of ['developer', 'viewer'] as const) {
      expect(await refusal(users.setRole(owner.user, role))).toBe(said)
    }
    expect(await refusal(people.users.disable(owner.user))).toBe(said)
    await users.setRole(owner.user, 'owner')
    const { user: second } = await join(opened.commit, people, { accountId })
    await users.disable(second)
    expect(await refusal(users.disable(owner.user))).toBe(said)
    await users.setRole(second, 'viewer')
    await users.enable(second)
    expect(await refusal(users.disable(owner.user))).toBe(said)
    expect(await people.find(owner.token)).toBeDefined()
  })

  it('stays one, whatever owners do to each other at once', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => join(opened.commit, people, { accountId })))
    const all = [owner, ...others]
    const told = await Promise.all(
      all.flatMap((one, index) => {
        const { users } = people.as(one.of)
        const { user } = all[(index + 1) % all.length]!
        return [refusal(users.disable(user)), refusal(users.setRole(user, 'viewer'))]
      }),
    )
    expect(await hasOwner()).toBeGreaterThanOrEqual(1)
    const refused = /^was done$|is the last owner|^Your role was changed a moment ago/
    expect(told.filter((text) => !refused.test(text))).toEqual([])
  })

  it('stays one, whatever the operator does to all of them at once', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => join(opened.commit, people, { accountId })))
    const told = await Promise.all(
      [owner, ...others].flatMap(({ user }) => [
        refusal(people.users.disable(user)),
        refusal(people.users.setRole(user, 'viewer')),
      ]),
    )
    expect(await hasOwner()).toBe(1)
    expect(told.filter((text) => /is the last owner/.test(text)).length).toBeGreaterThanOrEqual(1)
  })

  it('of another account does not count', async () => {
    await join(opened.commit, people, { accountId: await newAccount(opened.test) })
    expect(await refusal(people.users.disable(owner.user))).toContain('is the last owner')
  })
})

describe('a user who is disabled', () => {
  it('is signed out at once, cannot come in, and comes in again when enabled, with a new session', async () => {
    const { user, email, token } = await join(opened.commit, people, { accountId, role: 'developer' })
    const { users } = people.as(owner.of)
    await users.disable(user)
    expect(await people.find(token)).toBe(undefined)
    expect((await signIn(people, email)).kind).toBe('wrong')
    await users.enable(user)
    expect(await people.find(token)).toBe(undefined)
    expect((await signIn(people, email)).kind).toBe('entered')
  })

  it('has no link any more that sets the password', async () => {
    const { user } = await join(opened.commit, people, { accountId, role: 'developer' })
    const { token } = await people.invitations.makeForPassword(user)
    await people.users.disable(user)
    await people.users.enable(user)
    expect(await people.invitations.look(token)).toBe(undefined)
  })
})

describe('who has been disabled, or has a lower role, since the request came', () => {
  const lowered = 'Your role was changed a moment ago, or you were disabled. Load the page again.'
  const changes: [what: string, change: (of: Joined) => Promise<void>][] = [
    ['disabled', ({ user }) => people.users.disable(user)],
    ['made a developer', ({ user }) => people.users.setRole(user, 'developer')],
  ]

  it.each(changes)('does nothing more: one who was %s', async (_what, change) => {
    const second = await join(opened.commit, people, { accountId })
    const { user } = await join(opened.commit, people, { accountId, role: 'viewer' })
    const { users, invitations } = people.as(second.of)
    await change(second)
    const before = await acts(opened.commit, accountId)
    const asked = [
      ...[users.disable(user), users.enable(user), users.signOut(user), users.setRole(user, 'owner')],
      ...[users.setRole(second.user, 'owner'), users.enable(second.user), users.signOutAll(accountId)],
      ...[invitations.make({ accountId, role: 'owner', email: null }), invitations.makeForPassword(owner.user)],
      users.rename(second.of, 'Somebody'),
    ]
    expect(await Promise.all(asked.map(refusal))).toEqual(asked.map(() => lowered))
    expect(await acts(opened.commit, accountId)).toEqual(before)
  })

  it.each(changes)('leaves no link, however close it comes: one who was %s', async (_what, change) => {
    for (let round = 0; round < 20; round++) {
      const second = await join(opened.commit, people, { accountId })
      const { invitations } = people.as(second.of)
      const made = await Promise.all([
        ...Array.from({ length: 3 }, () => refusal(invitations.make({ accountId, role: 'owner', email: null }))),
        refusal(change(second)),
      ])
      expect(made.at(-1)).toBe('was done')
      expect(await people.invitations.list(accountId)).toEqual([])
    }
  })
})

describe('signing somebody out', () => {
  it('ends all sessions of that user, and of nobody else', async () => {
    const { user, email, token } = await join(opened.commit, people, { accountId, role: 'viewer' })
    const { token: second } = await signIn(people, email)
    await people.as(owner.of).users.signOut(user)
    expect([await people.find(token), await people.find(second!)]).toEqual([undefined, undefined])
    expect(await people.find(owner.token)).toBeDefined()
    expect((await signIn(people, email)).kind).toBe('entered')
  })

  it('of all ends every session of the account, and none of another one', async () => {
    const elsewhere = await join(opened.commit, people, { accountId: await newAccount(opened.test) })
    const { token } = await join(opened.commit, people, { accountId, role: 'viewer' })
    expect(await people.as(owner.of).users.signOutAll(accountId)).toBe(2)
    expect([await people.find(token), await people.find(owner.token)]).toEqual([undefined, undefined])
    expect(await people.find(elsewhere.token)).toBeDefined()
  })
})

describe('a change of the password', () => {
  const next = 'another one that is long'

  it('ends every other session, and gives this one another token', async () => {
    const { token: other } = await signIn(people, owner.email)
    const token = await people.as(owner.of).users.changePassword(owner.of, next)
    expect([await people.find(owner.token), await people.find(other!)]).toEqual([undefined, undefined])
    expect(await people.find(token)).toMatchObject({ id: owner.of.id })
    expect([(await signIn(people, owner.email)).kind, (await signIn(people, owner.email, next)).kind]).toEqual([
      'wrong',
      'entered',
    ])
  })

  it('asks for a proof of the last ten minutes', async () => {
    people.runtime.advance(600)
    const { users } = people.as(owner.of)
    expect(await refusal(users.changePassword(owner.of, next))).toBe('Show again that it is you, then try again.')
    const proved = await people.signIns.prove(owner.of, password)
    const again = (await people.find((proved as { token: string }).token))!
    expect(await refusal(users.changePassword(again, 'too short'))).toContain('12 characters')
    expect(await people.find(await users.changePassword(again, next))).toBeDefined()
  })

  it('is of no use to who holds a token that was replaced', async () => {
    await people.signIns.prove(owner.of, password)
    const asked = people.as(owner.of).users.changePassword(owner.of, next)
    expect(await refusal(asked)).toBe('You were signed out. Sign in, then try again.')
    expect((await signIn(people, owner.email)).kind).toBe('entered')
  })
})

describe('who is not an owner', () => {
  it.each(['viewer', 'developer'] as const)('can do nothing to people: %s', async (role) => {
    const { of } = await join(opened.commit, people, { accountId, role })
    const { users, invitations } = people.as(of)
    const key = owner.user
    const asked = [
      ...[users.list(accountId), users.listAll(), users.require(owner.email), users.setRole(of.actor, 'owner')],
      ...[
        users.disable(key),
        users.enable(key),
        users.signOut(key),
        users.removeAuthenticator(key),
        users.signOutAll(accountId),
      ],
      ...[invitations.make({ accountId, role: 'viewer', email: null }), invitations.makeForPassword(key)],
      ...[invitations.list(accountId), invitations.end(accountId, 'inv_0')],
    ]
    const told = await Promise.all(asked.map(refusal))
    expect(told).toEqual(asked.map(() => 'This needs the role owner. Ask an owner of the account for it.'))
  })
})

describe('users of another account', () => {
  it('are missing, in the words for what was never there', async () => {
    const elsewhere = await newAccount(opened.test)
    const stranger = await join(opened.commit, people, { accountId: elsewhere })
    const { users, invitations } = people.as(owner.of)
    const tries: ((key: { accountId: string; id: string }) => Promise<unknown>)[] = [
      ...[users.disable, users.enable, users.signOut, users.removeAuthenticator, invitations.makeForPassword],
      (key) => users.setRole(key, 'viewer'),
    ]
    for (const ask of tries) {
      for (const id of [stranger.user.id, 'usr_0']) {
        expect(await refusal(ask({ accountId: elsewhere, id }))).toBe(`There is no user ${id}.`)
        expect(await refusal(ask({ accountId, id }))).toBe(`There is no user ${id}.`)
      }
    }
    const unknown = await refusal(users.require('nobody@example.com'))
    expect(await refusal(users.require(stranger.email))).toBe(unknown.replace('nobody@example.com', stranger.email))
    expect((await users.listAll()).map(({ accountId }) => accountId)).toEqual([accountId])
  })
})

describe('what is done to people', () => {
  it('is written down with who did it, and holds nothing secret', async () => {
    const { user, of } = await join(opened.commit, people, { accountId, role: 'developer', name: 'Grace' })
    const { recovery } = await enrol(people, of)
    const { users } = people.as(owner.of)
    await users.setRole(user, 'viewer')
    await users.removeAuthenticator(user)
    await users.signOut(user)
    await users.disable(user)
    await users.enable(user)
    await users.rename(owner.of, 'Countess')
    await users.changePassword(owner.of, 'another one that is long')
    expect(await acts(opened.commit, accountId)).toEqual([
      'Ada Lovelace: authenticator.removed',
      'Ada Lovelace: user.disabled',
      'Ada Lovelace: user.enabled',
      'Ada Lovelace: user.joined',
      'Ada Lovelace: user.password_changed',
      'Ada Lovelace: user.renamed',
      'Ada Lovelace: user.role_changed',
      'Ada Lovelace: user.signed_out',
      'Grace: authenticator.added',
      'Grace: user.joined',
      'command line: invitation.created',
      'command line: invitation.created',
    ])
    const rows = JSON.stringify(await opened.test.sql`select * from audit`)
    for (const secret of [password, owner.token, ...recovery]) expect(rows).not.toContain(secret)
  })

  it('is not written down when it is refused', async () => {
    const before = await acts(opened.commit, accountId)
    await refusal(people.users.disable(owner.user))
    expect(await acts(opened.commit, accountId)).toEqual(before)
  })

  it('shows nothing of what they prove themselves with', async () => {
    await enrol(people, owner.of)
    const listed: Awaited<ReturnType<Users['list']>> = await people.users.list(accountId)
    expect(listed).toEqual([
      {
        ...{ accountId, id: owner.user.id, name: 'Ada Lovelace', email: owner.email, role: 'owner' },
        ...{ hasPassword: true, hasAuthenticator: true, createdAt: owner.user.createdAt },
        ...{ signedInAt: owner.user.signedInAt, disabledAt: null },
      },
    ])
  })
})
