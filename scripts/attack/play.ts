/** Plays attacks beside honest traffic, and honest crowds without and with an attack in them, and counts what came through. */
import { createHonest, type PlayedSend } from './honest.ts'
import type { Pattern } from './patterns.ts'
import { createChance } from './random.ts'
import type { Scenario } from './scenarios.ts'
import type { OpenStage } from './stage.ts'

/** What became of the sends of a day. */
export interface Played {
  sends: number
  passed: number
  /** Of the sends of the attack after its first ones, the part that was stopped; 1 when there are none. */
  stoppedLater: number
  /** Milliseconds from the first send of the attack to the first that was stopped; undefined when none was. */
  firstStopAfter: number | undefined
  honest: number
  honestStopped: number
  /** The rules that stopped the attack, with how many sends. */
  rules: [rule: string, sends: number][]
  /** Of all sends, honest ones too, in their order: which were stopped. */
  stopped: boolean[]
}

export interface PlayedPattern extends Played, Pick<Pattern, 'name' | 'about' | 'isGoal'> {}

export interface PlayedScenario extends Pick<Scenario, 'name' | 'about'> {
  alone: Played
  /** With each attack in the middle of it. */
  attacked: (Played & { pattern: string })[]
}

export interface PlayOptions {
  seed: number
  /** Honest people come only from two hours before the attack until its end. */
  isShort?: boolean | undefined
}

const dayMs = 86_400_000
/** Days of honest traffic before, so that the rules know how an honest day looks. */
const daysBefore = 15
const quietDays = 7
/** Sends of an attack after which it is to be stopped. */
export const firstSends = { beside: 50, inTheMiddle: 100 }
const shortMs = 2 * 3_600_000
/** A Tuesday. */
const attackDay = Date.UTC(2026, 2, 10)

export async function playPattern(
  pattern: Pattern,
  openStage: OpenStage,
  { seed, isShort = false }: PlayOptions,
): Promise<PlayedPattern> {
  const { before, day } = usualDays(seed, pattern.quiet)
  const attack = pattern.sends(createChance(seed), attackDay)
  const beside = isShort ? day.filter(({ at }) => at > attack[0]!.at - shortMs && at < attack.at(-1)!.at) : day
  const { name, about, isGoal } = pattern
  return { name, about, isGoal, ...(await play(openStage, before, [...beside, ...attack], firstSends.beside)) }
}

export async function playScenario(
  { name, about, hasPast, middle, sends: sendsOf }: Scenario,
  patterns: readonly Pattern[],
  openStage: OpenStage,
  { seed }: PlayOptions,
): Promise<PlayedScenario> {
  const { before, day } = hasPast ? usualDays(seed, undefined) : { before: [], day: [] }
  const honest = sendsOf(createChance(seed), attackDay, day)
  const alone = await play(openStage, before, honest, firstSends.inTheMiddle)
  const attacked: PlayedScenario['attacked'] = []
  for (const pattern of patterns) {
    const attack = pattern.sends(createChance(seed + 1), attackDay)
    const later = attackDay + middle - attack[0]!.at
    const moved = attack.map((send) => ({ ...send, at: send.at + later }))
    const played = await play(openStage, before, [...honest, ...moved], firstSends.inTheMiddle)
    attacked.push({ pattern: pattern.name, ...played })
  }
  return { name, about, alone, attacked }
}

/** The last days that were made: most plays have the same. */
const made = new Map<string, { before: PlayedSend[]; day: PlayedSend[] }>()

function usualDays(seed: number, quiet: string | undefined) {
  const name = `${seed} ${quiet}`
  const known = made.get(name)
  if (known) return known
  const people = createHonest(createChance(seed))
  const before = Array.from({ length: daysBefore }, (_, index) => daysBefore - index).flatMap((day) =>
    people.day(attackDay - day * dayMs, (country) => country === quiet && day <= quietDays),
  )
  const days = { before, day: people.day(attackDay, (country) => country === quiet) }
  made.set(name, days)
  return days
}

/** @param first sends of the attack after which it is to be stopped */
async function play(
  openStage: OpenStage,
  before: readonly PlayedSend[],
  given: readonly PlayedSend[],
  first: number,
): Promise<Played> {
  const sends = given.toSorted((one, other) => one.at - other.at)
  const stage = await openStage(before)
  const outcomes: { send: PlayedSend; stoppedBy: string[] }[] = []
  try {
    for (const send of sends) outcomes.push({ send, stoppedBy: await stage.send(send) })
  } finally {
    await stage.close()
  }
  return summarize(outcomes, first)
}

function summarize(outcomes: readonly { send: PlayedSend; stoppedBy: string[] }[], firstCount: number): Played {
  const [honest = [], attack = []] = [true, false].map((is) => outcomes.filter(({ send }) => send.isHonest === is))
  const stopped = (list: typeof attack) => list.filter(({ stoppedBy }) => stoppedBy.length > 0)
  const later = attack.slice(firstCount)
  const [first] = stopped(attack)
  const rules = new Map<string, number>()
  for (const rule of attack.flatMap(({ stoppedBy }) => stoppedBy)) rules.set(rule, (rules.get(rule) ?? 0) + 1)
  return {
    sends: attack.length,
    passed: attack.length - stopped(attack).length,
    stoppedLater: later.length === 0 ? 1 : stopped(later).length / later.length,
    firstStopAfter: first && first.send.at - attack[0]!.send.at,
    honest: honest.length,
    honestStopped: stopped(honest).length,
    rules: [...rules].toSorted(([, one], [, other]) => other - one),
    stopped: outcomes.map(({ stoppedBy }) => stoppedBy.length > 0),
  }
}
