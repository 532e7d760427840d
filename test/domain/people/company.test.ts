/** People who come by their company, while somebody here changes them too. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCompanies } from '../../../src/domain/people/company.ts'
import { from, join, newAccount, openPeople, peopleOn, refusal } from '../../support/people.ts'

let opened: Awaited<ReturnType<typeof openPeople>>
beforeAll(async () => {
  opened = await openPeople()
})
afterAll(() => opened.close())

it.each(['disabled', 'made a viewer'] as const)(
  'an owner of another account than OIDC_ACCOUNT keeps the role while the only other owner is %s',
  async (what) => {
    const { commit, test } = opened
    const people = peopleOn(commit)
    const [accountId, into] = [await newAccount(test), await newAccount(test)]
    const companies = createCompanies({ commit, runtime: people.runtime, account: into })
    const [ada, bob] = [await join(commit, people, { accountId }), await join(commit, people, { accountId })]
    await test.sql`update dashboard_user set oidc_subject = 'i bob' where id = ${bob.user.id}`
    const named = { issuer: 'i', subject: 'bob', name: 'Bob', email: bob.email, isEmailVerified: true }
    for (let round = 0; round < 40; round++) {
      await Promise.all([
        companies.enter({ ...named, provedAt: undefined, role: 'viewer' }, from),
        refusal(what === 'disabled' ? people.users.disable(ada.user) : people.users.setRole(ada.user, 'viewer')),
      ])
      const users = await people.users.list(accountId)
      const owners = users.filter(({ role, disabledAt }) => role === 'owner' && !disabledAt)
      expect([round, owners.length]).toEqual([round, 1])
      await test.sql`update dashboard_user set role = 'owner', disabled_at = null where account_id = ${accountId}`
    }
  },
)
