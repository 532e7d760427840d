/**
 * Measures the service beside bare servers, in the same run and on the same PostgreSQL, and prints the ratios. What the
 * figures mean: docs/performance-method.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { onStopSignal } from '../src/kit/stopping.ts'
import { prepareBare } from './bench/bare.ts'
import { measureBeside } from './bench/beside.ts'
import { openDatabases } from './bench/database.ts'
import { measureDelivery, measureDue } from './bench/delivery.ts'
import { measureEvents, measureTold } from './bench/events.ts'
import type { Findings } from './bench/figure.ts'
import { measureHandOver } from './bench/handOver.ts'
import { measureHanging } from './bench/hanging.ts'
import { measureJudged } from './bench/judged.ts'
import { type Life, measureLives } from './bench/life.ts'
import { startLoad } from './bench/load.ts'
import { measures } from './bench/measures.ts'
import { measureNotifyFull } from './bench/notifyFull.ts'
import { parseOptions } from './bench/options.ts'
import { startProvider } from './bench/provider.ts'
import { heading, lifeLines, measureLines, retentionLines, startLines } from './bench/report.ts'
import { measureReports, reportsTable } from './bench/reports.ts'
import { measureRequests } from './bench/requests.ts'
import { endServers } from './bench/server.ts'
import { prepareService } from './bench/service.ts'
import type { Setting } from './bench/setting.ts'
import { measureStart, type Start } from './bench/start.ts'
import { measureYears, type Retention } from './bench/years.ts'
import { leash } from './leash.ts'

interface Report extends Findings {
  starts: Start[]
  lives: Life[]
  retention?: Retention
  /** Measures that came to no figure. */
  failures: { measure: string; message: string }[]
}

const { only, json, ...options } = parseOptions(process.argv.slice(2))
const closers: (() => Promise<void> | void)[] = []
const close = async () => {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
}
leash()
onStopSignal(() => close().finally(() => process.exit(1)))

try {
  await main()
} finally {
  await close()
}

async function main(): Promise<void> {
  const setting = await prepare()
  const about = {
    ...options,
    ...{ node: process.version, postgresql: setting.databases.version, processors: availableParallelism() },
  }
  say(
    `${about.seconds} s a run, ${about.callers} callers, medians of ${about.rounds} rounds, ${about.mode} key, ` +
      `${about.rows} rows; Node ${about.node}, PostgreSQL ${[about.postgresql, ...about.postgres].join(' ')}, ` +
      `${about.processors} processors`,
  )
  const report = await measureAll(setting)
  if (json) process.stdout.write(`${JSON.stringify({ about, ...report }, null, 2)}\n`)
  if (report.failures.length > 0) process.exitCode = 1
}

async function prepare(): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const databases = await openDatabases(options.postgres)
  closers.push(databases.stop)
  const load = startLoad()
  closers.push(load.end, endServers)
  const provider = options.channel === 'sandbox' ? undefined : await startProvider(options.channel, folder)
  if (provider) closers.push(provider.end)
  const { against, rows } = options
  const where = { databases, folder, rows }
  const service = (name: string, slug: string, root: string) => prepareService({ name, slug, root }, where)
  const [bare, ...services] = await Promise.all([
    prepareBare(where),
    service('Watchword', 'ours', options.package ?? join(import.meta.dirname, '..')),
    ...(against ? [service(against, 'other', against)] : []),
  ])
  return { ...options, ...where, load, provider, bare, services }
}

/** A measure that fails does not keep the others from being made. */
async function measureAll(setting: Setting): Promise<Report> {
  const report: Report = { figures: [], ratios: [], starts: [], lives: [], failures: [] }
  const attempt = async (measure: string, title: string, work: () => Promise<string>) => {
    if (!only.includes(measure)) return
    try {
      say(`${title}\n${await work()}`)
    } catch (error) {
      const { message } = error as Error
      report.failures.push({ measure, message })
      process.stderr.write(`${title}: failed: ${message}\n`)
    }
  }
  const add = ({ figures, ratios }: Findings) => {
    report.figures.push(...figures)
    report.ratios.push(...ratios)
    return measureLines(figures, ratios)
  }
  say(`\n${heading()}`)
  for (const measure of measures) {
    await attempt(measure.name, measure.title, async () => add(await measureRequests(measure, setting)))
  }
  await attempt('judged', 'send a code that rules judge', async () => add(await measureJudged(setting)))
  await attempt('notify-full', 'send a notification that has everything', async () =>
    add(await measureNotifyFull(setting)),
  )
  await attempt('deliver', 'deliver and settle, one worker', async () => add(await measureDelivery(setting)))
  await attempt('due', 'take what is due, deliver and settle it, one worker', async () =>
    add(await measureDue(setting)),
  )
  await attempt('hand-over', 'from the request to the provider', async () => add(await measureHandOver(setting)))
  await attempt('beside', 'a code of an account, beside others with a slow gateway', async () =>
    add(await measureBeside(setting)),
  )
  await attempt('reports', 'a code of an account, beside reports to another one', async () => {
    const findings = await measureReports(setting)
    return `${add(findings)}\n\n${reportsTable(findings.figures)}\n`
  })
  await attempt('events', 'bring events, one worker; one endpoint of ten hangs', async () =>
    add(await measureEvents(setting)),
  )
  await attempt('hanging', 'wait for an event beside 1,000 new endpoints that hang', async () =>
    add(await measureHanging(setting)),
  )
  await attempt('told', 'send a code that somebody is told of', async () => add(await measureTold(setting)))
  await attempt('start', 'start on the embedded database', async () => {
    report.starts = await measureStart(setting)
    return startLines(report.starts)
  })
  await attempt('years', 'with the messages of a month', async () => {
    const { findings, retention } = await measureYears(options.years ?? 100_000, setting, say)
    report.retention = retention
    return [...findings.map((found) => `${found.title}\n${add(found)}`), retentionLines(retention)].join('\n')
  })
  await attempt('life', 'a code from its request to the right answer', async () => {
    report.lives = await measureLives(setting)
    return lifeLines(report.lives)
  })
  return report
}

function say(text: string): void {
  if (!json) process.stdout.write(`${text}\n`)
}
