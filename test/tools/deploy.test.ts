/** The files of `deploy/`, the Dockerfile and `compose.yaml`: checked by what reads them, or by doing what they say. */
import { execFile } from 'node:child_process'
import { chmodSync, globSync, readFileSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig, type ProcessRole } from '../../src/settings/config.ts'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { pageOf } from '../support/docs.ts'
import { installed } from '../support/installed.ts'
import { manifestsIn, typeFaultsOf } from '../support/manifests.ts'
import { launchProcess, type Process, whenReady } from '../support/process.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const processes = ['serve', 'worker', 'sandbox', 'simulate', 'migrate']
/** What the page for operators explains, and what Node itself reads. */
const settings = new Set([
  ...Array.from(pageOf('docs/operators.md').matchAll(/^\| `([A-Z_]+)` \|/gm), ([, name]) => name!),
  'NODE_COMPILE_CACHE',
])

describe('the manifests for Kubernetes', () => {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: root }).filter(
    (file) => !file.endsWith('kustomization.yaml'),
  )
  const manifests = files.flatMap(manifestsIn)
  const pods = manifests.flatMap((manifest) =>
    manifest.kind === 'Pod' ? { ...manifest, spec: { template: manifest } } : manifest.spec?.template ? manifest : [],
  )
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  /** What the page puts into a file, and the Secret that it makes of that. */
  const page = pageOf('docs/operations.md')
  const [line = ''] = /^.* > watchword\.env\)$/m.exec(page) ?? []
  const secretKeys = Array.from(line.matchAll(/([A-Z_]+)=%s/g), ([, name]) => name!)
  const [, secretName] = /^kubectl create secret generic (\S+) --from-env-file=watchword\.env$/m.exec(page) ?? []

  it('have no field that Kubernetes does not know, and none of another type', async () => {
    expect(await typeFaultsOf(manifests)).toBe('')
  })

  it('name one another as they are called', () => {
    const names = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).add(`Secret ${secretName}`)
    for (const { spec } of pods)
      for (const container of spec.template.spec.containers)
        for (const { configMapRef, secretRef } of container.envFrom) {
          if (configMapRef) expect(names).toContain(`ConfigMap ${configMapRef.name}`)
          if (secretRef) expect(names).toContain(`Secret ${secretRef.name}`)
        }
    const labels = pods.map(({ spec }) => spec.template.metadata.labels as Record<string, string>)
    const selectors = [
      ...ofKind('Deployment').map(({ spec }) => spec.selector.matchLabels),
      ...ofKind('Service').map(({ spec }) => spec.selector),
      ...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ] as Record<string, string>[]
    expect(selectors).toHaveLength(5)
    for (const selector of selectors)
      expect(
        labels.filter((own) => Object.entries(selector).every(([name, value]) => own[name] === value)),
      ).toHaveLength(1)
    const listed = (parse(read('deploy/kubernetes/kustomization.yaml')) as { resources: string[] }).resources
    expect([...listed, 'migrate.yaml', 'copies.yaml'].toSorted()).toEqual(
      files.map((file) => basename(file)).toSorted(),
    )
  })

  it('bring no Secret over that of the operator, without which nothing starts', () => {
    expect(ofKind('Secret')).toEqual([])
    expect(secretKeys).toEqual(['DATABASE_URL', 'WATCHWORD_SECRET'])
    for (const { spec } of pods)
      for (const { envFrom } of spec.template.spec.containers)
        expect(envFrom).toContainEqual({ secretRef: { name: secretName } })
  })

  it.each<ProcessRole>(['serve', 'worker', 'cli'])('have settings that are right with that Secret: %s', (role) => {
    const [given] = ofKind('ConfigMap').map(({ data }) => data)
    const secret = { DATABASE_URL: 'postgres://u@h/d', WATCHWORD_SECRET: 's'.repeat(32) }
    expect(loadConfig({ ...given, ...secret } as NodeJS.ProcessEnv, { role })).toBeDefined()
  })

  it('leave PostgreSQL connections for commands while old and new pods of a rollout work', () => {
    const [{ DATABASE_CONNECTIONS: each = '20' } = {}] = ofKind('ConfigMap').map(
      ({ data }) => data as NodeJS.Dict<string>,
    )
    const replicas = ofKind('Deployment').reduce((sum, { spec }) => sum + spec.replicas, 0)
    const [all, reserved, forCommands] = [100, 3, 4]
    expect(2 * replicas * (Number(each) + 1)).toBeLessThanOrEqual(all - reserved - forCommands)
  })

  it('let nodes be emptied while no pod is ready, as when the database is away', () => {
    const budgets = ofKind('PodDisruptionBudget').map(({ spec }) => spec.unhealthyPodEvictionPolicy)
    expect(budgets).toEqual(['AlwaysAllow', 'AlwaysAllow'])
  })

  it('let deliveries out to every port of the internet, and to no private network', () => {
    const [policy] = ofKind('NetworkPolicy')
    const internet = policy?.spec.egress.find(({ to = [] }: { to: { ipBlock?: { cidr: string } }[] }) =>
      to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'),
    )
    expect(internet.ports).toEqual([{ protocol: 'TCP' }])
    expect(internet.to[0].ipBlock.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    )
  })

  it('set what there is to set, run what there is to run, and ask for ports that are open', () => {
    for (const { data = {} } of manifests) for (const name of Object.keys(data)) expect(settings, name).toContain(name)
    for (const { spec } of pods) {
      const { containers, securityContext, automountServiceAccountToken } = spec.template.spec
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(automountServiceAccountToken).toBe(false)
      for (const {
        args,
        command = args,
        env = [],
        ports = [],
        securityContext: own,
        readinessProbe,
        livenessProbe,
        startupProbe,
      } of containers) {
        expect([...processes, 'sleep']).toContain(command[0])
        for (const { name } of env) expect(settings).toContain(name)
        expect(own).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
        const open = ports.map(({ name }: { name: string }) => name)
        for (const probe of [readinessProbe, livenessProbe, startupProbe])
          if (probe) expect(open).toContain(probe.httpGet.port)
      }
    }
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<
      string,
      {
        command?: string[]
        environment: Record<string, string>
        env_file?: object[]
        healthcheck?: { test: string[] }
        depends_on?: object
        read_only?: boolean
        deploy?: { replicas: number }
      }
    >
    volumes: object
  }
  const ours = Object.entries(services).filter(([name]) => name !== 'postgres')

  it('has PostgreSQL, two that serve, and one that delivers, each on a database that is migrated', () => {
    expect(Object.keys(services).toSorted()).toEqual(['migrate', 'postgres', 'serve', 'worker'])
    expect(services.serve?.deploy).toEqual({ replicas: 2 })
    expect(Object.keys(volumes)).toEqual(['postgres'])
    for (const [name, { command = [], environment, depends_on = {}, read_only }] of ours) {
      expect(command).toEqual([name])
      expect(read_only).toBe(true)
      for (const setting of Object.keys(environment)) expect(settings).toContain(setting)
      for (const other of Object.keys(depends_on)) expect(services).toHaveProperty(other)
    }
  })

  it('takes every setting from the file .env, and has none that wins over one of the file', () => {
    for (const [, { env_file, environment }] of ours) {
      expect(env_file).toEqual([{ path: '.env', required: false }])
      // Those are no choice of the operator.
      const { DATABASE_URL, WORKER, ...chosen } = environment
      for (const [name, value] of Object.entries(chosen)) expect(value).toMatch(new RegExp(`^\\$\\{${name}:[-?].*\\}$`))
    }
  })

  it('begins when the database is there, and not the server that only prepares it', () => {
    expect(services.postgres?.healthcheck?.test.slice(0, 4)).toEqual(['CMD', 'pg_isready', '--host', '127.0.0.1'])
  })

  it('starts with no secret of ours in it', () => {
    expect(read('compose.yaml')).toMatch(/WATCHWORD_SECRET: \$\{WATCHWORD_SECRET:\?/)
    expect(read('compose.yaml')).toMatch(/\$\{POSTGRES_PASSWORD:\?/)
  })
})

describe('the units for systemd', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: root })
  const analyze = installed('systemd-analyze')

  it.skipIf(!analyze)(
    `pass systemd-analyze verify${analyze ? '' : ' (SKIPPED: there is no systemd-analyze)'}`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'watchword-units-'))
      try {
        for (const unit of units) {
          // The command is not installed here.
          await writeFile(
            join(folder, basename(unit)),
            read(unit).replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`),
          )
        }
        const verified = await run(analyze!, ['verify', ...units.map((unit) => join(folder, basename(unit)))])
        expect(verified).toEqual({ stdout: '', stderr: '' })
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )

  it('start again for as long as it takes, and not at all without their settings', () => {
    for (const unit of units) {
      expect(read(unit)).toMatch(/^\[Unit\]\n(?:[^[].*\n)*StartLimitIntervalSec=0$/m)
      expect(read(unit)).toMatch(/^Restart=on-failure\nRestartSec=5$/m)
      expect(read(unit)).toMatch(/^EnvironmentFile=\/etc\/watchword\.env$/m)
    }
  })

  it('run what there is to run, and set what there is to set', () => {
    expect(units).toHaveLength(2)
    for (const unit of units) {
      expect(processes).toContain(/^ExecStart=\/opt\/watchword\/bin\/watchword (\w+)$/m.exec(read(unit))?.[1])
      const names = Array.from(read(unit).matchAll(/^Environment=(.*)$/gm), ([, list]) => list!.split(' ')).flat()
      for (const pair of names) expect(settings).toContain(pair.split('=')[0])
    }
  })
})

describe('the image', () => {
  const steps = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => (/^([A-Z]+) (.*)$/.exec(line) ? [{ word: RegExp.$1, rest: RegExp.$2 }] : []))
  const stages = steps.slice(steps.findIndex(({ word }) => word === 'FROM')).reduce<(typeof steps)[]>((all, step) => {
    if (step.word === 'FROM') all.push([])
    all.at(-1)!.push(step)
    return all
  }, [])
  const last = stages[1]!
  const json = (word: string) =>
    JSON.parse(/\[.*\]/.exec(last.find((step) => step.word === word)!.rest)![0]) as string[]
  /** Of whom the machine has nobody. */
  const nobody = 65_534
  const isRoot = process.getuid?.() === 0

  let folder: string
  let checkout: Checkout
  let database: TestDatabase
  let service: Process | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-image-'))
    ;[checkout, database] = await Promise.all([copyCheckout(), createDatabase()])
  })
  afterAll(async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
    // What is read-only is not removed either, but by root.
    await run('chmod', ['-R', 'u+w', folder])
    await rm(folder, { recursive: true, force: true })
    await checkout?.remove()
    await database?.drop()
  })

  it('is for any processor: no step names one, and the last stage runs nothing', () => {
    expect(read('Dockerfile').replaceAll(/^#.*$/gm, '')).not.toMatch(/amd64|arm64|x64|x86/)
    expect(stages[0]![0]?.rest).toMatch(/^--platform=\$BUILDPLATFORM /)
    expect(last.filter(({ word }) => word === 'RUN')).toEqual([])
  })

  it('is given neither settings nor backups that lie in the checkout', () => {
    const names = ['.env*', 'watchword.env', '*.backup.gz', '*.unfinished']
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(names.map((name) => `**/${name}`)))
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(names))
  })

  it('is built by the steps of the Dockerfile, in a clean folder', async () => {
    const commands = stages[0]!.filter(({ word }) => word === 'RUN').map(({ rest }) => rest)
    // Of what somebody at work has beside the pages, nothing is for others.
    await checkout.write('docs/.env', 'WATCHWORD_SECRET=stray')
    // What it installs, the copy has: of the lockfile, as `npm ci` would.
    expect(commands[0]).toBe('npm ci')
    for (const command of commands.slice(1)) {
      const { code, output } = await checkout.run(`set -e; ${command.replaceAll('/build', folder)}`)
      expect(code, output).toBe(0)
    }
    const papers = await readdir(join(folder, 'image/docs'), { recursive: true })
    expect(papers).toEqual(expect.arrayContaining(['operators.md', 'images']))
    const strays = papers.filter(
      (name) => !['auth', 'designers', 'images', 'releases'].includes(name) && !/\.(md|png|svg|jsonnet)$/.test(name),
    )
    expect(strays).toEqual([])
    const sbom = JSON.parse(await readFile(join(folder, 'image/sbom.cdx.json'), 'utf8'))
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'watchword' } } })
    const components = (sbom.components as { name: string }[]).map(({ name }) => name)
    expect(components).toEqual(expect.arrayContaining(['pg', 'pg-boss', 'undici', '@electric-sql/pglite']))
    for (const other of ['vitest', 'typescript', 'drizzle-orm', 'esbuild']) expect(components).not.toContain(other)
    expect(last.find(({ word }) => word === 'COPY')?.rest).toBe('--from=build /build/image /opt/watchword')
  })

  it('runs as an unprivileged user, who can write nowhere but into its data', async () => {
    const image = join(folder, 'image')
    await mkdir(join(folder, 'data'))
    await mkdir(join(folder, 'bin'))
    await copyFile(process.execPath, join(folder, 'bin/node'))
    await chmod(folder, 0o755)
    await run('chmod', ['-R', 'a-w,a+rX', image])
    if (isRoot) await chown(join(folder, 'data'), nobody, nobody)
    expect(last.find(({ word }) => word === 'USER')?.rest).toBe('node')
    service = start({ DATA_DIR: join(folder, 'data') })
    const { opsUrl, url, end } = await whenReady(service)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
    // The image asks the port that its service has.
    const env = { ...process.env, OPS_PORT: new URL(opsUrl).port }
    const askHealth = () => run(join(folder, 'bin/node'), json('HEALTHCHECK').slice(1), { env })
    await askHealth()
    expect(await end('SIGTERM')).toEqual({ code: 0, signal: null })
    await expect(askHealth()).rejects.toThrow()
  })

  it('serves and migrates on PostgreSQL without a place to write to at all', async () => {
    const place = join(folder, 'nowhere')
    await mkdir(place)
    chmodSync(place, 0o555)
    const given = { DATABASE_URL: database.settings.url, WATCHWORD_SECRET: 's'.repeat(40), DATA_DIR: place }
    expect((await start(given, ['migrate']).ended).code).toBe(0)
    service = start(given)
    const { end } = await whenReady(service)
    expect(await end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  function start(given: Record<string, string>, words = json('CMD')): Process {
    const env = last
      .find(({ word }) => word === 'ENV')!
      .rest.split(' ')
      .map((pair) => pair.split('=') as [string, string])
    // Addresses of the machine alone, for a test.
    const own = Object.fromEntries(env.map(([name, value]) => [name, value === '0.0.0.0' ? '127.0.0.1' : value]))
    const path = `${join(folder, 'bin')}:${process.env.PATH}`
    const command = [join(folder, 'image/bin/watchword.js')]
    const user = isRoot ? { uid: nobody, gid: nobody } : {}
    return launchProcess(words, { ...own, PATH: path, ...given }, { command, folder: join(folder, 'image'), ...user })
  }
})
