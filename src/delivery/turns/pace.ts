/** How fast a connection is asked: over all processes together so many messages in a second, as its provider allows. */
import type { Runtime } from '../../kit/runtime.ts'
import { reserveSlots, type WantedSlots } from '../../store/channels/pace.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Delivery } from '../../store/sending/delivery.ts'
import type { OpenConnection } from '../openConnections.ts'

export interface Slot {
  /** Milliseconds until the message may be handed over. */
  waitMs: number
  /** So many are due before it that it is asked for again after so many seconds. */
  afterSeconds?: number
}

type MessageKind = Delivery['kind']

export type Pace = (connection: OpenConnection, kind: MessageKind) => Promise<Slot>

/**
 * Milliseconds that a message waits for its turn with its job claimed; codes have their turn first. They also look further
 * ahead: however many notifications are due, behind the slots that those have are some that only codes get.
 */
const horizonsMs = { verification: 4000, notification: 2000 } as const satisfies Record<MessageKind, number>
const inTurn = ['verification', 'notification'] as const

const atOnce: Slot = { waitMs: 0 }

interface Wanted {
  connection: OpenConnection
  kind: MessageKind
}

export function createPace({ commit, runtime }: { commit: Commit; runtime: Pick<Runtime, 'now'> }): Pace {
  const take = commit.share<Wanted, Slot>({
    membersMax: 1024,
    // To be turned away would look as if the database was away: the job would come again, beside what has its turn later.
    isPatient: true,
    work: async (tx, wanted) => {
      const now = runtime.now()
      const lists = [...Map.groupBy(wanted, ({ connection: { accountId, id } }) => `${accountId} ${id}`).values()]
      const slots = new Map<Wanted, Slot>()
      for (const kind of inTurn) {
        const members = lists.map((list) => list.filter((one) => one.kind === kind))
        if (members.every((list) => list.length === 0)) continue
        // Also those of which none is wanted: what is locked at all, is locked at once, in one order.
        const asked = lists.map(([first], index) => wantedOf(first!.connection, members[index]!.length))
        const reserved = await reserveSlots(tx, asked, now, horizonsMs[kind])
        asked.forEach(({ perSecond, count }, index) => {
          const { granted, firstAt } = reserved[index] ?? { granted: count, firstAt: now }
          const firstMs = Math.max(0, firstAt.getTime() - now.getTime())
          members[index]!.forEach((one, place) => {
            const ms = firstMs + (place * 1000) / perSecond
            slots.set(one, place < granted ? { waitMs: ms } : { waitMs: 0, afterSeconds: ms / 1000 })
          })
        })
      }
      return wanted.map((one) => slots.get(one) ?? atOnce)
    },
  })
  return async (connection, kind) => (connection.channel.perSecond === undefined ? atOnce : take({ connection, kind }))
}

function wantedOf({ accountId, id, channel }: OpenConnection, count: number): WantedSlots {
  return { accountId, id, perSecond: channel.perSecond ?? 1, count }
}
