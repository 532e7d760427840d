/** The figures of an account: what was sent, what arrived and how soon, and how many codes came back. */

import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { latencyPlaces } from '../../store/insight/counting.ts'
import {
  findByConnection,
  findByCountry,
  findSeries,
  findTotals,
  type Range,
  type Sums,
  type TimedSums,
} from '../../store/insight/figure.ts'
import { findSpend, type SpendSums } from '../../store/insight/spend.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { type Actor, requireRole } from '../access/actor.ts'

/**
 * Milliseconds from creation to delivery at which the places of a latency begin, but for the first. There is one place more
 * than there are bounds.
 */
export const latencyBoundsMs = [
  100, 250, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 3_600_000,
] as const

export function noLatencies(): number[] {
  return Array.from({ length: latencyPlaces }, () => 0)
}

export interface Latency {
  ms: number
  /** It is more than that: how much more, is not known. */
  isMore: boolean
}

/**
 * The time in which a part of the messages was delivered, as exact as the places are: within one, they are taken to be
 * spread evenly.
 *
 * @param part 0.5 for the half
 * @returns undefined when none was delivered
 */
export function computeLatency(latencies: readonly number[], part: number): Latency | undefined {
  const count = latencies.reduce((sum, one) => sum + one, 0)
  if (count === 0) return undefined
  let left = part * count
  const place = latencies.findIndex((one) => {
    if (one > 0 && left <= one) return true
    left -= one
    return false
  })
  const from = latencyBoundsMs[place - 1] ?? 0
  const to = latencyBoundsMs[place]
  if (to === undefined) return { ms: from, isMore: true }
  return { ms: from + (to - from) * (left / latencies[place]!), isMore: false }
}

/** The spans that can be looked at: the last 24 hours by the hour, or days of UTC. The running one is among them. */
export const spans = ['24h', '7d', '30d'] as const
export type Span = (typeof spans)[number]

export interface Rates extends Sums {
  /** Verified of the verifications that were sent, 0 to 1; undefined when none was. */
  conversion: number | undefined
  /** Of those that were reported to have arrived: half of them took no longer. */
  p50: Latency | undefined
  /** 95 of a hundred took no longer. */
  p95: Latency | undefined
}

export interface Overview {
  grain: 'hour' | 'day'
  /** One for each hour or day, the oldest first. */
  series: (Sums & { at: Date })[]
  totals: Rates
  /**
   * The hours of it that are over, and as many of the span before, at the same time of the day: what can be compared, while
   * the running hour is not full.
   */
  compared: { now: Rates; before: Rates }
  /** The one with the most messages first. `country` is empty for numbers of no country. */
  countries: (Sums & Pick<Rates, 'conversion'> & { country: string })[]
  channels: (Rates & { connection: string })[]
  /** What providers charge, as far as they say so: each currency for itself. */
  spend: SpendSums
}

export interface Figures {
  /** @throws Forbidden */
  overview: (actor: Actor, of: { accountId: string; mode: Mode }, span: Span) => Promise<Overview>
}

export interface FigureParts {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
}

/** What they are read from is some seconds behind: see `counting.ts`. */
export function createFigures({ commit: { reader }, runtime }: FigureParts): Figures {
  return {
    overview: async (actor, of, span) => {
      requireRole(actor, 'viewer', of.accountId)
      const { whole, now, before, steps } = toRanges(span, runtime.now())
      const [found, countries, channels, parts, spend] = await Promise.all([
        findSeries(reader, of, whole),
        findByCountry(reader, of, whole),
        findByConnection(reader, of, whole),
        findTotals(reader, of, [...now, ...before]),
        findSpend(reader, of, whole),
      ])
      const compared = {
        now: toRates(addUp(parts.slice(0, now.length))),
        before: toRates(addUp(parts.slice(now.length))),
      }
      const byTime = new Map(found.map((point) => [point.at.getTime(), point]))
      return {
        grain: whole.grain === 'day' ? 'day' : 'hour',
        series: steps.map((at) => byTime.get(at.getTime()) ?? { ...nothing, at }),
        totals: toRates(addUp(channels)),
        compared,
        countries: mostFirst(countries, ({ country }) => country).map((one) => ({
          ...one,
          conversion: conversionOf(one),
        })),
        channels: mostFirst(channels, ({ connection }) => connection).map(({ connection, ...one }) => ({
          ...toRates(one),
          connection,
        })),
        spend,
      }
    },
  }
}

const nothing: Sums = {
  ...{ created: 0, delivered: 0, onTheWay: 0, failed: 0, expired: 0, replaced: 0 },
  ...{ verificationsSent: 0, verified: 0 },
}
const hourMs = 3600 * 1000
const dayMs = 24 * hourMs

interface Ranges {
  whole: Range
  now: Range[]
  before: Range[]
  steps: Date[]
}

/** What is read for a span: figures are kept by the hour and by the day of UTC. */
export function toRanges(span: Span, at: Date): Ranges {
  const hour = Math.floor(at.getTime() / hourMs) * hourMs
  if (span === '24h') {
    const [from, to] = [hour - 23 * hourMs, hour + hourMs]
    return {
      whole: rangeOf('hour', from, to),
      now: [rangeOf('hour', from, hour)],
      before: [rangeOf('hour', from - dayMs, hour - dayMs)],
      steps: stepsOf(from, to, hourMs),
    }
  }
  const lengthMs = (span === '7d' ? 7 : 30) * dayMs
  const today = Math.floor(at.getTime() / dayMs) * dayMs
  const [from, to] = [today + dayMs - lengthMs, today + dayMs]
  const over = (backMs: number) => [
    rangeOf('day', from - backMs, today - backMs),
    rangeOf('hour', today - backMs, hour - backMs),
  ]
  return { whole: rangeOf('day', from, to), now: over(0), before: over(lengthMs), steps: stepsOf(from, to, dayMs) }
}

function rangeOf(grain: 'hour' | 'day', from: number, to: number): Range {
  return { grain, from: new Date(from), to: new Date(to) }
}

function stepsOf(from: number, to: number, widthMs: number): Date[] {
  return Array.from({ length: (to - from) / widthMs }, (_, index) => new Date(from + index * widthMs))
}

function mostFirst<One extends Sums>(list: readonly One[], nameOf: (one: One) => string): One[] {
  return list
    .filter(({ created }) => created > 0)
    .toSorted((one, other) => other.created - one.created || (nameOf(one) < nameOf(other) ? -1 : 1))
}

function conversionOf({ verificationsSent, verified }: Sums): number | undefined {
  return verificationsSent > 0 ? verified / verificationsSent : undefined
}

function addUp(list: readonly TimedSums[]): TimedSums {
  const sum = { ...nothing, latencies: noLatencies() }
  for (const { latencies, ...sums } of list) {
    for (const name of Object.keys(nothing) as (keyof Sums)[]) sum[name] += sums[name]
    latencies.forEach((count, place) => {
      sum.latencies[place]! += count
    })
  }
  return sum
}

function toRates({ latencies, ...sums }: TimedSums): Rates {
  return {
    ...sums,
    conversion: conversionOf(sums),
    p50: computeLatency(latencies, 0.5),
    p95: computeLatency(latencies, 0.95),
  }
}
