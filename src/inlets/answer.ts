/** What the system that posted is answered, in its own way: by the table of the kind's file. */
import { type ErrorCode, Problem, statusOfCode, unavailable } from '../kit/problem.ts'
import { isUnavailable } from '../store/engine/failure.ts'
import type { KindFile } from './kindSchema.ts'

/** What came of a post. */
export type PostOutcome = 'accepted' | 'unreadable' | ErrorCode

export interface PostAnswer {
  status: number
  type: string
  text: string
}

/** @returns undefined where the file has no answer: then the door has its own */
export function compileAnswers(file: KindFile): (outcome: PostOutcome) => PostAnswer | undefined {
  const { answer: table } = file
  const made = new Map(
    Object.entries(table).map(([name, { status, type, body }]): [string, PostAnswer] => {
      const text = body === undefined ? '' : type === 'application/json' ? JSON.stringify(body) : String(body)
      return [name, { status, type, text }]
    }),
  )
  return (outcome) => made.get(outcome) ?? made.get(findGroup(outcome) ?? '')
}

/** Undefined where an outcome stands for itself alone. */
function findGroup(outcome: PostOutcome): 'later' | 'refused' | undefined {
  if (outcome === 'accepted' || outcome === 'unreadable') return undefined
  return isLater(outcome) ? 'later' : 'refused'
}

/** What passes by itself within seconds: the system is to try again. The limits of a phone take longer. */
export function isLater(code: ErrorCode): boolean {
  return statusOfCode(code) >= 500 || code === 'rate_limited' || code === 'idempotency_in_progress'
}

/** What was thrown in the work on a post, as the one who posted is told it. */
export function toPostProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return isUnavailable(error) ? unavailable(error) : new Problem('internal_error', { cause: error })
}

/** @returns what is wrong with the phone of a post, as the end of a sentence without a digit of it */
export function phoneFaultIn({ code, details }: Problem): string | undefined {
  return code === 'invalid_phone' ? details?.[0]?.message : undefined
}
