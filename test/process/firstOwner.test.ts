/** The first sign-in of a service that no one has a shell on: FIRST_OWNER, started as operators start it. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { password } from '../support/people.ts'
import { freePort } from '../support/port.ts'
import { entriesOf, launchProcess, type Running, whenReady } from '../support/process.ts'
import { visitorWith } from '../support/visitor.ts'

let database: TestDatabase
let settings: Record<string, string>
beforeAll(async () => {
  database = await createDatabase()
  const WATCHWORD_SECRET = 'a secret of no less than 32 characters'
  settings = { DATABASE_URL: database.settings.url, WATCHWORD_SECRET, FIRST_OWNER: 'ada@example.com' }
})
afterAll(() => database.drop())

async function start(more: Record<string, string> = {}): Promise<Running> {
  const port = String(await freePort())
  const running = await whenReady(
    launchProcess('serve', { PORT: port, DASHBOARD_PORT: port, OPS_PORT: port, ...settings, ...more }),
  )
  onTestFinished(async () => void (await running.end('SIGTERM')))
  return running
}

/** What its log says of the first owner. */
async function saidBy(running: Running): Promise<string[]> {
  const said = () => entriesOf(running).flatMap(({ msg }) => (`${msg}`.includes('FIRST_OWNER') ? [`${msg}`] : []))
  await expect.poll(said, { timeout: 30_000, interval: 50 }).not.toEqual([])
  return said()
}

/** The link at the end of what its log says, which it says once. */
async function linkOf(running: Running): Promise<{ address: string; token: string }> {
  const said = await saidBy(running)
  expect(said).toHaveLength(1)
  const [, address = '', token = ''] = / (http:\S+)\/invitation#([\w-]{43})$/.exec(said[0]!) ?? []
  return { address, token }
}

it('is by a link in the log: one for all processes, renewed when it ran out, gone when it was used', async () => {
  const [one, several] = await Promise.all([start(), start({ PROCESSES: '2' })])
  const [{ address, token }, same] = await Promise.all([linkOf(one), linkOf(several)])
  expect([address, same.address]).toEqual([`${one.url}/dashboard`, `${several.url}/dashboard`])
  expect(same.token).toBe(token)
  expect(await database.sql`select email, role from invitation`).toEqual([{ email: 'ada@example.com', role: 'owner' }])

  await database.sql`update invitation set expires_at = now()`
  const renewed = await linkOf(await start({ PUBLIC_URL: `${one.url}/` }))
  expect(renewed.address).toBe(`${one.url}/dashboard`)
  const guest = visitorWith({ dashboardUrl: renewed.address }, '')
  expect((await guest.post('/invitation', { token })).status).toBe(400)
  expect((await guest.post('/invitation', { token: renewed.token })).text).toContain('ada@example.com')
  const claim = { token: renewed.token, name: 'Ada', password }
  expect((await guest.post('/invitation/claim', claim)).headers.get('location')).toBe('/dashboard/')
  expect((await guest.get('/people')).text).toContain('ada@example.com')

  const back = visitorWith({ dashboardUrl: renewed.address }, '')
  const signedIn = await back.post('/sign-in', { email: 'ada@example.com', password })
  expect(signedIn.headers.get('location')).toBe('/dashboard/')
  expect((await back.get('/people')).status).toBe(200)
  expect((await back.post('/invitation/claim', claim)).status).toBe(400)
  const later = await start()
  expect(await saidBy(later)).toEqual(['FIRST_OWNER no longer has an effect: a user can sign in to the dashboard'])
  expect(later.output()).not.toContain('/invitation#')
}, 300_000)

it('is refused with one line where FIRST_OWNER is no address of mail', async () => {
  const launched = launchProcess('serve', { ...settings, FIRST_OWNER: 'ada at example.com' })
  expect((await launched.ended).code).toBe(1)
  const line = 'FIRST_OWNER: must be an email address like ada@example.com'
  expect(launched.errors()).toBe(`The settings are wrong:\n  ${line}\n`)
}, 60_000)
