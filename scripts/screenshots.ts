/**
 * Takes the pictures of `docs/dashboard.md`, of an account after a simulated day, and of `docs/notifications.md`, on simulated phones:
 * `npm run screenshots`.
 */

import { mkdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { commitOptions } from '../src/app/admin.ts'
import { type App, createApp } from '../src/app/app.ts'
import { scopes } from '../src/contract/document.ts'
import { defaultAccount } from '../src/domain/access/account.ts'
import type { Role } from '../src/domain/access/actor.ts'
import { theService } from '../src/domain/access/actor.ts'
import { sessionCookie } from '../src/http/dashboard/signedIn.ts'
import { loadConfig } from '../src/settings/config.ts'
import { createSimulator } from '../src/simulator/simulator.ts'
import { type Commit, createCommit } from '../src/store/engine/commit.ts'
import { connect } from '../src/store/engine/connect.ts'
import { read, write } from '../src/store/engine/session.ts'
import { enter, hasBrowser, openWindow } from '../test/support/browser.ts'
import { freePort } from '../test/support/port.ts'
import { createCommand } from './command.ts'
import { simulateAccount } from './dashboard/account.ts'
import { simulateOptOuts } from './dashboard/optOuts.ts'
import { simulateShop } from './dashboard/shop.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/images')
/** What a page of the docs may load for each. */
const bytesMax = 150_000

createCommand('screenshots', 'Takes the pictures of docs/dashboard.md and docs/notifications.md with Chromium.').parse()

if (hasBrowser) {
  await mkdir(folder, { recursive: true })
  await takeDashboard()
  await takeNotifications()
} else process.stderr.write('There is no Chromium on the PATH: install one (Debian: apt-get install chromium).\n')
// The browser ends with the process.
process.exit(hasBrowser ? 0 : 1)

async function takeDashboard(): Promise<void> {
  const { app, commit, url, sendUrl, close } = await startService()
  const { id: accountId } = await app.admin.accounts.require(theService, defaultAccount)
  const owner = { url, cookie: await signIn(app, accountId, 'owner') }
  // The phones of a simulated day could be somebody's: a viewer sees them masked.
  const viewer = { url, cookie: await signIn(app, accountId, 'viewer') }
  await take({ ...owner, name: 'first-steps', path: '/' })
  await simulateAccount({ admin: app.admin, commit, now: () => new Date(), accountId, messages: 12_000, days: 2 })
  await sendTexts(app, accountId, sendUrl)
  await protectAndLetIn(app, accountId, commit)
  await simulateOptOuts(app.admin, commit, accountId)
  await take({ ...owner, name: 'overview', path: '/' })
  await take({ ...owner, name: 'overview-narrow', path: '/', width: 390 })
  await take({ ...viewer, name: 'messages', path: '/messages?mode=live' })
  await take({ ...viewer, name: 'message', path: `/messages/${await findMessage(commit)}` })
  for (const name of ['keys', 'webhooks', 'sandbox', 'templates', 'channels', 'inlets']) {
    await take({ ...owner, name, path: `/${name}` })
  }
  await take({ ...owner, name: 'opt-outs', path: '/opt-outs' })
  await take({ ...owner, name: 'protection', path: '/protection', height: 1130 })
  await take({ ...owner, name: 'countries', path: '/protection/countries' })
  await close()
}

async function takeNotifications(): Promise<void> {
  const simulator = await createSimulator()
  const port = await freePort()
  const { app, url, sendUrl, close } = await startService({ port, publicUrl: `http://127.0.0.1:${port}` })
  const { id: accountId } = await app.admin.accounts.require(theService, defaultAccount)
  const owner = { url, cookie: await signIn(app, accountId, 'owner') }
  const [, bySms, failed] = await simulateShop({ app, accountId, url: sendUrl, simulator })
  await take({ ...owner, name: 'notification-template', path: '/templates/order-shipped' })
  await take({ url: simulator.url, name: 'notification-phone', path: '/', height: 530 })
  await take({ ...owner, name: 'notification-message', path: `/messages/${bySms}`, height: 780 })
  await take({ ...owner, name: 'notification-failed', path: `/messages/${failed}` })
  await close()
  await simulator.close()
}

/** On a database in memory. Only the texts of the sandbox are sent by it. */
async function startService({ port = 0, publicUrl = 'https://api.example.com' } = {}) {
  const ports = { PORT: String(port), OPS_PORT: '0', DASHBOARD_PORT: '0' }
  const environment = { ...ports, PUBLIC_URL: publicUrl, LOG_LEVEL: 'silent' }
  const config = { ...loadConfig(environment, { role: 'serve' }), database: { kind: 'memory' } as const }
  const database = await connect(config.database)
  await database.migrate()
  const app = await createApp(config, { database })
  const listening = await app.listen({ api: true, worker: false })
  const close = async () => {
    await app.close()
    await database.close()
  }
  const urlOf = (port: number | undefined) => `http://127.0.0.1:${port}`
  const [url, sendUrl] = [urlOf(listening.dashboardPort), urlOf(listening.port)]
  return { app, commit: createCommit(database, commitOptions(database)), url, sendUrl, close }
}

/** @returns the cookie of the session */
async function signIn({ admin: { invitations } }: App, accountId: string, role: Role): Promise<string> {
  const email = `${role}@example.com`
  const { token } = await invitations.make(theService, { accountId, role, email })
  const from = { address: '127.0.0.1', agent: 'screenshots' }
  const name = role === 'owner' ? 'Ada Lovelace' : 'Grace Hopper'
  const entered = await invitations.claim({
    token,
    email,
    name,
    password: crypto.randomUUID(),
    ...from,
  })
  if (!entered) throw new Error('The invitation was not accepted.')
  return `${sessionCookie}=${entered.token}`
}

/** What the sandbox phones show. */
async function sendTexts({ admin, worker }: App, accountId: string, sendUrl: string): Promise<void> {
  const { key } = await admin.apiKeys.create(theService, {
    accountId,
    name: 'laptop',
    mode: 'test',
    scopes,
    expiresAt: null,
  })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const shipped = { template: 'order_shipped', variables: { name: 'Grace', order: 'A-2041' } }
  const texts: [string, object][] = [
    ['verify', { phone: '+14155550111', brand_name: 'Acme' }],
    ['notifications', { phone: '+14155550110', template: 'welcome', variables: { name: 'Edsger' } }],
    ['verify', { phone: '+14155550100', brand_name: 'Acme' }],
    ['notifications', { phone: '+14155550100', ...shipped }],
    [
      'notifications',
      {
        ...{ phone: '+14155550100', template: 'appointment' },
        variables: { day: 'Tuesday', time: '10:30', name: 'Grace' },
      },
    ],
  ]
  for (const [noun, body] of texts) {
    const answer = await fetch(`${sendUrl}/v1/${noun}/send`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${await answer.text()}`)
    while ((await worker.runOnce()) > 0);
  }
}

/** Two systems that post their codes, and an evening on which somebody made numbers up. */
async function protectAndLetIn({ admin }: App, accountId: string, commit: Commit): Promise<void> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  await admin.inlets.apply(theService, accountId, [
    { id: 'login', kind: 'supabase', mode: 'live', secret: `v1,${secret}` },
    { id: 'intranet', kind: 'plain', mode: 'live', secret: 'a secret that Kratos sends along' },
  ])
  const found = write(
    `
    insert into protection_finding (account_id, mode, hour, rule, did, part, sends)
    select $1, 'live', date_trunc('hour', now(), 'UTC') - n * interval '1 hour', rule, 'record', 0, (sends * exp((n - 6) ^ 2 / -4.0))::int
    from generate_series(1, 12) as h (n), (values ('country-hour', 340), ('sequence', 190), ('ip-hour', 45)) as r (rule, sends)`,
    { isRare: true },
  )
  await commit.transaction((tx) => tx.run(found, [accountId]))
}

/** One that a second connection brought, and whose code came back. */
async function findMessage(commit: Commit): Promise<string> {
  const found = read<{ id: string }>(`
    select id from message where mode = 'live' and leg = 2 and status = 'read' and verified_at is not null
    order by created_at desc limit 1`)
  const [row] = await commit.reader.run(found, [])
  if (!row) throw new Error('The simulated day has no such message.')
  return row.id
}

interface Picture {
  url: string
  /** Of who looks; undefined where everyone may. */
  cookie?: string
  /** Of the file, before the theme. */
  name: string
  path: string
  width?: number
  height?: number
}

async function take({ url, cookie, name, path, width = 1280, height = 860 }: Picture): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const viewport = { width, height }
    const zone = { locale: 'en-GB', timezoneId: 'UTC' }
    const window = await openWindow({ baseURL: url, colorScheme, viewport, deviceScaleFactor: 1, ...zone })
    if (cookie !== undefined) await enter(window, url, cookie)
    await window.page.goto(path)
    const file = join(folder, `${name}-${colorScheme}.png`)
    await window.page.screenshot({ path: file, animations: 'disabled' })
    await window.close()
    const { size } = await stat(file)
    if (size > bytesMax) throw new Error(`${relative(root, file)} has ${size} bytes, and may have ${bytesMax}.`)
    process.stdout.write(`${relative(root, file)} (${Math.ceil(size / 1000)} kB)\n`)
  }
}
