/** What people at the dashboard share with the callers of the API. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { newUlid } from '../../../src/kit/runtime.ts'
import { type OidcProvider, startOidcProvider } from '../../support/oidcProvider.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { execute } from '../../support/statement.ts'
import { signIn, visitorWith } from '../../support/visitor.ts'
import { type Beside, createBeside, isTooMuch, open, row } from './beside.ts'

let server: TestServer
let company: OidcProvider
let beside: Beside
beforeAll(async () => {
  company = await startOidcProvider()
  const oidc = {
    ...{ issuer: company.issuer, clientId: 'watchword', clientSecret: 'a client secret', account: 'default' },
    ...{ roleClaim: 'groups', roles: new Map([['staff', 'viewer' as const]]) },
  }
  server = await startServer({ config: { dashboardPort: 0, dashboardProxies: 1, oidc } })
  beside = await createBeside(server)
})
afterAll(async () => {
  await beside?.close()
  await company?.close()
})

// What was taken before is there again.
beforeEach(() => server.runtime.advance(60))

/** A browser in a network of its own. */
const from = (network: number) => ({
  'X-Forwarded-For': `198.${network >> 8}.${network & 255}.7`,
  'Sec-Fetch-Site': 'same-origin',
})

row(
  'connections to the database, for the dashboard',
  'another account sends beside one whose people have all its connections to the database',
  async () => {
    const { name, id } = await beside.newAccount()
    const owner = await signIn(server, 'owner', { account: name })
    const send = await beside.newQuiet()
    const acts = await server.commit.transaction(async (tx) => {
      // Each act of a person waits for the account, and holds a connection meanwhile.
      await execute(tx, sql`select 1 from account where id = ${id} for update`)
      const make = { name: 'one of many', mode: 'test', scope: 'verify:write', days: '' }
      const acts = Array.from({ length: 100 }, () => owner.post('/keys', make))
      const waiting = () => server.database!.stuckAt('account')
      await expect.poll(waiting).toHaveLength(4)
      await send()
      expect(await waiting()).toHaveLength(4)
      // In an object: a transaction that gives a promise back would wait for it.
      return { done: Promise.all(acts) }
    })
    expect([200, 503]).toEqual(expect.arrayContaining((await acts.done).map(({ status }) => status)))
  },
)

row('exports of messages', 'another account sends beside one whose people export all its messages', async () => {
  const { name, id } = await beside.newAccount()
  const at = server.runtime.now()
  const ids = Array.from({ length: 20_000 }, () => `req_${newUlid(at)}`)
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select ${id}, id, 'live', 'notification', '+14152999999', 'read', at, '[]', at
    from unnest(string_to_array(${ids.join()}, ',')) as made (id), cast(${at.toISOString()} as timestamptz) as at`)
  const people = [1, 2, 3].map(() => signIn(server, 'developer', { account: name }))
  const [one, other, third] = await Promise.all(people)
  for (const { cookie } of [one!, other!]) {
    // Its browser reads no more of it: it is under way until the test ends.
    const begun = await fetch(`${server.dashboardUrl}/messages/export`, {
      ...{ method: 'POST', body: new URLSearchParams({ search: '' }) },
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(begun.status).toBe(200)
    onTestFinished(() => begun.body?.cancel())
  }
  const ask = async () => (await third!.post('/messages/export', { search: '' })).status === 303
  await beside.sendsBeside(ask)
})

const formType = 'Content-Type: application/x-www-form-urlencoded'

row('forms of the dashboard', 'another account sends beside strangers who fill the place of forms', async () => {
  const send = await beside.newQuiet()
  const head = `POST /keys HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n${formType}\r\n`
  const unfinished = `${head}Content-Length: 260000\r\n\r\n${'x'.repeat(240_000)}`
  const answers: string[] = []
  for (let opened = 0; opened < 50; opened++) {
    open(server.dashboardUrl, unfinished).on('data', (data) => answers.push(String(data)))
  }
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  await send()
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*Too many forms are coming in/)
})

row('the work on passwords', 'another account sends beside strangers who have passwords worked on', async () => {
  let guests = 0
  const ask = async () => {
    const email = `stranger-${++guests}@example.com`
    const typed = { email, password: 'not the right one' }
    return (await visitorWith(server, '').post('/sign-in', typed, from(guests))).status === 400
  }
  // More than are worked on at once, and than the threads that all of the process share.
  await beside.sendsBeside(ask, { askers: 24 })
})

row('tries at a sign-in', 'another account sends beside strangers who try more passwords than they may', async () => {
  const guest = visitorWith(server, '')
  const typed = { email: 'someone@example.com', password: 'not the right one' }
  await beside.sendsBeside(() => isTooMuch(guest.post('/sign-in', typed)))
})

row('sign-ins by a company', 'another account sends beside sign-ins that have all their places', async () => {
  const send = await beside.newQuiet()
  const release = company.hold()
  onTestFinished(release)
  const comeBack = async (network: number) => {
    const visitor = visitorWith(server, '')
    const out = await visitor.get('/sign-in/company', from(network))
    const state = new URL(out.headers.get('location') ?? '').searchParams.get('state')
    return visitor.get(`/sign-in/company/back?code=made-up&state=${state}`, from(network))
  }
  const statuses: number[] = []
  const crowd = Array.from({ length: 110 }, async (_, at) => {
    statuses.push((await comeBack(1000 + Math.floor(at / 5))).status)
  })
  await expect.poll(() => statuses).toEqual(Array(10).fill(503))
  expect(company.exchanges()).toBe(100)
  await send()
  release()
  await Promise.all(crowd)
})
