/** A pool of connections of one kind, next to each other: they share the messages by what is left of their caps. */
import type { Caps } from '../../domain/channels/caps.ts'
import type { TurnUse } from '../../store/channels/cap.ts'

/** The share of a connection, as this process gives messages out. */
export interface Share {
  /** Messages a second for as long as its longest cap lasts, seconds ago at most; 0 when it is used up, undefined without caps. */
  left: number | undefined
  /** It takes messages now. */
  isAble: () => boolean
  /** What it is ahead of the others of its pool, or behind. */
  credit: number
}

interface Shared {
  kind: string
  share?: Share | undefined
}

const seconds = { minute: 60, hour: 3600, day: 86_400 } as const

/** What is left of its longest cap, in messages a second; 0 where one of them is used up. */
export function computeWeight({ perMinute, perHour, perDay }: Caps, used: TurnUse): number | undefined {
  const windows = [
    { cap: perMinute, used: used.minute, seconds: seconds.minute },
    { cap: perHour, used: used.hour, seconds: seconds.hour },
    { cap: perDay, used: used.day, seconds: seconds.day },
  ].flatMap(({ cap, ...window }) => (cap === null ? [] : { left: Math.max(0, cap - window.used), ...window }))
  const longest = windows.at(-1)
  if (!longest) return undefined
  return windows.some(({ left }) => left === 0) ? 0 : longest.left / longest.seconds
}

/**
 * The order in which one message is to ask them: in each pool, the one whose turn it is by its weight comes first. Without
 * caps, a connection has the largest share of the others.
 */
export function spreadOut<One extends Shared>(connections: readonly One[]): readonly One[] {
  if (!connections.some(({ share }) => share)) return connections
  const pools: One[][] = []
  for (const one of connections) {
    const before = pools.at(-1)
    const last = before?.at(-1)
    if (before && one.share && last?.share && last.kind === one.kind) before.push(one)
    else pools.push([one])
  }
  return pools.flatMap((pool) => (pool.length > 1 ? findNext(pool) : pool))
}

/** Smooth weighted round robin: each gains its weight, and the first pays for all. */
function findNext<One extends Shared>(pool: readonly One[]): One[] {
  const weights = pool.map(({ share }) => (share?.isAble() ? share.left : 0))
  const known = weights.filter((weight) => weight !== undefined)
  const standard = Math.max(...known) > 0 ? Math.max(...known) : 1
  const weighed = pool.map((one, index) => ({ one, share: one.share!, weight: weights[index] ?? standard }))
  const [able, full] = [weighed.filter(({ weight }) => weight > 0), weighed.filter(({ weight }) => weight === 0)]
  for (const { share, weight } of able) share.credit += weight
  const inTurn = able.toSorted((one, other) => other.share.credit - one.share.credit)
  const first = inTurn[0]
  if (first) first.share.credit -= able.reduce((sum, { weight }) => sum + weight, 0)
  return [...inTurn, ...full].map(({ one }) => one)
}
