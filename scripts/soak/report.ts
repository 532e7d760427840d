/** The report: figures by process and of latency with their slopes, what broke, what callers were told, and what is wrong. */
import { table } from '../../src/kit/terminal.ts'
import type { Counts } from './client.ts'
import type { Finding } from './findings.ts'
import { steady } from './fleet.ts'
import type { Minute } from './latency.ts'
import { fitLatencyTrend, fitTrend, type Measure, measures, type Trend } from './limits.ts'
import type { Proved } from './proof.ts'
import type { Point } from './slope.ts'
import type { Series } from './watch.ts'

export interface Facts {
  about: { seed: number; minutes: number; node: string; processors: number; postgresql: string; startedAt: string }
  rate: { requestsPerSecond: number; measuredTop: number | null; reached: number; skippedStories: number }
  /** `busy`: of all processors, from 0 to 1, by the run, its callers and providers, and whoever else is there. */
  machine: { busy: number; stalls: number }
  client: Counts
  byKind: Record<string, { requests: number; p50Ms: number; p99Ms: number }>
  minutes: readonly Minute[]
  series: readonly Series[]
  faults: Record<string, number>
  dashboards: { pages: number; parts: number; missed: number }
  scrapes: { taken: number; missed: number }
  proved: Proved | null
  findings: Finding[]
}

export interface Report extends Facts {
  trends: Row[]
  /** One line for each thing that is wrong; nothing where all is well. */
  wrong: string[]
}

interface Row extends Trend {
  of: string
  measure: string
}

const units: Record<Measure, string> = {
  rssMb: 'memory, MB',
  heapMb: 'heap in use, MB',
  handles: 'handles',
  connections: 'connections to the database',
}

export function buildReport(facts: Facts): Report {
  const trends = [
    ...facts.series.flatMap((one) => measures.map((measure) => buildRow(one, measure))),
    latencyRow('requests', 'p50, ms', pointsOf(facts.minutes, 'p50Ms')),
    { ...latencyRow('requests', 'p99, ms', pointsOf(facts.minutes, 'p99Ms')), isTooMuch: false },
    latencyRow('from a request to the provider', 'p50, ms', pointsOf(facts.proved?.handOvers ?? [], 'p50Ms')),
  ].filter((row) => row.perHour !== undefined || steady.some((name) => row.of === `${name}, process 1`))
  const growing = trends.filter(({ isTooMuch }) => isTooMuch)
  const wrong = [
    ...growing.map(({ of, measure, perHour, first, last }) => {
      return `${of}: ${measure} grows: ${number(perHour)} an hour, from ${number(first)} to ${number(last)}`
    }),
    ...facts.findings.map(({ what, count, example }) => `${what} (${count} times)${example && `: ${example}`}`),
  ]
  return { ...facts, trends, wrong }
}

function buildRow({ name, turn, minutes }: Series, measure: Measure): Row {
  const points = minutes.flatMap(({ minute, [measure]: value }) => (value === undefined ? [] : [{ minute, value }]))
  return { of: `${name}, process ${turn}`, measure: units[measure], ...fitTrend(measure, points) }
}

function latencyRow(of: string, measure: string, points: Point[]): Row {
  return { of, measure, ...fitLatencyTrend(points) }
}

function pointsOf<Key extends string>(minutes: readonly ({ minute: number } & Record<Key, number | null>)[], key: Key) {
  return minutes.flatMap(({ minute, [key]: value }): Point[] => (value === null ? [] : [{ minute, value }]))
}

export function formatReport(report: Report): string {
  const { about, rate, machine, client, byKind, dashboards, scrapes, faults, proved, trends, wrong } = report
  const kinds = Object.entries(byKind).map(([kind, { requests, p50Ms, p99Ms }]) => {
    return { asked: kind, requests, 'p50 ms': number(p50Ms), 'p99 ms': number(p99Ms) }
  })
  const slopes = trends.map(({ of, measure, first, last, perHour, isTooMuch }) => {
    const told = perHour === undefined ? 'too short to tell' : number(perHour)
    return { of, measure, first: number(first), last: number(last), 'an hour': told, '': isTooMuch ? 'grows' : '' }
  })
  const statuses = Object.entries(client.byStatus).map(([status, count]) => `${count} of status ${status}`)
  return [
    `${number(about.minutes)} minutes at ${number(rate.reached)} requests a second (${number(rate.requestsPerSecond)} wanted), seed ${about.seed}.`,
    `${about.processors} processors, ${percent(machine.busy)} busy, with callers and providers. The machine stood still ${machine.stalls} times.`,
    `${client.requests} requests: ${statuses.join(', ')}, ${client.broken} without an answer; ${client.repeated} were repeated, ${client.givenUp} given up.`,
    `Dashboards: ${dashboards.pages} pages, ${dashboards.parts} parts, ${dashboards.missed} not to be had. Operations ports: ${scrapes.taken} answers, ${scrapes.missed} missing.`,
    `Broken: ${formatCounts(faults) || 'nothing'}.`,
    proved ? provedText(proved) : 'Nothing was proved.',
    `\nWhile nothing was broken:\n${table(kinds)}`,
    `\nAfter the first quarter, the middle of the first and of the last third, and the slope:\n${table(slopes)}`,
    wrong.length === 0 ? '\nAll is well.' : `\nWRONG:\n${wrong.map((fault) => `  ${fault}`).join('\n')}`,
  ].join('\n')
}

function provedText({ acknowledged, found, byStatus, verified, explained, events, sim }: Proved): string {
  const open = formatCounts(explained)
  return (
    `Of ${acknowledged} messages that were acknowledged, ${found} are there: ${formatCounts(byStatus)}; ${verified} codes verified. ` +
    `${open && `Without an end yet: ${open}. `}Events: ${formatCounts(events)}. ` +
    `The SIM was handed ${sim.taken}, at most ${sim.mostInAMinute} in a minute.`
  )
}

function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}

function number(value: number | undefined): string {
  return value === undefined ? '' : String(Math.round(value * 10) / 10)
}
