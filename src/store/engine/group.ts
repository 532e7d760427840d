/**
 * Requests that come at the same time share one piece of work. What comes while a group is under way joins the next one:
 * there is no timer, and who comes alone waits for nobody. It knows nothing of what is done.
 */
import { performance } from 'node:perf_hooks'
import { unavailable } from '../../kit/problem.ts'
import { isUnavailable } from './failure.ts'

export interface GroupLimits {
  /** Groups under way at once. */
  groupsMax: number
  /** Members of a group. */
  membersMax: number
  /** Those that may wait to begin; with one more, one is turned away at once, so that memory stays flat. */
  waitingMax: number
  /** Milliseconds that one waits to begin. Past them nothing was done. */
  waitMs: number
  /** Milliseconds from there until its caller is told to come again; whether it was done, is open then. */
  workMs: number
}

export interface Grouping<Draft, Outcome> extends GroupLimits {
  /** What no two members of a group may have in common, nor two groups under way in this process. */
  conflictOf?: ((draft: Draft) => string) | undefined
  /**
   * Whose draft it is. Owners take turns when more wait than a group has places for. When too many wait, the owner with the
   * most loses its latest. Without it, all have one owner.
   */
  ownerOf?: ((draft: Draft) => string) | undefined
  /** As how many members a draft counts in its group, which has at least one; as one when left out. */
  weigh?: ((draft: Draft) => number) | undefined
  /** Does the work of a group. @returns the outcome of each, in their order */
  work: (drafts: Draft[]) => Promise<Outcome[]>
}

interface Member<Draft, Outcome> {
  draft: Draft
  conflict: string | undefined
  owner: string | undefined
  weight: number
  /** When it came; when its group began, from then on. */
  since: number
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
}

/** Milliseconds between two looks for those that have waited too long. */
const lookMs = 100

/** @returns does one's part in a group. @throws Problem `service_unavailable`, and what the work throws of this one */
export function createGroups<Draft, Outcome>(grouping: Grouping<Draft, Outcome>): (draft: Draft) => Promise<Outcome> {
  const { groupsMax, membersMax, waitingMax, waitMs, workMs, conflictOf, ownerOf, weigh, work } = grouping
  type One = Member<Draft, Outcome>
  let waiting: One[] = []
  const underWay = new Set<One[]>()
  const busy = new Set<string>()
  let scheduled = false
  let looking: NodeJS.Timeout | undefined

  return (draft) =>
    new Promise((resolve, reject) => {
      const [conflict, owner] = [conflictOf?.(draft), ownerOf?.(draft)]
      waiting.push({ draft, conflict, owner, weight: weigh?.(draft) ?? 1, since: performance.now(), resolve, reject })
      if (waiting.length > waitingMax) waiting = withoutOne(waiting)
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

/** Takes the next group out of those that wait, in their turn. Its conflicts are busy from now on. */
function divide<One extends Pick<Member<unknown, unknown>, 'conflict' | 'owner' | 'weight'>>(
  waiting: One[],
  membersMax: number,
  busy: Set<string>,
): { group: One[]; later: One[] } {
  const group = new Set<One>()
  let room = membersMax
  const isCrowd = waiting.reduce((sum, { weight }) => sum + weight, 0) > membersMax
  for (const member of isCrowd ? byTurns(waiting) : waiting) {
    const { conflict, weight } = member
    if (conflict !== undefined && busy.has(conflict)) continue
    if (group.size > 0 && weight > room) break
    if (conflict !== undefined) busy.add(conflict)
    group.add(member)
    room -= weight
  }
  return { group: [...group], later: group.size === waiting.length ? [] : waiting.filter((one) => !group.has(one)) }
}

/** The first of each owner, then the second of each, and so on. */
function byTurns<One extends Pick<Member<unknown, unknown>, 'owner'>>(waiting: One[]): One[] {
  return [...Map.groupBy(waiting, ({ owner }) => owner).values()]
    .flatMap((list) => list.map((member, turn) => ({ member, turn })))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ member }) => member)
}

/** The latest of the owner with the most is turned away; of owners with as many, the one who came last. */
function withoutOne<One extends Pick<Member<unknown, unknown>, 'owner' | 'reject'>>(waiting: One[]): One[] {
  const lists = [...Map.groupBy(waiting.toReversed(), ({ owner }) => owner).values()]
  const [last] = lists.reduce((most, list) => (list.length > most.length ? list : most))
  last?.reject(unavailable())
  return waiting.filter((one) => one !== last)
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
