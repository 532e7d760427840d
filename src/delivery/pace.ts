/** How fast a connection is asked: over all processes together so many messages in a second, as its provider allows. */
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import { reserveSlots } from '../store/pace.ts'
import type { OpenConnection } from './openConnections.ts'

export interface Slot {
  /** Milliseconds until the message may be handed over. */
  waitMs: number
  /** So many are due before it that it is asked for again after so many seconds. */
  afterSeconds?: number
}

export type Pace = (connection: OpenConnection) => Promise<Slot>

/** Milliseconds that a message waits for its turn with its job claimed. */
const horizonMs = 2000

const atOnce: Slot = { waitMs: 0 }

export function createPace({ commit, runtime }: { commit: Commit; runtime: Pick<Runtime, 'now'> }): Pace {
  const take = commit.share<OpenConnection, Slot>({
    membersMax: 1024,
    work: async (tx, wanted) => {
      const lists = [...Map.groupBy(wanted, ({ accountId, id }) => `${accountId} ${id}`).values()]
      const slots = new Map<string, Slot[]>()
      const asked = lists.map((list) => {
        const [{ accountId, id, channel }] = list as [OpenConnection, ...OpenConnection[]]
        return { accountId, id, perSecond: channel.perSecond ?? 1, count: list.length }
      })
      const now = runtime.now()
      const reserved = await reserveSlots(tx, asked, now, horizonMs)
      asked.forEach(({ accountId, id, perSecond, count }, index) => {
        const { granted, firstAt } = reserved[index] ?? { granted: count, firstAt: now }
        const firstMs = Math.max(0, firstAt.getTime() - now.getTime())
        const list = Array.from({ length: count }, (_slot, place): Slot => {
          const ms = firstMs + (place * 1000) / perSecond
          return place < granted ? { waitMs: ms } : { waitMs: 0, afterSeconds: ms / 1000 }
        })
        slots.set(`${accountId} ${id}`, list)
      })
      return wanted.map(({ accountId, id }) => slots.get(`${accountId} ${id}`)?.shift() ?? atOnce)
    },
  })
  return async (connection) => (connection.channel.perSecond === undefined ? atOnce : take(connection))
}
