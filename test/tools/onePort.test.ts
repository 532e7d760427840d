/** From nothing to the first sign-in on one port, without a shell: the page about it, and the files of `deploy/one-port`. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createDatabase } from '../support/database.ts'
import { allBlocksOf, pageOf, sectionOf } from '../support/docs.ts'
import { installed } from '../support/installed.ts'
import { manifestsIn, typeFaultsOf } from '../support/manifests.ts'
import { password } from '../support/people.ts'
import { freePort } from '../support/port.ts'
import { launchProcess, printed, whenReady } from '../support/process.ts'
import { visitorWith } from '../support/visitor.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

/** A way of the page: what it sets, and what it hands over as files. */
interface Way {
  settings: Record<string, string>
  files: string[]
}

const compose = parse(read('one-port/compose.yaml'))
const service = compose.services.watchword as {
  environment: Record<string, string>
  secrets: string[]
  ports: string[]
  image: string
}
const manifests = manifestsIn('deploy/one-port/kubernetes.yaml')
const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind)!
const pod = ofKind('Deployment').spec.template.spec
const unit = read('one-port/one-port.conf')

const kubernetes: Way = {
  settings: ofKind('ConfigMap').data as Record<string, string>,
  files: pod.volumes.flatMap(({ secret }: { secret?: { items: { path: string }[] } }) =>
    (secret?.items ?? []).map(({ path }) => `/run/secrets/watchword/${path}`),
  ),
}
const mapped = (settings: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, change(value)]))

/** As Compose reads it where nothing is set. */
const interpolated = (text: string) => text.replace(/^\$\{\w+:-(.*)\}$/, '$1')

const ways: Record<string, Way> = {
  Compose: {
    settings: mapped(service.environment, interpolated),
    files: service.secrets.map((name) => `/run/secrets/${name}`),
  },
  Kubernetes: kubernetes,
  systemd: {
    settings: Object.fromEntries(
      Array.from(unit.matchAll(/^Environment=(.*)$/gm), ([, list]) => list!.split(' '))
        .flat()
        .map((pair) => pair.split('=') as [string, string]),
    ),
    files: Array.from(unit.matchAll(/^LoadCredential=(\w+):\/etc\/watchword\/\1$/gm), ([, name]) => `%d/${name}`),
  },
}
const wanted = ['DATABASE_URL_FILE', 'WATCHWORD_SECRET_FILE', 'OPS_TOKEN_FILE']

let folder: string
let secret: (name: string) => string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-one-port-'))
  // As the page has it, and never over what is there.
  const make = allBlocksOf(pageOf('docs/operations.md')).find(({ text }) => text.includes('mkdir -m 0700 secrets'))!
  await run('sh', ['-c', make.text], { cwd: folder })
  await expect(run('sh', ['-c', make.text], { cwd: folder })).rejects.toThrow()
  secret = (name) => readFileSync(join(folder, 'secrets', name), 'utf8').trim()
})
afterAll(() => rm(folder, { recursive: true }))

it('the folder of secrets is for its owner, and each file for the user of a container', async () => {
  expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700)
  for (const name of ['postgres_password', 'database_url', 'watchword_secret', 'ops_token']) {
    expect((await stat(join(folder, 'secrets', name))).mode & 0o777).toBe(0o644)
  }
  expect(secret('database_url')).toBe(`postgres://watchword:${secret('postgres_password')}@postgres:5432/watchword`)
})

describe.each(Object.entries(ways))('with %s', (_, { settings, files }) => {
  it('every file of a secret is handed over, and no secret is set in another way', () => {
    expect(wanted.map((name) => settings[name]).toSorted()).toEqual(files.toSorted())
    for (const name of ['DATABASE_URL', 'WATCHWORD_SECRET', 'OPS_TOKEN']) expect(settings).not.toHaveProperty(name)
    expect([settings.PORT, settings.DASHBOARD_PORT, settings.OPS_PORT]).toEqual(['8080', '8080', '8080'])
  })

  it('the link in the log leads to the first sign-in, and the token to the metrics', async () => {
    const port = String(await freePort())
    const here = mapped(settings, (value) =>
      value.replace(/^(?:\/run\/secrets|%d)\/(?:watchword\/)?/, `${folder}/secrets/`),
    )
    await signInFirst({ ...here, PORT: port, DASHBOARD_PORT: port, OPS_PORT: port }, port)
  }, 60_000)
})

it('where a platform tells the port alone, the start of the page has all on it', async () => {
  const [, start = ''] = /`sh -c '(.*) watchword serve'`/.exec(pageOf('docs/operations.md')) ?? []
  const program = [process.execPath, '--import', './src/loading.js', 'src/main.ts']
  const command = ['sh', '-c', `${start} "$0" "$@"`, ...program]
  const port = String(await freePort())
  const secrets = { WATCHWORD_SECRET: secret('watchword_secret'), OPS_TOKEN: secret('ops_token') }
  await signInFirst({ PORT: port, ...secrets }, port, { command, folder: root })
}, 60_000)

/** Starts it on a new database, and does what the page says. */
async function signInFirst(
  settings: Record<string, string>,
  port: string,
  place?: Parameters<typeof launchProcess>[2],
) {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const { DATABASE_URL_FILE: file } = settings
  // In place of the database of the page.
  if (file) await writeFile(file, `${database.settings.url}\n`)
  const url = file ? {} : { DATABASE_URL: database.settings.url }
  const own = { PUBLIC_URL: `http://127.0.0.1:${port}`, FIRST_OWNER: 'ada@example.com' }
  const running = await whenReady(launchProcess('serve', { ...settings, ...url, ...own }, place))
  onTestFinished(async () => void (await running.end('SIGTERM')))
  const { msg } = JSON.parse(await printed(running, 'FIRST_OWNER'))
  const [, dashboardUrl = '', token = ''] = / (http:\S+\/dashboard)\/invitation#(\S+)$/.exec(msg) ?? []
  expect(dashboardUrl).toBe(`http://127.0.0.1:${port}/dashboard`)
  const visitor = visitorWith({ dashboardUrl }, '')
  const joined = await visitor.post('/invitation/claim', { token, name: 'Ada', password })
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/dashboard/'])
  expect((await visitor.get('/')).text).toContain('sandbox phone')
  const statusOf = async (path: string, headers = {}) => (await fetch(running.url + path, { headers })).status
  expect(await statusOf('/readyz', { Host: 'messages.example.com' })).toBe(200)
  expect(await statusOf('/metrics')).toBe(401)
  expect(await statusOf('/metrics', { Authorization: `Bearer ${secret('ops_token')}` })).toBe(200)
}

describe('the manifests for Kubernetes', () => {
  it('have no field that Kubernetes does not know, and none of another type', async () => {
    expect(await typeFaultsOf(manifests)).toBe('')
  })

  it('lead to the one port, and ask it for its health', () => {
    const [{ ports, startupProbe, readinessProbe, livenessProbe, envFrom }] = pod.containers
    expect(ports).toEqual([{ name: 'http', containerPort: Number(kubernetes.settings.PORT) }])
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) expect(probe.httpGet.port).toBe('http')
    expect(envFrom).toEqual([{ configMapRef: { name: ofKind('ConfigMap').metadata.name } }])
    expect(ofKind('Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
    expect(ofKind('NetworkPolicy').spec.ingress[0].ports).toEqual([{ port: 8080 }])
    const { labels } = ofKind('Deployment').spec.template.metadata
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(ofKind(kind).spec.selector.matchLabels).toEqual(labels)
    expect(ofKind('Service').spec.selector).toEqual(labels)
  })

  it('are in all else those of several ports', () => {
    const [deployment] = manifestsIn('deploy/kubernetes/serve.yaml')
    const [beside] = manifestsIn('deploy/kubernetes/network-policy.yaml')
    expect(ofKind('NetworkPolicy').spec.egress).toEqual(beside?.spec.egress)
    const [own, other] = [pod.containers[0], deployment?.spec.template.spec.containers[0]]
    for (const name of ['image', 'args', 'securityContext', 'resources', 'lifecycle'])
      expect(own[name]).toEqual(other[name])
    expect(pod.securityContext).toEqual({ ...deployment?.spec.template.spec.securityContext, fsGroup: 1000 })
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret')
  })
})

it('the file for Compose publishes one port, on this machine alone, with each secret from its file', () => {
  expect(service.ports).toEqual(['127.0.0.1:8080:8080'])
  expect(service.image).toMatch(/^\$\{WATCHWORD_IMAGE:-/)
  const names = [...service.secrets, ...compose.services.postgres.secrets]
  expect(compose.secrets).toEqual(Object.fromEntries(names.map((name) => [name, { file: `secrets/${name}` }])))
  const ignored = ['.gitignore', '.dockerignore'].map((name) => readFileSync(join(root, name), 'utf8'))
  for (const text of ignored) expect(text).toMatch(/^\/?deploy\/one-port\/secrets\/?$/m)
})

const analyze = installed('systemd-analyze')
it.skipIf(!analyze)(
  `beside its unit, the file for systemd passes systemd-analyze verify${analyze ? '' : ' (SKIPPED: there is no systemd-analyze)'}`,
  async () => {
    const units = join(folder, 'units')
    await mkdir(join(units, 'watchword.service.d'), { recursive: true })
    const text = read('systemd/watchword.service').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
    await writeFile(join(units, 'watchword.service'), text)
    const own = join(units, 'watchword.service.d/one-port.conf')
    await copyFile(join(root, 'deploy/one-port/one-port.conf'), own)
    const verify = () => run(analyze!, ['verify', join(units, 'watchword.service')])
    expect(await verify()).toEqual({ stdout: '', stderr: '' })
    // It is read.
    await writeFile(own, unit.replace('LoadCredential=', 'LoadCredentials='))
    expect((await verify().catch((error: { stderr: string }) => error)).stderr).toContain('LoadCredentials')
  },
)

it('the page sets what there is to set', () => {
  const section = sectionOf('docs/operations.md', 'One port, no shell')
  const table = Array.from(
    section.matchAll(/^ *\| (`[A-Z_`, ]+) \|/gm),
    ([, names]) => names!.match(/[A-Z_]+/g)!,
  ).flat()
  const listed = Array.from(pageOf('docs/operators.md').matchAll(/^\| `([A-Z_]+)` \|/gm), ([, name]) => name)
  expect(table).toEqual(expect.arrayContaining(['PORT', 'FIRST_OWNER', 'PUBLIC_URL', 'DASHBOARD_PROXIES']))
  for (const name of table) expect(listed).toContain(name)
})
