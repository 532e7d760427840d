/**
 * A company's deployment: one port, secrets in files, the documented proxy in front, and no way out but by a forward proxy. Whom the
 * service asks has a name below `provider.example` that the forward proxy alone knows.
 */
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { inject } from 'vitest'
import { readProviderFile } from '../../src/delivery/channels/sms/providerFile.ts'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { jsonOf, run } from '../support/cli.ts'
import { type ConnectProxy, startConnectProxy } from '../support/connectProxy.ts'
import { createDatabase } from '../support/database.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { startDocumentedNginx } from '../support/nginx.ts'
import { type OidcProvider, startOidcProvider } from '../support/oidcProvider.ts'
import { ownCa } from '../support/ownCa.ts'
import { freePort } from '../support/port.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { type Provider, startProvider } from '../support/provider.ts'
import { startTlsFront } from '../support/tlsFront.ts'

/** The whole file of the page on SMS. */
export const acmeText = blocksOf('yaml', sectionOf('docs/sms.md', 'Your own provider'))[0]!
const acme = readProviderFile(acmeText)
if (!('file' in acme)) throw new Error('the file of docs/sms.md is not good')

/** The providers of SMS: each that ships, and one that the operator wrote. */
export const smsFiles = [...shippedProviders(), acme.file]

/** Gateways that stand in a company's own network: they have no TLS. */
const plain: readonly string[] = ['kannel', 'jasmin']

export interface Deployment {
  /** The public address. */
  url: string
  /** The values of the settings that stand in files, by their names. */
  secrets: Readonly<Record<string, string>>
  opsToken: string
  service: Running
  folder: string
  simulator: Simulator
  gateway: Provider
  receiver: EventReceiver
  oidc: OidcProvider
  forwardProxy: ConnectProxy
  /** Where the service finds the one of that name. */
  addressOf: (name: string) => string
  /** Runs a command of the operator, who has the same settings. @returns the JSON that it printed */
  command: <Value>(...args: string[]) => Promise<Value>
  /** What the proxy in front has logged. */
  proxyLog: () => Promise<string>
  close: () => Promise<void>
}

export async function deploy(): Promise<Deployment> {
  const after: (() => unknown)[] = []
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, ownCa])
  after.push(() => setDefaultCACertificates(trusted))
  const outside = await startOutside(after)
  const folder = await mkdtemp(join(tmpdir(), 'watchword-deployed-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'ca.pem'), ownCa)
  const database = await createDatabase()
  after.push(database.drop)

  const [port, publicPort] = [await freePort(), await freePort()]
  const opsToken = randomBytes(32).toString('hex')
  const secrets = {
    DATABASE_URL: database.settings.url,
    WATCHWORD_SECRET: randomBytes(32).toString('base64'),
    OPS_TOKEN: opsToken,
    OIDC_CLIENT_SECRET: 'a client secret',
    OUTBOUND_PROXY: outside.forwardProxyUrl,
    SANDBOX_KEY: 'ww_test_TheSandboxKeyOfWatchwordIsKnownToEverybody109l8ce',
  }
  const url = `https://localhost:${publicPort}`
  const settings = {
    ...(await filesOf(secrets, folder)),
    ...{ PORT: String(port), DASHBOARD_PORT: String(port), OPS_PORT: String(port), PUBLIC_URL: url },
    ...{ NODE_ENV: 'production', NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), DATA_DIR: join(folder, 'data') },
    ...{
      DASHBOARD_PROXIES: '1',
      OIDC_ISSUER: outside.oidc.issuer,
      OIDC_CLIENT_ID: 'watchword',
      OIDC_ROLES: 'staff=viewer',
    },
  }
  const service = await whenReady(launchProcess('serve', settings))
  after.push(() => rm(folder, { recursive: true, force: true }))
  after.push(() => service.end('SIGKILL'))
  const nginx = await startDocumentedNginx(publicPort, port)
  after.push(nginx.close)
  return {
    ...outside,
    ...{ url, secrets, opsToken, service, folder, proxyLog: nginx.log },
    command: async (...args) => jsonOf(await run(settings, [...args, '--json'])),
    close: async () => {
      for (const end of after.toReversed()) await end()
    },
  }
}

/** Whom the service asks. @param after is told how each is ended */
async function startOutside(after: (() => unknown)[]) {
  const issuer = 'https://login.provider.example'
  const simulated = ['whatsapp', 'telegram', ...smsFiles.map(({ provider }) => provider)]
  const hosts = simulated.map((name) => `${name}.provider.example`)
  const simulator = await createSimulator({ smsProviders: smsFiles, hosts })
  const gateway = await startProvider({ status: 200, body: '{}' })
  const receiver = await startEventReceiver()
  const oidc = await startOidcProvider(issuer)
  after.push(simulator.close, gateway.close, receiver.close, oidc.close)
  const places: Record<string, number> = {}
  const place = async (port: number, ...names: string[]) => {
    const front = await startTlsFront(port)
    after.push(front.close)
    for (const name of names) places[`${name}.provider.example:443`] = front.port
  }
  await place(simulator.port, ...simulated)
  for (const name of plain) places[`${name}.provider.example:80`] = simulator.port
  await place(Number(new URL(gateway.url).port), 'gateway')
  await place(Number(new URL(receiver.url).port), 'hooks')
  await place(oidc.port, 'login')
  const credentials = 'watchword:p@ss/word'
  const forwardProxy = await startConnectProxy(places, { credentials })
  after.push(forwardProxy.close)
  const [user, password] = credentials.split(':').map(encodeURIComponent)
  return {
    ...{ simulator, gateway, receiver, oidc, forwardProxy },
    forwardProxyUrl: forwardProxy.url.replace('://', `://${user}:${password}@`),
    addressOf: (name: string) => `${plain.includes(name) ? 'http' : 'https'}://${name}.provider.example`,
  }
}

/** @returns the settings that name the files, each of which the user of the service alone can read */
async function filesOf(secrets: Record<string, string>, folder: string): Promise<Record<string, string>> {
  const settings: Record<string, string> = {}
  for (const [name, value] of Object.entries(secrets)) {
    const file = join(folder, name.toLowerCase())
    await writeFile(file, `${value}\n`, { mode: 0o600 })
    if (inject('installed')?.isApart) await chown(file, 65_534, 65_534)
    settings[`${name}_FILE`] = file
  }
  return settings
}
