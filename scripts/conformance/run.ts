/** Runs the checks one after the other, and keeps what came of each. */
import type { Check, Suite } from './check.ts'
import { answers, otherAnswers } from './checks/answers.ts'
import { atOnce } from './checks/atOnce.ts'
import { codes } from './checks/codes.ts'
import { published } from './checks/contract.ts'
import { everyAnswer } from './checks/everyAnswer.ts'
import { listing } from './checks/listing.ts'
import { repeats } from './checks/repeats.ts'
import { statuses } from './checks/statuses.ts'
import type { Deployment } from './deployment.ts'
import { Broken, linesOf, NotTried, Unusable } from './finding.ts'

export const suites: readonly Suite[] = [
  published,
  answers,
  statuses,
  codes,
  repeats,
  listing,
  atOnce,
  otherAnswers,
  everyAnswer,
]

/** Of a check that broke. */
const stackLinesMax = 15

export interface Outcome {
  suite: string
  title: string
  state: 'passed' | 'failed' | 'not tried'
  /** Why it did not pass. */
  words: string
  seconds: number
}

export interface Run {
  deployment: Deployment
  /** Only checks whose suite or title has this text in it. */
  only?: string | undefined
  /** Told of each outcome as it comes. */
  onOutcome: (outcome: Outcome) => void
}

/** @throws Unusable */
export async function runChecks({ deployment, only = '', onOutcome }: Run): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { name: suite, checks } of suites) {
    for (const check of checks) {
      if (!`${suite}: ${check.title}`.toLowerCase().includes(only.toLowerCase())) continue
      const outcome = { suite, ...(await runCheck(check, deployment)) }
      outcomes.push(outcome)
      onOutcome(outcome)
    }
  }
  return outcomes
}

async function runCheck({ title, run }: Check, deployment: Deployment): Promise<Omit<Outcome, 'suite'>> {
  const startedAt = performance.now()
  const ended = (state: Outcome['state'], words: string) => {
    const seconds = (performance.now() - startedAt) / 1000
    return { title, state, words, seconds }
  }
  try {
    await run(deployment)
    return ended('passed', '')
  } catch (error) {
    if (error instanceof NotTried) return ended('not tried', error.message)
    if (error instanceof Broken) return ended('failed', error.message)
    if (error instanceof Unusable) throw error
    return ended(
      'failed',
      linesOf(`the check itself broke: ${(error as Error).stack}`.split('\n').slice(0, stackLinesMax)),
    )
  }
}
