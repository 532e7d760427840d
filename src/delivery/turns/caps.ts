/** The caps of a connection: over all processes together so many messages in any minute, hour and day. */
import type { Runtime } from '../../kit/runtime.ts'
import { type HandOverTurn, reserveTurns, type WantedTurns } from '../../store/channels/cap.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { OpenConnection } from '../openConnections.ts'
import { type Capacity, type Full, findFull } from './capacity.ts'

/** Takes a turn for a message that is handed over at once. @returns undefined when there is one, or no caps are set */
export type TakeTurn = (connection: OpenConnection, isFirst: boolean) => Promise<Full | undefined>

/** Milliseconds after its turn in which a hand-over has to begin: the rest of `handOverSeconds` is its own. */
const beginMs = 2000
const toldEveryMs = 3600_000

interface Wanted {
  connection: OpenConnection & { capacity: Capacity }
  isFirst: boolean
}

type Taken = HandOverTurn & { at: Date }

export function createTakeTurn({
  commit,
  runtime,
}: {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'log'>
}): TakeTurn {
  const take = commit.share<Wanted, Taken | undefined>({
    membersMax: 1024,
    isPatient: true,
    work: async (tx, wanted) => {
      const at = runtime.now()
      const nameOf = ({ connection: { accountId, id } }: Wanted) => `${accountId} ${id}`
      // Codes have the first turns.
      const lists = [...Map.groupBy(wanted, nameOf).values()].map((list) =>
        list.toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst)),
      )
      const turns = await reserveTurns(tx, lists.map(findWanted), at)
      const taken = new Map<Wanted, Taken>()
      lists.forEach((list, index) => {
        list.forEach((one, place) => {
          const turn = turns[index]?.[place]
          if (turn) taken.set(one, { ...turn, at })
        })
      })
      return wanted.map((one) => taken.get(one))
    },
  })

  const noteFull = (
    connection: OpenConnection & { capacity: Capacity },
    { freeAt: until, isOfDay, at }: Taken,
  ): Full => {
    const { capacity, accountId: account, id } = connection
    const known = findFull(connection, at)
    if (!known || known.until > until) capacity.full = { until, isOfDay }
    if (isOfDay && !(capacity.toldAt && at.getTime() - capacity.toldAt.getTime() < toldEveryMs)) {
      capacity.toldAt = at
      runtime.log.warn({ account, connection: id, until }, 'a connection has used up its messages of a day')
    }
    return { until, isOfDay }
  }

  return async (connection, isFirst) => {
    const { capacity } = connection
    if (!capacity) return undefined
    const known = findFull(connection, runtime.now())
    if (known) return known
    const capped = { ...connection, capacity }
    const turn = await take({ connection: capped, isFirst })
    // The connection is gone: what is asked of it is asked without a turn of it.
    if (!turn) return undefined
    if (!turn.isGranted) return noteFull(capped, turn)
    const now = runtime.now()
    const isLate = now.getTime() - turn.at.getTime() > beginMs
    return isLate ? { until: now, isOfDay: false } : undefined
  }
}

function findWanted(list: readonly Wanted[]): WantedTurns {
  const { accountId, id, capacity } = list[0]!.connection
  return { accountId, id, ...capacity.caps, count: list.length }
}
