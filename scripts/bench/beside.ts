/**
 * Measures how long the codes of one account take, from the request until its gateway has taken them, beside other accounts
 * with a gateway that takes 7.5 s for each message: about as many as fill its time, and many more than that at once.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, type Findings, medianFigure } from './figure.ts'
import { type Load, startLoad } from './load.ts'
import { laterAsk, measures, type Supply, sendAsk } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { takenTimes } from './taken.ts'

/** What the slow accounts send. */
interface Burden {
  title: string
  accounts: number
  kind: 'send' | 'notify'
  /** Messages of each at once; left out, 48 a second. */
  atOnce?: number
  /** They are made with `send_at` before, and all become due as the quiet account begins. */
  isScheduled?: boolean
  /** How long the quiet account sends meanwhile, for each second of a run. */
  secondsEach: number
}

const burdens: Burden[] = [
  { title: 'nothing', accounts: 0, kind: 'send', secondsEach: 2 },
  { title: '48 codes a second', accounts: 1, kind: 'send', secondsEach: 20 },
  { title: '8,000 codes at once', accounts: 1, kind: 'send', atOnce: 8000, secondsEach: 8 },
  { title: '12,000 notifications at once', accounts: 1, kind: 'notify', atOnce: 12_000, secondsEach: 8 },
  {
    title: '10,000 notifications due at once',
    accounts: 1,
    kind: 'notify',
    atOnce: 10_000,
    isScheduled: true,
    secondsEach: 8,
  },
  { title: '2,000 codes at once of each of 5 accounts', accounts: 5, kind: 'send', atOnce: 2000, secondsEach: 8 },
]
/** About 48 codes a second: less than the rate of a key. */
const steady = { callers: 12, pauseMs: 245 }
/** Of all slow accounts together. */
const burstCallers = 32
/** About 10 codes a second. */
const quiet = { callers: 1, pauseMs: 95 }
/** Phones of each account. */
const phonesEach = 100_000
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLjc8'
const [quietAccount, slowAccounts] = ['quiet', ['slow1', 'slow2', 'slow3', 'slow4', 'slow5']] as const
const ofQuiet = `message where account_id = (select id from account where name = '${quietAccount}')`
const patienceMs = 120_000

export async function measureBeside(setting: Setting): Promise<Findings> {
  const gateway: ChildProcess = fork(join(import.meta.dirname, 'gateway.ts'))
  const loads = [startLoad(), ...slowAccounts.map(startLoad)]
  try {
    const [url] = (await once(gateway, 'message')) as [string]
    const figures: Figure[] = []
    for (const service of setting.services) {
      const site = await prepare(service, setting, url)
      for (const burden of burdens) {
        const rounds: Figure[] = []
        for (let round = 0; round < setting.rounds; round++) rounds.push(await beside(burden, site, { setting, loads }))
        figures.push(medianFigure(rounds))
      }
      await setting.databases.drop(site.template)
    }
    return { figures, ratios: [] }
  } finally {
    for (const { end } of loads) end()
    gateway.disconnect()
  }
}

interface Site {
  service: Service
  /** The name of a database with the accounts and their gateways. */
  template: string
  keys: { quiet: string; slow: string[] }
}

async function prepare(service: Service, { databases, folder }: Setting, gatewayUrl: string): Promise<Site> {
  const template = `${service.slug}_accounts`
  const url = await databases.create(template, service.templates.usual)
  const made = async (name: string, path: string): Promise<string> => {
    await service.command(['accounts', 'create', name], url)
    const file = join(folder, `${name}.yaml`)
    await writeFile(file, JSON.stringify([{ id: 'sms', kind: 'http', url: `${gatewayUrl}${path}`, secret }]))
    await service.applyChannels(file, url, name)
    const texts = join(folder, 'templates.yaml')
    await writeFile(texts, JSON.stringify([{ slug: 'welcome', text: 'Hello {{name}}' }]))
    await service.command(['templates', 'apply', texts, '--account', name], url)
    const options = ['--name', 'bench', '--mode', 'live', '--account', name, '--json']
    return (JSON.parse(await service.command(['keys', 'create', ...options], url)) as { key: string }).key
  }
  const quietKey = await made(quietAccount, '/quick')
  const slow: string[] = []
  for (const name of slowAccounts) slow.push(await made(name, '/slow'))
  return { service, template, keys: { quiet: quietKey, slow } }
}

async function beside(
  burden: Burden,
  { service, template, keys }: Site,
  { setting, loads }: { setting: Setting; loads: Load[] },
): Promise<Figure> {
  const { databases, rows, seconds } = setting
  const name = `${service.slug}_run`
  const url = await databases.create(name, template)
  const database = databases.open(name)
  try {
    // Its gateway has no certificate.
    const server = await service.start('both', url, { NODE_ENV: 'development' })
    const secondsMax = seconds * burden.secondsEach
    const before = cpuOf(server, setting)
    const [ownLoad, ...others] = loads as [Load, ...Load[]]
    const sendAll = () =>
      keys.slow.slice(0, burden.accounts).map((key, index) => {
        const job = createJob(burden, { key, phonesFrom: rows + (index + 1) * phonesEach, ids: [] })
        return others[index]!.run({
          ...job,
          port: server.port,
          secondsMax: burden.isScheduled ? patienceMs / 1000 : secondsMax,
        })
      })
    if (burden.isScheduled) {
      await Promise.all(sendAll())
      await database.run('update scheduled set send_at = now()')
    }
    const [own, ...theirs] = await Promise.all([
      ownLoad.run({ ...sendAsk({ key: keys.quiet, phonesFrom: rows }), ...quiet, port: server.port, secondsMax }),
      ...(burden.isScheduled ? [] : sendAll()),
    ])
    const after = cpuOf(server, setting)
    const times = await takenTimes(database, ofQuiet, patienceMs)
    const memoryAfterMb = residentMb(server.pid)
    await server.end()
    const requests = theirs.reduce((sum, outcome) => sum + outcome.requests, own.requests)
    const micros = (what: keyof typeof before) => ((after[what] - before[what]) / requests) * 1e6
    return {
      measure: 'beside',
      of: `${service.name}, ${burden.title}`,
      requestsPerSecond: own.requests / own.seconds,
      cpuMicros: micros('server'),
      postgresCpuMicros: micros('postgres'),
      callersCpuMicros: null,
      ...times,
      memoryAtRestMb: server.restMb,
      memoryAfterMb,
    }
  } finally {
    await database.close()
    await databases.drop(name)
  }
}

/** What an account of the burden asks, and how fast. */
function createJob({ kind, accounts, atOnce: requestsMax, isScheduled }: Burden, supply: Supply) {
  const ask = isScheduled ? laterAsk(supply) : measures.find((measure) => measure.name === kind)!.ask!(supply)
  const rate = requestsMax === undefined ? steady : { callers: Math.ceil(burstCallers / accounts), requestsMax }
  return { ...ask, ...rate }
}

function cpuOf({ pid }: Server, { databases }: Setting) {
  return { server: cpuSecondsOf(pid), postgres: familyCpuSeconds(databases.postmaster) }
}
