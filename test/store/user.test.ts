/** Owners of an account, of whom one stays, also where two forget to wait for each other. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Tx } from '../../src/store/engine/session.ts'
import { disableUser, setRole, type UserKey } from '../../src/store/people/user.ts'
import { join, newAccount, openPeople, peopleOn } from '../support/people.ts'

let opened: Awaited<ReturnType<typeof openPeople>>
let owners: UserKey[]
beforeAll(async () => {
  opened = await openPeople()
})
beforeEach(async () => {
  const accountId = await newAccount(opened.test)
  const people = peopleOn(opened.commit)
  owners = [await join(opened.commit, people, { accountId }), await join(opened.commit, people, { accountId })].map(
    ({ user }) => user,
  )
})
afterAll(() => opened.close())

const at = new Date('2026-11-21T12:00:00Z')
const lower = (tx: Tx, key: UserKey) => setRole(tx, key, 'viewer')
const disable = (tx: Tx, key: UserKey) => disableUser(tx, key, at)

it.each([
  ['is lowered', 'lowered', lower, lower],
  ['is lowered', 'disabled', lower, disable],
  ['is disabled', 'lowered', disable, lower],
  ['is disabled', 'disabled', disable, disable],
])(
  'while an owner %s, the last other one is not %s, though nobody holds the account',
  async (_first, _second, one, other) => {
    const { commit, test } = opened
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = commit.transaction(async (tx) => {
      const isLowered = await one(tx, owners[0]!)
      begun.resolve()
      await over.promise
      return isLowered
    })
    await begun.promise
    const second = commit.transaction((tx) => other(tx, owners[1]!))
    let isDone = false
    void second.finally(() => {
      isDone = true
    })
    await expect.poll(async () => isDone || (await test.stuckAt('dashboard_user')).length > 0).toBe(true)
    over.resolve()
    expect([await first, await second]).toEqual([true, false])
  },
)
