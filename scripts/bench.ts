/**
 * Measures the service beside bare servers, in the same run and on the same PostgreSQL, and prints the ratios. What the
 * figures mean: docs/performance.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { prepareBare } from './bench/bare.ts'
import { openDatabases } from './bench/database.ts'
import { measureDelivery } from './bench/delivery.ts'
import { startLoad } from './bench/load.ts'
import { measures } from './bench/measures.ts'
import { heading, measureLines, startLines } from './bench/report.ts'
import { type Bench, type Findings, measureRequests } from './bench/requests.ts'
import { endServers } from './bench/server.ts'
import { prepareService } from './bench/service.ts'
import { measureStart, type Start } from './bench/start.ts'

interface Options {
  seconds: number
  callers: number
  rounds: number
  rows: number
  only?: string[]
  mode: 'live' | 'test'
  against?: string
  json?: boolean
}

const names = [...measures.map(({ name }) => name), 'deliver', 'start']

const options = new Command('npm run bench --')
  .description('Measures the service beside bare servers, on the same PostgreSQL. See docs/performance.md.')
  .option('--seconds <number>', 'how long a run takes', positive, 5)
  .option('--callers <number>', 'requests under way at any moment; 1 for the latency of a lone one', whole, 32)
  .option('--rounds <number>', 'runs of each server, in turn; the median counts', whole, 3)
  .option('--rows <number>', 'messages and phones that are there from the start', count, 0)
  .option('--only <names>', `some of ${names.join(',')}; check is both checks`, chosen)
  .addOption(new Option('--mode <mode>', 'of the key').choices(['live', 'test']).default('live'))
  .option('--against <folder>', 'another checkout, whose service is measured in turn with ours', (path) =>
    resolve(path),
  )
  .option('--json', 'print one JSON value')
  .parse()
  .opts<Options>()

const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'))
const load = startLoad()
const databases = await openDatabases()
const close = async () => {
  load.end()
  endServers()
  await databases.stop()
  await rm(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => close().finally(() => process.exit(1)))

try {
  await main()
} finally {
  await close()
}

async function main(): Promise<void> {
  const { only = names, json, ...settings } = options
  const say = (text: string) => {
    if (!json) process.stdout.write(`${text}\n`)
  }
  const about = {
    ...settings,
    node: process.version,
    postgresql: databases.version,
    processors: availableParallelism(),
  }
  say(
    `${about.seconds} s a run, ${about.callers} callers, medians of ${about.rounds} rounds, ${about.mode} key, ${about.rows} rows; ` +
      `Node ${about.node}, PostgreSQL ${about.postgresql}, ${about.processors} processors\n\n${heading()}`,
  )
  const bench = await prepare()
  const all: Findings & { starts: Start[] } = { figures: [], ratios: [], starts: [] }
  const add = (title: string, { figures, ratios }: Findings) => {
    say(measureLines(title, figures, ratios))
    all.figures.push(...figures)
    all.ratios.push(...ratios)
  }
  for (const measure of measures) {
    if (only.includes(measure.name)) add(measure.title, await measureRequests(measure, bench))
  }
  if (only.includes('deliver')) add('deliver and settle, one worker', await measureDelivery(bench))
  if (only.includes('start')) {
    all.starts = await measureStart(bench)
    say(startLines(all.starts))
  }
  if (json) process.stdout.write(`${JSON.stringify({ about, ...all }, null, 2)}\n`)
}

async function prepare(): Promise<Bench> {
  const { against, rows } = options
  const with_ = { databases, folder, rows }
  const ours = await prepareService({ name: 'Watchword', slug: 'ours', root: join(import.meta.dirname, '..') }, with_)
  const other = against && (await prepareService({ name: against, slug: 'other', root: against }, with_))
  return { ...options, ...with_, load, bare: await prepareBare(with_), services: other ? [ours, other] : [ours] }
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It is a number above 0.')
  return value
}

function count(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

function whole(text: string): number {
  return positive(String(count(text)))
}

function chosen(text: string): string[] {
  return text.split(',').flatMap((wanted) => {
    const found = names.filter((name) => name === wanted || name.startsWith(`${wanted}-`))
    if (found.length === 0) throw new InvalidArgumentError(`It is some of ${names.join(', ')}.`)
    return found
  })
}
