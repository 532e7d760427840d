/** Plays a pattern beside honest traffic, and counts what came through. */
import { createHonest, type PlayedSend } from './honest.ts'
import type { Pattern } from './patterns.ts'
import { createChance } from './random.ts'
import type { OpenStage } from './stage.ts'

export interface PlayedPattern {
  name: string
  about: string
  isGoal: boolean
  sends: number
  passed: number
  /** Of the sends after the first fifty, the part that was stopped; 1 when there are none. */
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

export interface PlayOptions {
  seed: number
  /** Honest people come only from two hours before the attack until its end. */
  isShort?: boolean | undefined
}

const dayMs = 86_400_000
/** Days of honest traffic before, so that the rules know how an honest day looks. */
const daysBefore = 15
const quietDays = 7
const firstSends = 50
const shortMs = 2 * 3_600_000
/** A Tuesday. */
const attackDay = Date.UTC(2026, 2, 10)

export async function playPattern(
  pattern: Pattern,
  openStage: OpenStage,
  { seed, isShort = false }: PlayOptions,
): Promise<PlayedPattern> {
  const chance = createChance(seed)
  const people = createHonest(chance)
  const before: PlayedSend[] = []
  for (let day = daysBefore; day > 0; day--) {
    const isQuiet = (country: string) => country === pattern.quiet && day <= quietDays
    before.push(...people.day(attackDay - day * dayMs, isQuiet))
  }
  const honest = people.day(attackDay, (country) => country === pattern.quiet)
  const attack = pattern.sends(chance, attackDay)
  const beside = isShort ? honest.filter(({ at }) => at > attack[0]!.at - shortMs && at < attack.at(-1)!.at) : honest
  const sends = [...beside, ...attack].toSorted((one, other) => one.at - other.at)
  const stage = await openStage(before)
  const outcomes: { send: PlayedSend; stoppedBy: string[] }[] = []
  try {
    for (const send of sends) outcomes.push({ send, stoppedBy: await stage.send(send) })
  } finally {
    await stage.close()
  }
  const stopped = outcomes.map(({ stoppedBy }) => stoppedBy.length > 0)
  const { name, about, isGoal } = pattern
  return { name, about, isGoal, ...summaryOf(outcomes), stopped }
}

function summaryOf(outcomes: readonly { send: PlayedSend; stoppedBy: string[] }[]) {
  const [honest = [], attack = []] = [true, false].map((is) => outcomes.filter(({ send }) => send.isHonest === is))
  const stopped = (list: typeof attack) => list.filter(({ stoppedBy }) => stoppedBy.length > 0)
  const later = attack.slice(firstSends)
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
  }
}
