/** What one rule has found in a replay. */
import type { SentCode } from '../../../store/protection/replay.ts'
import { maskPhone } from '../../sending/phone.ts'
import type { RuleAct } from '../rule.ts'
import { type Cost, createCostSum } from './cost.ts'

export interface ReplayedCode {
  id: string
  /** Masked. */
  phone: string
  /** Milliseconds of Unix time. */
  at: number
  isVerified: boolean
}

export interface RuleReplay {
  /** Its id. */
  rule: string
  do: RuleAct
  /** Sends that it found. */
  found: number
  /** Those of them that were verified: people, whom it would have stopped. */
  verified: number
  /** What the others cost, as far as their providers have said so. */
  costs: Cost[]
  /** When the first hour began in which it found one, and the hour of most; undefined when it found none. */
  firstHour: number | undefined
  worstHour: { at: number; found: number } | undefined
  /** Some of those that it found; of the verified ones first. */
  examples: ReplayedCode[]
}

export interface RuleReplays {
  add: (code: SentCode) => void
  result: () => RuleReplay
}

const examplesMax = 10
/** As many of them are kept for those that were verified. */
const verifiedExamplesMax = 5
const hourMs = 3_600_000

export function createRuleReplay({ id, do: act }: { id: string; do: RuleAct }): RuleReplays {
  const costs = createCostSum()
  const hours = new Map<number, number>()
  const examples: { verified: ReplayedCode[]; other: ReplayedCode[] } = { verified: [], other: [] }
  let [found, verified] = [0, 0]
  return {
    add: (code) => {
      const isVerified = code.verifiedAt !== null
      const hour = code.at - (code.at % hourMs)
      hours.set(hour, (hours.get(hour) ?? 0) + 1)
      found += 1
      if (isVerified) verified += 1
      else costs.add(code.prices)
      const list = isVerified ? examples.verified : examples.other
      if (list.length < examplesMax) list.push({ id: code.id, phone: maskPhone(code.phone), at: code.at, isVerified })
    },
    result: () => ({
      ...{ rule: id, do: act, found, verified, costs: costs.costs() },
      firstHour: found === 0 ? undefined : Math.min(...hours.keys()),
      worstHour: findWorst(hours),
      examples: [...examples.verified.slice(0, verifiedExamplesMax), ...examples.other].slice(0, examplesMax),
    }),
  }
}

function findWorst(hours: ReadonlyMap<number, number>): RuleReplay['worstHour'] {
  const [worst] = [...hours].toSorted(([earlier, one], [later, other]) => other - one || earlier - later)
  return worst && { at: worst[0], found: worst[1] }
}
