/**
 * Rules that somebody tries while a page waits: a replay in the process that has other work too. It judges a few codes at a time,
 * and ends when it takes too long. An account has one trial at a time, and a process a few.
 */
import { setImmediate as otherWork } from 'node:timers/promises'
import { Refusal } from '../../../kit/refusal.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import type { ProtectionRule } from '../rule.ts'
import { type Replayed, type ReplayReads, replay } from './replay.ts'
import type { ReplaySource, ReplaySpan } from './source.ts'

export interface TrialInput {
  rules: readonly ProtectionRule[]
  /** Seconds, back from now. */
  since: number
  /** As if every rule said `do: block`. */
  isBlocking: boolean
}

/** @throws Refusal while the account has another trial under way, or the process too many; when this one takes too long; Forbidden */
export type TryRules = (actor: Actor, accountId: string, input: TrialInput) => Promise<Replayed>

/** Milliseconds that somebody waits for a page, and that the rest of the process is busy beside it. */
const trialMs = 15_000
/** Trials of a process: they share its time, and each ends after `trialMs`. */
const atOnceMax = 3
/** Codes that are judged at once: some milliseconds, in which the process does nothing else. */
const partSize = 200

const again = 'Try again in half a minute.'

export interface TrialParts {
  replays: ReplaySource
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
}

export function createTryRules({ replays, runtime }: TrialParts, withinMs = trialMs): TryRules {
  const trying = new Set<string>()

  return async (actor, accountId, { rules, since, isBlocking }) => {
    requireRole(actor, 'developer', accountId)
    if (trying.has(accountId)) throw new Refusal(`Another trial of rules is running for this account. ${again}`)
    if (trying.size >= atOnceMax)
      throw new Refusal(`The service has enough trials of other accounts to do now. ${again}`)
    trying.add(accountId)
    try {
      const [until, endsAt] = [runtime.now().getTime(), runtime.elapsedMs() + withinMs]
      const tried = isBlocking ? rules.map((rule) => ({ ...rule, do: 'block' as const })) : rules
      const reads = inParts(replays, { actor, accountId, isOver: () => runtime.elapsedMs() > endsAt })
      return await replay(reads, { rules: tried, since: until - since * 1000, until })
    } finally {
      trying.delete(accountId)
    }
  }
}

interface PartsFor {
  actor: Actor
  accountId: string
  isOver: () => boolean
}

function inParts(replays: ReplaySource, { actor, accountId, isOver }: PartsFor): ReplayReads {
  const requireTime = () => {
    if (isOver()) throw new Refusal('That is too much for a page: try a shorter time, or use the command line.')
  }
  return {
    countryDays: (span) => replays.countryDays(actor, accountId, span),
    codes: dividing((span) => replays.codes(actor, accountId, span), requireTime),
    verifiedPhones: dividing((span) => replays.verifiedPhones(actor, accountId, span), requireTime),
  }
}

interface Page<Row> {
  rows: Row[]
  lastId: string | undefined
}

/** Hands on a page in parts, and lets the process do its other work before each. */
function dividing<Row>(
  find: (span: ReplaySpan) => Promise<Page<Row>>,
  requireTime: () => void,
): (span: ReplaySpan) => Promise<Page<Row>> {
  let left: Page<Row> | undefined
  return async (span) => {
    requireTime()
    const page = left ?? (await find(span))
    await otherWork()
    const rows = page.rows.slice(0, partSize)
    // What is left has the same last id: the one of the page, from which the next page is read.
    left = page.rows.length > partSize ? { rows: page.rows.slice(partSize), lastId: page.lastId } : undefined
    return { rows, lastId: page.lastId }
  }
}
