/**
 * Measures the sends of one account beside another one whose provider reports of messages that are not there, with good
 * signatures, on eight connections, as fast as it is answered.
 */
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, type Findings, medianFigure } from './figure.ts'
import { type Ask, startLoad } from './load.ts'
import { sendAsk } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'

/** Statuses in each report; 0 for no reports. */
const sizes = [0, 1, 100, 5000, 20_000]
const connections = 8
/** About 10 codes a second. */
const quiet = { callers: 1, pauseMs: 95 }
const appSecret = 'the-secret-of-the-app-of-the-benchmark'
const [noisyAccount, connection, phoneNumberId] = ['noisy', 'whatsapp', '106540352242922']

export async function measureReports(setting: Setting): Promise<Findings> {
  const loads = [startLoad(), startLoad()]
  try {
    const figures: Figure[] = []
    for (const service of setting.services) {
      const { template, path } = await prepare(service, setting)
      for (const size of sizes) {
        const rounds: Figure[] = []
        for (let round = 0; round < setting.rounds; round++) {
          const report = size === 0 ? undefined : buildReport(path, size)
          rounds.push(await beside({ size, report }, { service, template, setting, loads }))
        }
        figures.push(medianFigure(rounds))
      }
      await setting.databases.drop(template)
    }
    return { figures, ratios: [] }
  } finally {
    for (const { end } of loads) end()
  }
}

/** For docs/performance.md, as it stands there. */
export function reportsTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ of, p50Ms, p95Ms, p99Ms }) => {
    const times = [p50Ms, p95Ms, p99Ms].map((ms) => (ms ?? 0).toFixed(0))
    return `| ${of.replace('Watchword, beside ', '').replace('none', 'nothing')} | ${times.join(' | ')} |`
  })
  return ['| beside | p50 ms | p95 ms | p99 ms |', '|---|--:|--:|--:|', ...rows].join('\n')
}

/** @returns a database with the account whose provider reports, and where it does */
async function prepare(service: Service, { databases, folder }: Setting): Promise<{ template: string; path: string }> {
  const template = `${service.slug}_reports`
  const url = await databases.create(template, service.templates.usual)
  await service.command(['accounts', 'create', noisyAccount], url)
  const file = join(folder, 'whatsapp.yaml')
  const ids = { phone_number_id: phoneNumberId, business_account_id: '102290129340398' }
  const secrets = { access_token: 'token', app_secret: appSecret, verify_token: 'token' }
  const code_template = { name: 'code', language: 'en_US' }
  const one = { id: connection, kind: 'whatsapp', ...ids, ...secrets, code_template }
  await writeFile(file, JSON.stringify([one]))
  await service.applyChannels(file, url, noisyAccount)
  const [row] = await databases.run(template, `select id from account where name = '${noisyAccount}'`)
  return { template, path: `/providers/${row?.id}/${connection}` }
}

function buildReport(path: string, size: number): Ask {
  const statuses = Array.from({ length: size }, (_, index) => ({
    id: `wamid.${index}`,
    status: 'delivered',
    timestamp: String(Math.floor(Date.now() / 1000)),
  }))
  const value = { metadata: { phone_number_id: phoneNumberId }, statuses }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ changes: [{ field: 'messages', value }] }],
  })
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
  return { method: 'POST', path, headers: { 'X-Hub-Signature-256': signature }, body }
}

interface Site {
  service: Service
  template: string
  setting: Setting
  loads: ReturnType<typeof startLoad>[]
}

async function beside(
  { size, report }: { size: number; report: Ask | undefined },
  { service, template, setting, loads }: Site,
): Promise<Figure> {
  const { databases, rows, seconds: secondsMax } = setting
  const name = `${service.slug}_run`
  const url = await databases.create(name, template)
  const [quietLoad, noisyLoad] = loads
  try {
    const server = await service.start('both', url)
    const { port } = server
    const before = cpuOf(server, setting)
    const flood = report && noisyLoad!.run({ ...report, callers: connections, port, secondsMax, reopens: true })
    const ask = sendAsk({ key: service.keys.live, phonesFrom: rows })
    const own = await quietLoad!.run({ ...ask, ...quiet, port, secondsMax })
    const requests = own.requests + ((await flood)?.requests ?? 0)
    const after = cpuOf(server, setting)
    const memoryAfterMb = residentMb(server.pid)
    await server.end()
    const micros = (what: keyof typeof before) => ((after[what] - before[what]) / requests) * 1e6
    return {
      measure: 'reports',
      of: `${service.name}, beside ${size === 0 ? 'none' : `reports of ${size}`}`,
      requestsPerSecond: requests / own.seconds,
      cpuMicros: micros('server'),
      postgresCpuMicros: micros('postgres'),
      callersCpuMicros: null,
      p50Ms: own.p50Ms,
      p95Ms: own.p95Ms,
      p99Ms: own.p99Ms,
      memoryAtRestMb: server.restMb,
      memoryAfterMb,
    }
  } finally {
    await databases.drop(name)
  }
}

function cpuOf({ pid }: Server, { databases }: Setting) {
  return { server: cpuSecondsOf(pid), postgres: familyCpuSeconds(databases.postmaster) }
}
