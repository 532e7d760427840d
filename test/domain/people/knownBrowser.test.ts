/** Browsers in which somebody has signed in before, while others try to. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emailKey } from '../../../src/domain/people/email.ts'
import { createPasswords } from '../../../src/domain/people/password.ts'
import { createSignIns } from '../../../src/domain/people/signIn.ts'
import {
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

const calm = { take: async () => 0, giveBack: async () => {}, keep: () => {} }

let opened: Awaited<ReturnType<typeof openPeople>>
let people: People
let accountId: string
let ada: Joined
let browser: string
beforeAll(async () => {
  opened = await openPeople()
})
afterAll(() => opened.close())
beforeEach(async () => {
  people = peopleOn(opened.commit, { networks: calm })
  accountId = await newAccount(opened.test)
  ada = await join(opened.commit, people, { accountId })
  browser = (await people.browsers.remember(ada.user))!
})

const wrong = (email: string) => signIn(people, email, 'not the right one')

describe('a browser in which somebody has signed in before', () => {
  const known = async (email: string, text: string, browser: string | undefined) =>
    (await people.signIns.signIn({ email, password: text, ...from, browser })).kind

  it('lets its person in although others made the email and the whole network wait', async () => {
    people = peopleOn(opened.commit, { runtime: people.runtime })
    for (let guess = 0; guess < 21; guess++) await wrong(guess < 5 ? ada.email : `nobody-${guess}@example.com`)
    expect((await signIn(people, ada.email)).kind).toBe('wait')
    expect(await known(ada.email, password, browser)).toBe('entered')
    expect((await signIn(people, ada.email, password, '203.0.113.8')).kind).toBe('wait')
  })

  it('has a place for its password beside those who are signed in, however many strangers there are', async () => {
    const open: (() => void)[] = []
    const passwords = createPasswords(() => new Promise((resolve) => void open.push(() => resolve(Buffer.alloc(32)))))
    const { runtime, authenticators, browsers } = people
    const busy = createSignIns({
      ...{ commit: opened.commit, runtime, authenticators, browsers, networks: calm, passwords },
    })
    const come = async (email: string, kept?: string) =>
      busy.signIn({ email, password, ...from, browser: kept }).then(
        ({ kind }) => kind,
        (error: { code: string }) => error.code,
      )
    const told: string[] = []
    const crowd = Array.from({ length: 500 }, (_, at) =>
      come(`crowd-${at}@example.com`).then((kind) => told.push(kind)),
    )
    await expect.poll(() => told.length).toBe(58)
    expect(await come(ada.email)).toBe('service_unavailable')
    const waits = come(ada.email, browser)
    await expect.poll(() => opened.test.sql`select 1 from sign_in where email_hash like 'brw_%'`).toHaveLength(1)
    const ends = setInterval(() => open.splice(0).map((finish) => finish()), 5)
    expect(await waits).toBe('wrong')
    // Of 442 that were there before.
    expect(told.length).toBeLessThan(58 + 200)
    await Promise.all(crowd)
    clearInterval(ends)
  })

  it('makes its own five wrong ones wait, at once or one by one, and no one else', async () => {
    const told = await Promise.all(Array.from({ length: 20 }, () => known(ada.email, 'not the right one', browser)))
    expect(told.filter((kind) => kind === 'wrong')).toHaveLength(5)
    expect(await known(ada.email, password, browser)).toBe('wait')
    expect((await signIn(people, ada.email)).kind).toBe('entered')
  })

  it.each<[string, () => unknown]>([
    [
      'the password was changed',
      () => people.as(ada.of).users.changePassword(ada.of, 'another horse, another battery'),
    ],
    [
      'the user was disabled',
      async () => {
        await join(opened.commit, people, { accountId })
        await people.users.disable(ada.user)
      },
    ],
    ['90 days have gone by', () => people.runtime.advance(90 * 24 * 3600)],
    [
      'the secret of the service is another one',
      () => {
        people = peopleOn(opened.commit, {
          runtime: people.runtime,
          networks: calm,
          secrets: ['another secret for tests, just as long'],
        })
      },
    ],
  ])('is like any other once %s', async (_what, change) => {
    expect(await people.browsers.recognise(browser, emailKey(ada.email))).toMatch(/^brw_/)
    await change()
    expect(await people.browsers.recognise(browser, emailKey(ada.email))).toBe(undefined)
  })

  it('is known for that one person alone, and by nothing that somebody made up', async () => {
    const other = await join(opened.commit, people, { accountId })
    const { recognise } = people.browsers
    expect(await recognise(browser, emailKey(other.email))).toBe(undefined)
    const changed = `${browser.slice(0, -4)}${browser.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    for (const made of [changed, '', 'x', 'A'.repeat(4000), undefined]) {
      expect(await recognise(made, emailKey(ada.email))).toBe(undefined)
    }
  })
})
