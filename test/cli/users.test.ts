/** People of the dashboard, as an operator sees to them. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonOf, moment, refusalOf, run } from '../support/cli.ts'
import { password } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const from = { address: '127.0.0.1', agent: 'a test' }

function users(...args: string[]) {
  const environment = { DATABASE_URL: server.database!.settings.url, DASHBOARD_URL: 'https://dashboard.example.com' }
  return run(environment, ['users', ...args])
}

const tokenOf = (link: string) => /^https:\/\/dashboard\.example\.com\/invitation#([\w-]{43})$/.exec(link)?.[1] ?? ''

it('are invited with a link that works, listed, disabled and enabled', async () => {
  const invited = jsonOf<{ link: string }>(await users('invite', '--role', 'owner', '--json'))
  expect(invited).toEqual({
    id: expect.stringMatching(/^inv_/),
    role: 'owner',
    link: expect.any(String),
    expires_at: moment,
  })
  // The command goes by the time of the database, the server under test by its own.
  server.runtime.advance((Date.now() - server.runtime.now().getTime()) / 1000)
  const token = tokenOf(invited.link)
  const claim = { token, name: 'Ada', email: 'ada@example.com', password, ...from }
  expect(await server.app.invitations.claim(claim)).toBeDefined()

  const [{ text }, list] = await Promise.all([
    users('invite', '--role', 'viewer', '--email', 'grace@example.com').then(({ stdout }) => ({ text: stdout })),
    users('list', '--json'),
  ])
  expect(text).toMatch(/^https:\/\/dashboard\.example\.com\/invitation#[\w-]{43}\n\nIt is not shown again\./)
  expect(text).toMatch(/Z\. It makes only grace@example\.com a viewer of the account default\.\n$/)
  expect(jsonOf(list)).toEqual([
    {
      ...{ account: 'default', email: 'ada@example.com', name: 'Ada', role: 'owner', authenticator: false },
      ...{ created_at: moment, signed_in_at: moment, disabled_at: null },
    },
  ])
  expect(refusalOf(await users('disable', 'ada@example.com'))).toContain('Ada is the last owner who can sign in.')
  const second = await server.app.invitations.make({ accountId: 'acct_default', role: 'viewer', email: null })
  await server.app.invitations.claim({ ...claim, token: second.token, name: 'Grace', email: 'grace@example.com' })
  expect(jsonOf(await users('disable', 'GRACE@example.com', '--json'))).toMatchObject({ disabled: true })
  expect(jsonOf(await users('enable', 'grace@example.com', '--json'))).toMatchObject({ disabled: false })
  const reset = jsonOf<{ link: string }>(await users('reset', 'grace@example.com', '--json'))
  expect(await server.app.invitations.look(tokenOf(reset.link))).toMatchObject({ user: 'Grace' })
}, 60_000)

it('keep their authenticator, if no link is made in place of it', async () => {
  const { token } = await server.app.invitations.make({ accountId: 'acct_default', role: 'viewer', email: null })
  const email = 'mary@example.com'
  await server.app.invitations.claim({ token, name: 'Mary', email, password, ...from })
  expect(refusalOf(await users('reset', email, '--authenticator'))).toBe('Mary has no authenticator.')
  await server.query(sql`update dashboard_user set totp_sealed = '\\x00', disabled_at = now() where email = ${email}`)
  expect(refusalOf(await users('reset', email, '--authenticator'))).toBe('Mary is disabled.')
  const kept = async () => (await server.app.users.listAll()).find((one) => one.email === email)?.hasAuthenticator
  expect(await kept()).toBe(true)
  await users('enable', email)
  expect(jsonOf(await users('reset', email, '--authenticator', '--json'))).toMatchObject({ role: 'viewer' })
  expect(await kept()).toBe(false)
}, 60_000)

it('that there are not, are refused', async () => {
  for (const act of ['disable', 'enable', 'reset']) {
    expect(refusalOf(await users(act, 'nobody@example.com'))).toBe('There is no user nobody@example.com.')
  }
}, 60_000)
