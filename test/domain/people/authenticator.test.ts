import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  acts,
  codeOf,
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

const [older, newer] = ['an older secret, of enough characters', 'a newer secret, of enough characters']
const calm = { take: async () => 0, giveBack: async () => {}, keep: () => {} }

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

/** Signs in with the password and a code. */
async function enter(code: string, by = people) {
  const { token } = await signIn(by, ada.email)
  const pending = await by.pending(token!)
  return pending ? (await by.signIns.confirm(pending, code)).kind : 'not asked for a code'
}

describe('setting up an authenticator', () => {
  it('shows its secret once, and asks for the code from then on', async () => {
    const { uri, secret, sealed } = await people.authenticators.begin(ada.of)
    const url = new URL(uri)
    expect(`${url.protocol}//${url.host}${decodeURIComponent(url.pathname)}`).toBe(
      `otpauth://totp/Watchword:${ada.email}`,
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ issuer: 'Watchword', secret, algorithm: 'SHA1', digits: '6', period: '30' },
    })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect((await signIn(people, ada.email)).answer).toMatchObject({ isPending: false })
    const codes = await people.authenticators.confirm(ada.of, sealed, codeOf(secret, people.runtime.now().getTime()))
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect((await signIn(people, ada.email)).answer).toMatchObject({ isPending: true })
    const kept = JSON.stringify(
      await opened.test.sql`select *, encode(totp_sealed, 'escape') as sealed from dashboard_user`,
    )
    expect(kept).not.toContain(secret)
    for (const code of codes!) expect(kept).not.toContain(code)
  })

  it('is not done with a wrong code, for somebody else, or after ten minutes', async () => {
    const other = await join(opened.commit, people, { accountId })
    const { secret, sealed } = await people.authenticators.begin(ada.of)
    const codeNow = () => codeOf(secret, people.runtime.now().getTime())
    const over = 'This picture has expired. Start again with a new one.'
    for (const code of ['', '000', 'abcdef', codeOf(secret, people.runtime.now().getTime() + 90_000)]) {
      expect(await people.authenticators.confirm(ada.of, sealed, code)).toBe(undefined)
    }
    expect(await refusal(people.authenticators.confirm(other.of, sealed, codeNow()))).toBe(over)
    expect(await refusal(people.authenticators.confirm(ada.of, 'made up', codeNow()))).toBe(over)
    people.runtime.advance(600)
    const { token } = await signIn(people, ada.email)
    const of = (await people.find(token!))!
    expect(await refusal(people.authenticators.confirm(of, sealed, codeNow()))).toBe(over)
    expect((await people.find(token!))!.hasAuthenticator).toBe(false)
  })

  it('is done once', async () => {
    const both = await Promise.all([people.authenticators.begin(ada.of), people.authenticators.begin(ada.of)])
    const told = await Promise.all(
      both.map(({ secret, sealed }) =>
        refusal(people.authenticators.confirm(ada.of, sealed, codeOf(secret, people.runtime.now().getTime()))),
      ),
    )
    expect(told.toSorted()).toEqual(['There is an authenticator already.', 'was done'])
  })

  it('is not done for who was disabled meanwhile', async () => {
    await join(opened.commit, people, { accountId })
    const { secret, sealed } = await people.authenticators.begin(ada.of)
    await people.users.disable(ada.user)
    const asked = people.authenticators.confirm(ada.of, sealed, codeOf(secret, people.runtime.now().getTime()))
    expect(await refusal(asked)).toBe(`There is no user ${ada.user.id}.`)
  })

  it('and taking it off, ask for a proof of the last ten minutes', async () => {
    people.runtime.advance(600)
    const { authenticators } = people
    const said = 'Show again that it is you, then try again.'
    await expect(authenticators.begin(ada.of)).rejects.toThrow(said)
    for (const asked of [
      authenticators.confirm(ada.of, '', ''),
      authenticators.remove(ada.of),
      authenticators.renewCodes(ada.of),
    ]) {
      expect(await refusal(asked)).toBe(said)
    }
  })
})

describe('a code of the authenticator', () => {
  it('is good in its half minute, and in those before and after', async () => {
    const { codeAt } = await enrol(people, ada.of)
    people.runtime.advance(300)
    expect(await enter(codeAt(-60))).toBe('wrong')
    expect(await enter(codeAt(60))).toBe('wrong')
    expect(await enter(codeAt(-30))).toBe('entered')
    expect(await enter(codeAt(0))).toBe('entered')
    expect(await enter(codeAt(30))).toBe('entered')
  })

  it('works once, and none that is older works after it', async () => {
    const { codeAt } = await enrol(people, ada.of)
    expect(await enter(codeAt(0))).toBe('wrong')
    people.runtime.advance(300)
    expect(await enter(codeAt(0))).toBe('entered')
    expect(await enter(codeAt(0))).toBe('wrong')
    expect(await enter(codeAt(-30))).toBe('wrong')
  })

  it('lets in one of many who have it at once', async () => {
    const { codeAt } = await enrol(people, ada.of)
    people.runtime.advance(300)
    const signedIn = await Promise.all(Array.from({ length: 4 }, () => signIn(people, ada.email)))
    const told = await Promise.all(
      signedIn.map(
        async ({ token }) => (await people.signIns.confirm((await people.pending(token!))!, codeAt(0))).kind,
      ),
    )
    expect(told.toSorted()).toEqual(['entered', 'wrong', 'wrong', 'wrong'])
  })

  it('is of one user alone', async () => {
    const other = await join(opened.commit, people, { accountId })
    await enrol(people, ada.of)
    const { codeAt } = await enrol(people, other.of)
    people.runtime.advance(300)
    expect(await enter(codeAt(0))).toBe('wrong')
  })
})

describe('a recovery code', () => {
  it('has 24 letters of five random bits each: so many that a plain hash is enough', async () => {
    const { recovery } = await enrol(people, ada.of)
    for (const code of recovery) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/)
  })

  it('lets in once, however it is written, and says how many are left', async () => {
    const { recovery } = await enrol(people, ada.of)
    const [first, second] = recovery as [string, string]
    expect(await enter(first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l'))).toBe(
      'entered',
    )
    expect(await enter(first)).toBe('wrong')
    expect(await enter(second)).toBe('entered')
    const rows = await opened.test.sql`
      select detail from audit where account_id = ${accountId} and act = 'recovery_code.used' order by detail`
    expect(rows).toEqual([{ detail: { left: 8 } }, { detail: { left: 9 } }])
  })

  it('lets in one of many who have it at once', async () => {
    const { recovery } = await enrol(people, ada.of)
    const signedIn = await Promise.all(Array.from({ length: 4 }, () => signIn(people, ada.email)))
    const told = await Promise.all(
      signedIn.map(
        async ({ token }) => (await people.signIns.confirm((await people.pending(token!))!, recovery[0]!)).kind,
      ),
    )
    expect(told.toSorted()).toEqual(['entered', 'wrong', 'wrong', 'wrong'])
  })

  it('is worth nothing when there are new ones', async () => {
    const { recovery } = await enrol(people, ada.of)
    const anew = await people.authenticators.renewCodes(ada.of)
    expect(await enter(recovery[0]!)).toBe('wrong')
    expect(await enter(anew[0]!)).toBe('entered')
  })
})

describe('taking an authenticator off', () => {
  it('has the password alone asked for, and its codes are worth nothing', async () => {
    const { recovery } = await enrol(people, ada.of)
    const { token } = await signIn(people, ada.email)
    const pending = (await people.pending(token!))!
    await people.authenticators.remove(ada.of)
    expect((await people.signIns.confirm(pending, recovery[0]!)).kind).toBe('wrong')
    expect((await signIn(people, ada.email)).answer).toMatchObject({ isPending: false })
    expect(await refusal(people.authenticators.remove(ada.of))).toBe('There is no authenticator.')
    expect(await acts(opened.commit, accountId)).toContain('Ada Lovelace: authenticator.removed')
  })

  it('is done by an owner for who has lost it', async () => {
    const grace = await join(opened.commit, people, { accountId, role: 'viewer', name: 'Grace' })
    await enrol(people, grace.of)
    const { users } = people.as(ada.of)
    await users.removeAuthenticator(grace.user)
    expect((await signIn(people, grace.email)).answer).toMatchObject({ isPending: false })
    expect(await refusal(users.removeAuthenticator(grace.user))).toBe('Grace has no authenticator.')
  })
})

describe('the secret of the service', () => {
  it('seals anew what an older one has sealed; where it is lost, recovery codes let in', async () => {
    const with_ = (...secrets: string[]) =>
      peopleOn(opened.commit, { secrets, networks: calm, runtime: people.runtime })
    const before = with_(older)
    const { secret, recovery } = await enrol(before, ada.of)
    people.runtime.advance(300)
    const code = () => codeOf(secret, people.runtime.now().getTime())
    expect(await enter(code(), with_(newer))).toBe('wrong')
    expect(await enter(recovery[0]!, with_(newer))).toBe('entered')
    const unreadable = (await with_(newer).authenticators.reseal()).unreadable
    expect(unreadable).toContainEqual({ accountId, id: ada.user.id })
    expect((await with_(newer, older).authenticators.reseal()).resealed).toBe(1)
    expect(await enter(code(), with_(newer))).toBe('entered')
    expect((await with_(newer).authenticators.reseal()).unreadable).not.toContainEqual({ accountId, id: ada.user.id })
  })
})

it('nothing of it is in the log or the audit', async () => {
  const { secret, recovery, codeAt } = await enrol(people, ada.of)
  await enter(codeAt(0))
  await enter(recovery[0]!)
  const told = JSON.stringify([await opened.test.sql`select * from audit`, people.runtime.lines])
  for (const text of [secret, password, ...recovery]) expect(told).not.toContain(text)
})
