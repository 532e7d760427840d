/**
 * Requests that come at the same time share one piece of work. What comes while a group is under way joins the next one:
 * there is no timer, and who comes alone waits for nobody. It knows nothing of what is done.
 */
import { performance } from 'node:perf_hooks'
import { unavailable } from '../problem.ts'
import { isUnavailable } from './failure.ts'

export interface GroupLimits {
  /** Groups under way at once. */
  groupsMax: number
  /** Members of a group. */
  membersMax: number
  /** Those that may wait to begin; one more is turned away at once, so that memory stays flat. */
  waitingMax: number
  /** Milliseconds that one waits to begin. Past them nothing was done. */
  waitMs: number
  /** Milliseconds from there until its caller is told to come again; whether it was done, is open then. */
  workMs: number
}

export interface Grouping<Draft, Outcome> extends GroupLimits {
  /** What no two members of a group may have in common, nor two groups under way in this process. */
  conflictOf?: ((draft: Draft) => string) | undefined
  /** Does the work of a group. @returns the outcome of each, in their order */
  work: (drafts: Draft[]) => Promise<Outcome[]>
}

interface Member<Draft, Outcome> {
  draft: Draft
  conflict: string | undefined
  /** When it came; when its group began, from then on. */
  since: number
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
}

/** Milliseconds between two looks for those that have waited too long. */
const lookMs = 100

/** @returns does one's part in a group. @throws Problem `service_unavailable`, and what the work throws of this one */
export function createGroups<Draft, Outcome>(grouping: Grouping<Draft, Outcome>): (draft: Draft) => Promise<Outcome> {
  const { groupsMax, membersMax, waitingMax, waitMs, workMs, conflictOf, work } = grouping
  type One = Member<Draft, Outcome>
  let waiting: One[] = []
  const underWay = new Set<One[]>()
  const busy = new Set<string>()
  let scheduled = false
  let looking: NodeJS.Timeout | undefined

  return (draft) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) {
        reject(unavailable())
        return
      }
      waiting.push({ draft, conflict: conflictOf?.(draft), since: performance.now(), resolve, reject })
      schedule()
      looking ??= setInterval(giveUp, Math.min(lookMs, waitMs, workMs))
    })

  /** At the end of this turn of the event loop: all that came with it go together. */
  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay.size >= groupsMax) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (waiting.length > 0 && underWay.size < groupsMax) {
        const { group, later } = divide(waiting, membersMax, busy)
        if (group.length === 0) return
        waiting = later
        void run(group)
      }
    })
  }

  async function run(group: One[]): Promise<void> {
    underWay.add(group)
    const begunAt = performance.now()
    for (const member of group) member.since = begunAt
    await settle(group, work)
    underWay.delete(group)
    for (const { conflict } of group) if (conflict !== undefined) busy.delete(conflict)
    schedule()
  }

  /** Each has its own deadline. What is under way goes on, whoever still waits for its answer. */
  function giveUp(): void {
    const now = performance.now()
    const inTime = waiting.findIndex(({ since }) => now - since < waitMs)
    const late = inTime === -1 ? waiting.splice(0) : waiting.splice(0, inTime)
    for (const { reject } of late) reject(unavailable())
    for (const group of underWay) {
      for (const { since, reject } of group) if (now - since >= workMs) reject(unavailable())
    }
    if (waiting.length > 0 || underWay.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
}

/** Those of the next group, who are the busy ones from now on, and those who wait for a later one. */
function divide<One extends Pick<Member<unknown, unknown>, 'conflict'>>(
  waiting: One[],
  membersMax: number,
  busy: Set<string>,
): { group: One[]; later: One[] } {
  const group: One[] = []
  const later: One[] = []
  for (const member of waiting) {
    const { conflict } = member
    if (group.length >= membersMax || (conflict !== undefined && busy.has(conflict))) {
      later.push(member)
      continue
    }
    if (conflict !== undefined) busy.add(conflict)
    group.push(member)
  }
  return { group, later }
}

/** A group that fails is split, until only the guilty one fails. */
async function settle<Draft, Outcome>(
  group: Member<Draft, Outcome>[],
  work: Grouping<Draft, Outcome>['work'],
): Promise<void> {
  try {
    const outcomes = await work(group.map(({ draft }) => draft))
    group.forEach(({ resolve }, index) => {
      resolve(outcomes[index] as Outcome)
    })
  } catch (error) {
    if (group.length > 1 && !isUnavailable(error)) {
      const half = group.length >> 1
      await settle(group.slice(0, half), work)
      await settle(group.slice(half), work)
    } else for (const { reject } of group) reject(error)
  }
}
