/** All that a soak runs: a PostgreSQL with a synchronous standby, the processes, providers, a customer's endpoint. */
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createAdmin } from '../../src/app/admin.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { loadConfig } from '../../src/settings/config.ts'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { openCluster } from '../../test/faults/cluster.ts'
import type { Breakable } from './faults.ts'
import type { Findings } from './findings.ts'
import { openFleet } from './fleet.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { simCountry, smsCountries } from './phones.ts'
import { startReceiver } from './receiver.ts'
import { createSimLog, type SimLog, sim } from './sim.ts'

export interface Scene extends Breakable {
  mailbox: Mailbox
  simLog: SimLog
  key: string
  inlet: { path: string; secret: string }
  /** Of an invitation to the dashboard. */
  token: string
}

const inlet = { id: 'login', secret: 'a secret of the auth system' }
/** Seconds: codes that nobody checks end within the run. */
const codeTtl = 60
/** The database has the usual hundred connections for all of them. */
const connectionsEach = 12

/** @param closers get what ends what was opened, the last one first */
export async function openScene(
  { findings, root }: { findings: Findings; root: string | undefined },
  closers: (() => Promise<unknown>)[],
): Promise<Scene> {
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-soak-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  const servers = await newFolder()
  // PostgreSQL has a user of its own where this one is root.
  await chmod(servers, 0o711)
  const database = await openCluster(servers, { hasOwnEnd: true })
  closers.push(database.stop)
  const receiver = await startReceiver(findings)
  closers.push(receiver.close)
  const folder = await newFolder()
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const settings = buildSettings(database.url, dataDir)
  const fleet = await openFleet(settings, { folder, root, findings })
  closers.push(fleet.stop)
  const [mailbox, simLog] = [createMailbox(findings), createSimLog()]
  const webhook = (connection: string) => `${fleet.apiUrl('serve 2')}/providers/acct_default/${connection}`
  const simulator = await createSimulator({
    whatsappWebhook: webhook('wa'),
    telegramWebhook: webhook('tg'),
    // As Meta does it, but for its patience: it tries for days.
    ...{ reportAfterMs: 200, reportWindowMs: 50, retryMs: 100, attemptsMax: 12, keepMax: 20_000 },
    onMessage: (phone, message) => {
      mailbox.deliver(phone, message)
      simLog.note(message)
    },
  })
  closers.push(simulator.close)
  const { secret, token, inletPath, simPath } = await furnish(settings, { simulator, endpointUrl: receiver.url })
  // As it is entered in the app on the phone.
  simulator.pointAt({ sms: { [sim.provider]: `${fleet.apiUrl('serve 2')}${simPath}` } })
  receiver.expect(secret)
  const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
  return {
    database,
    receiver,
    fleet,
    mailbox,
    simLog,
    simulator,
    ask: askWith(() => database.urlOf(database.primary())),
    key,
    token,
    inlet: { path: inletPath, secret: inlet.secret },
  }
}

/** Not one connection for all: it would be broken like everybody's. */
function askWith(url: () => string): Scene['ask'] {
  return async (question) => {
    const sql = postgres(url(), { max: 1, onnotice: () => {} })
    try {
      return await question(sql)
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
}

function buildSettings(databaseUrl: string, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: String(connectionsEach),
    WATCHWORD_SECRET: 'a secret of the soak that is long enough',
    DATA_DIR: dataDir,
    DEV_KEYS: 'on',
    KEY_RATE_PER_SECOND: '1000000',
    KEY_BURST: '1000000',
    TEST_KEY_RATE_PER_SECOND: '1000000',
    TEST_MESSAGES_MAX: '1000000000',
    CODE_TTL_SECONDS: String(codeTtl),
    // Each caller is a new user: with the default, what is remembered of them would grow for hours, up to its limit.
    COUNTED_SUBJECTS_MAX: '1000',
    EVENTS_ALLOW_HTTP: 'on',
    EVENTS_ALLOW_NETWORKS: '127.0.0.0/8',
    CHANNELS_ALLOW_NETWORKS: '127.0.0.0/8',
  }
}

/** Connections, budgets, an inlet, a template, an endpoint and an invitation, as an operator makes them. */
async function furnish(
  settings: Record<string, string>,
  { simulator, endpointUrl }: { simulator: Simulator; endpointUrl: string },
) {
  const admin = await createAdmin(loadConfig(settings, { role: 'cli' }))
  try {
    const { id: accountId } = await admin.accounts.require(defaultAccount)
    await admin.connections.apply(accountId, [...smsConnections(simulator), ...messengers(simulator.url)])
    const { rules, fail } = await admin.protections.find(accountId)
    await admin.protections.apply(accountId, { rules, fail, budgets })
    await admin.inlets.apply(accountId, [{ id: inlet.id, kind: 'plain', mode: 'live', secret: inlet.secret }])
    const whatsapp = { name: 'welcome', language: 'en_US', parameters: ['name'] }
    await admin.templates.apply(accountId, [{ slug: 'welcome', text: 'Welcome, {{name}}!', channels: { whatsapp } }])
    const { secret } = await admin.endpoints.add({ accountId, mode: 'live', url: endpointUrl, types: null })
    const { token } = await admin.invitations.make({ accountId, role: 'owner', email: null })
    const listed = await admin.connections.list(accountId)
    const simPath = listed.find(({ id }) => id === sim.provider)!.reportPath
    return { secret, token, inletPath: `/inlets/${accountId}/${inlet.id}`, simPath }
  } finally {
    await admin.close()
  }
}

/** No run comes near them: what they cost each send, and that they hold up none, is what is looked at. */
const budgets = [
  { id: 'day', messages: 10_000_000 },
  { id: 'by-sim', countries: [simCountry], messages: 5_000_000 },
]

/** Each country has its own provider; the last one is also there for the others. */
function smsConnections({ sms }: Simulator) {
  const [canada, britain] = smsCountries
  const providers = [
    ['vonage', [canada], { api_key: 'a1b2c3d4', from: 'Acme' }],
    ['messagebird', [britain], { from: 'Acme' }],
    [sim.provider, [simCountry], { from: '+4366012345678', per_minute: sim.perMinute }],
    [
      'twilio',
      [...smsCountries, simCountry],
      { account_sid: 'AC00000000000000000000000000000000', from: '+15005550006' },
    ],
  ] as const
  return providers.map(([provider, countries, own]) => {
    const { base_url, settings } = sms(provider)
    return { id: provider, kind: 'sms', provider, ...own, ...settings, base_url, countries, failover_seconds: 8 }
  })
}

function messengers(url: string) {
  const { whatsappToken, appSecret, verifyToken, businessAccountId, phoneNumberIds, telegramToken } = standardOptions
  return [
    {
      ...{ id: 'wa', kind: 'whatsapp', base_url: url, failover_seconds: 8, per_second: 1000 },
      ...{ phone_number_id: phoneNumberIds[0], business_account_id: businessAccountId },
      ...{ access_token: whatsappToken, app_secret: appSecret, verify_token: verifyToken },
      code_template: { name: 'auth_copy_code', language: 'en_US' },
    },
    { id: 'tg', kind: 'telegram', base_url: url, access_token: telegramToken },
  ]
}
