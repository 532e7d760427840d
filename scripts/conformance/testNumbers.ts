/** The numbers that behave on purpose with a test key, read from the table in the contract's guide. */
import { randomInt } from 'node:crypto'
import { contract } from '../../src/contract/document.ts'

interface TestNumbers {
  /** As the contract says it. */
  outcome: string
  first: string
  count: number
}

const row = /^\| `(\+[\d ]+)` to `(\d+)` \| (.+?) *\|$/gm

export const testNumbers: readonly TestNumbers[] = Array.from(
  contract['x-guide'].matchAll(row),
  ([, from = '', to = '', outcome = '']) => {
    const first = from.replaceAll(' ', '')
    return { outcome, first, count: Number(to) - Number(first.slice(-to.length)) + 1 }
  },
)

/** One of its numbers: two runs at once seldom take the same. @throws Error when the contract has no such outcome */
export function numberThatIs(outcome: string): string {
  const found = testNumbers.find((numbers) => numbers.outcome === outcome)
  if (!found) throw new Error(`the contract has no test number for: ${outcome}`)
  return `+${Number(found.first) + randomInt(found.count)}`
}
