/**
 * Runs a whole installation for as long as is wanted, with callers, faults at random and dashboards open, and fails when
 * something was lost or grows. What the figures mean: docs/operations.md.
 */
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { leash } from './leash.ts'
import { createCalm } from './soak/calm.ts'
import { type Client, createClient } from './soak/client.ts'
import { openDashboards, page } from './soak/dashboards.ts'
import { startFaults } from './soak/faults.ts'
import { createFindings, type Findings } from './soak/findings.ts'
import { createLatencies, type Latencies } from './soak/latency.ts'
import { createLedger } from './soak/ledger.ts'
import { type Load, startLoad } from './soak/load.ts'
import { startBusy } from './soak/machine.ts'
import { parseOptions } from './soak/options.ts'
import { prove, settle } from './soak/proof.ts'
import { buildReport, type Facts, formatReport } from './soak/report.ts'
import { openScene, type Scene } from './soak/scene.ts'
import { live } from './soak/stories.ts'
import { drawStories } from './soak/story.ts'
import { type Series, startWatch, type Watch } from './soak/watch.ts'

/** Of the measuring of the top rate. */
const [rampSeconds, rampCallers] = [10, 48]
const settleMsMax = 100_000
const minuteMs = 60_000
/** What is left of a minute at the end counts from then on. */
const leastMs = 20_000
const twiceMs = 2000

const options = parseOptions(process.argv.slice(2))
leash()
const closers: (() => Promise<unknown>)[] = []
const interrupted = new AbortController()
let interruptedAt = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)

try {
  await main()
} finally {
  await close()
}

async function main(): Promise<void> {
  const startedAt = new Date()
  say(`Seed ${options.seed}: starts PostgreSQL with a standby, four processes, providers and an endpoint.`)
  const findings = createFindings()
  const scene = await openScene({ findings, root: options.package }, closers)
  const parts = createParts(scene, findings)
  const { client, latencies, calm, ledger, load } = parts
  const dashboards = await openDashboards({
    urls: Array.from({ length: options.dashboards }, (_one, index) =>
      scene.fleet.dashboardUrl(index % 3 === 2 ? 'serve 2' : 'serve 1'),
    ),
    ...{ token: scene.token, recentId: ledger.recent, calm, latencies, findings },
  })
  const watch = startWatch({ ...parts, fleet: scene.fleet, databasePorts: scene.database.ports })
  const rate = await rateFor(load)
  const before = client.counts().requests
  load.setRate(rate.requestsPerSecond)
  const busy = startBusy()
  const { faultEvery, seed } = options
  const faults = options.faults ? startFaults(scene, { seed, everySeconds: faultEvery, calm, findings }) : undefined
  const minutes = await watchMinutes({ ...parts, watch, faults: () => faults?.counts() ?? {} })

  // From here on all is whole, so that what waits can end.
  await faults?.stop()
  // A Ctrl-C at the terminal goes to the database, too.
  await scene.database.revive()
  const machine = { busy: busy(), stalls: calm.stalls() }
  scene.mailbox.close()
  await Promise.all([load.stop(), dashboards.stop(), watch.stop()])
  const proved = await scene.ask(async (sql) => {
    await settle(sql, Math.min(settleMsMax, (options.minutes * minuteMs) / 2))
    return prove(sql, { ledger, findings, receiver: scene.receiver, simLog: scene.simLog })
  })
  await conclude({
    about: { ...{ seed, minutes, startedAt: startedAt.toISOString() }, ...(await aboutMachine(scene)) },
    rate: { ...rate, reached: (client.counts().requests - before) / minutes / 60, skippedStories: load.skipped() },
    machine,
    client: client.counts(),
    byKind: latencies.byKind(),
    minutes: latencies.minutes(),
    series: watch.series(),
    faults: faults?.counts() ?? {},
    dashboards: dashboards.counts(),
    scrapes: watch.scrapes(),
    proved,
    findings: findings.list(),
  })
}

function createParts({ fleet, key, inlet, mailbox, simulator }: Scene, findings: Findings) {
  const [calm, latencies, ledger] = [createCalm(), createLatencies(page), createLedger()]
  const urls = [fleet.apiUrl('serve 1'), fleet.apiUrl('serve 2')]
  const client = createClient({ urls, key, inlet, calm, latencies, findings })
  closers.push(client.close, async () => calm.close())
  const reply = async (messageId: string, text: string) => {
    const posted = await simulator.reply(messageId, text)
    return posted !== undefined && 'answered' in posted && posted.answered === 200
  }
  const parts = { client, ledger, mailbox, reply, findings }
  const load = startLoad({ client, story: drawStories(options.seed), live: (one, phone) => live(one, phone, parts) })
  return { calm, latencies, ledger, client, findings, load }
}

async function rateFor(load: Load) {
  const measuredTop = options.rate === undefined ? await load.measureTop(rampSeconds, rampCallers) : null
  const requestsPerSecond = options.rate ?? measuredTop! / 2
  const half = measuredTop === null ? '' : `, half of ${Math.round(measuredTop)}`
  say(`${Math.round(requestsPerSecond)} requests a second${half}.`)
  return { requestsPerSecond, measuredTop }
}

interface Minutely {
  watch: Watch
  latencies: Latencies
  client: Client
  findings: Findings
  faults: () => Record<string, number>
}

/** @returns how many there were, when the time is over or somebody has ended it */
async function watchMinutes({ watch, latencies, client, findings, faults }: Minutely): Promise<number> {
  const { signal } = interrupted
  const startedAt = performance.now()
  const endsAt = startedAt + options.minutes * minuteMs
  // What came before is no minute of the run.
  for (const part of [watch, latencies]) part.turn(0)
  latencies.forget()
  for (let minute = 1; !signal.aborted && performance.now() < endsAt; minute++) {
    const from = startedAt + (minute - 1) * minuteMs
    await wait(Math.min(endsAt, from + minuteMs) - performance.now(), undefined, { signal }).catch(() => {})
    if (performance.now() - from < leastMs) break
    const { requests, p50Ms, p99Ms } = latencies.turn(minute)
    const seen = watch.turn(minute)
    const seconds = (performance.now() - from) / 1000
    const broken = Object.values(faults()).reduce((sum, count) => sum + count, 0)
    say(
      `${new Date().toISOString().slice(11, 19)}  minute ${minute}: ${Math.round(requests / seconds)} answers a second, ` +
        `p50 ${rounded(p50Ms)} ms, p99 ${rounded(p99Ms)} ms; ${seen.map(shortenName).join('; ')}; ` +
        `${broken} faults, ${client.counts().repeated} repeated, ${findings.list().length} wrong`,
    )
  }
  return (performance.now() - startedAt) / minuteMs
}

function shortenName({ name, minutes }: Series): string {
  const { rssMb, heapMb, handles, connections } = minutes.at(-1) ?? {}
  return `${name} ${rounded(rssMb)}/${rounded(heapMb)} MB ${handles ?? '-'} handles ${connections ?? '-'} conn.`
}

function rounded(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : String(Math.round(value))
}

async function aboutMachine({ ask }: Scene) {
  const [version] = await ask((sql) => sql`select current_setting('server_version') as text`)
  return { node: process.version, processors: availableParallelism(), postgresql: String(version?.text) }
}

async function conclude(facts: Facts): Promise<void> {
  const report = buildReport(facts)
  say(`\n${formatReport(report)}`)
  if (options.report !== undefined) await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`)
  if (report.wrong.length > 0) process.exitCode = 1
}

async function close(): Promise<void> {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch(complain)
}

/** Ends the run with its report; the second time without. One Ctrl-C may come twice: from the terminal, and from npm. */
function interrupt(): void {
  if (interrupted.signal.aborted) {
    if (performance.now() > interruptedAt + twiceMs) close().finally(() => process.exit(130))
    return
  }
  interruptedAt = performance.now()
  say('\nEnds: what was acknowledged is looked at still.')
  interrupted.abort()
}

function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
