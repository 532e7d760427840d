/** People of one account leave the database to the others, whatever they ask of their dashboard. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { execute } from '../../support/statement.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let greedy: Visitor
let quiet: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  greedy = await signIn(server, 'owner')
  await server.app.accounts.create('quiet')
  quiet = await signIn(server, 'owner', { account: 'quiet' })
})
afterAll(() => server.close())

const make = { name: 'one of many', mode: 'test', scope: 'verify:write', days: '' }

it('A hundred acts at once in one account leave connections for other accounts, and for codes', async () => {
  const acts = await server.commit.transaction(async (tx) => {
    // Each act of a person waits for the account, and holds a connection meanwhile.
    await execute(tx, sql`select 1 from account where id = 'acct_default' for update`)
    const acts = Array.from({ length: 100 }, () => greedy.post('/keys', make))
    await expect.poll(() => server.database!.stuckAt('account')).not.toEqual([])
    expect((await quiet.get('/keys')).status).toBe(200)
    const other = server.as(await server.key({ account: 'quiet', mode: 'live' }))
    await other.send(newPhone())
    expect(await server.database!.stuckAt('account')).toHaveLength(4)
    // In an object: a transaction that gives a promise back would wait for it.
    return { done: Promise.all(acts) }
  })
  // Some may have waited too long for their place.
  expect([200, 503]).toEqual(expect.arrayContaining((await acts.done).map(({ status }) => status)))
})

it('Who was signed out while a page waited for its place is not shown it', async () => {
  const leaver = await signIn(server, 'developer')
  const pages = await server.commit.transaction(async (tx) => {
    await execute(tx, sql`select 1 from account where id = 'acct_default' for update`)
    const acts = Array.from({ length: 4 }, () => greedy.post('/keys', make))
    await expect.poll(() => server.database!.stuckAt('account')).toHaveLength(4)
    const page = leaver.get('/keys')
    // Who it is, was looked up by the time that a page which was asked for later is there.
    expect((await quiet.get('/keys')).status).toBe(200)
    await server.query(sql`delete from dashboard_session where user_id = ${leaver.userId}`)
    return { page, done: Promise.all(acts) }
  })
  await pages.done
  const { status, headers } = await pages.page
  expect([status, headers.get('location')]).toEqual([303, '/sign-in?next=%2Fkeys'])
})
