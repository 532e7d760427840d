/** Messages: what became of one, and the one way in which a status moves. */
import { createPlaces } from '../../kit/places.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import { applyChanges, type Change, type Moved } from '../../store/sending/change.ts'
import { findMessages, lockOverdue } from '../../store/sending/message.ts'
import type { Caller } from '../access/authentication.ts'
import type { Events } from '../webhooks/event.ts'
import type { Dispatch } from './dispatch.ts'
import { createSearch, type MessagePage, type MessageSearch } from './messageSearch.ts'
import type { OptOuts } from './phones/optOut.ts'
import { follows, type MessageState, stateAt, unlessVerified } from './status.ts'

/** Something that happened to a message, of which a new status or another leg may follow. */
export type Transition = Omit<Change, 'follows' | 'unlessVerified'>

/**
 * Every change of a status and of a leg goes through here: what a channel answered, what a provider reports, what time has
 * ended. The table of `status.ts` says what may follow what; a transition that may not follow leaves the status, and stands in the
 * timeline. What begins a next leg is dispatched with it, the phones of those who opted out are remembered, and who listens is told of it.
 *
 * @param transitions those of one message in their order
 * @returns the messages that something came of
 */
export type Move = (tx: Tx, transitions: readonly Transition[]) => Promise<Moved[]>

export interface MoveParts {
  dispatch: Dispatch
  events: Pick<Events, 'tellMoves'>
  optOuts: Pick<OptOuts, 'remember'>
}

export function createMove({ dispatch, events, optOuts }: MoveParts): Move {
  return async (tx, transitions) => {
    const moved: Moved[] = []
    for (let rest = transitions; rest.length > 0; ) {
      const first = new Map<string, Transition>()
      const later: Transition[] = []
      for (const one of rest) {
        const key = `${one.accountId} ${one.id}`
        if (first.has(key)) later.push(one)
        else first.set(key, one)
      }
      const changes = [...first.values()].map(changeOf)
      moved.push(...(await applyChanges(tx, changes)))
      rest = later
    }
    await dispatch(
      tx,
      moved.flatMap(({ accountId, id, mode, isUrgent, next }) =>
        next ? { accountId, id, mode, isUrgent, ...next } : [],
      ),
    )
    optOuts.remember(tx, moved)
    events.tellMoves(tx, moved)
    return moved
  }
}

function changeOf(transition: Transition): Change {
  const { status } = transition
  return status
    ? { ...transition, follows: follows[status], unlessVerified: unlessVerified.includes(status) }
    : { ...transition, follows: [] }
}

/**
 * Ends verifications whose code ran out before it was used, at most `count`. The message of one that was delivered stays so.
 *
 * @returns how many were looked at
 */
export async function expireOverdue(tx: Tx, move: Move, now: Date, count: number): Promise<number> {
  const due = await lockOverdue(tx, now, count)
  await move(
    tx,
    due.map(({ accountId, id, expiresAt }) => ({ accountId, id, status: 'expired', at: expiresAt })),
  )
  return due.length
}

export interface Messages {
  /** @returns or Problem, also for one of another account or mode */
  get: (caller: Caller, id: string) => Promise<MessageState | Problem<'message_not_found'>>
  /** A page of those of the account, of the mode of the key, the newest first. */
  list: (caller: Caller, search: ListSearch) => Promise<MessagePage | Problem<'service_unavailable'>>
}

type ListSearch = Pick<MessageSearch, 'phone' | 'status' | 'kind' | 'reference' | 'limit' | 'after'>

/** A search that finds little looks at many messages: so few at once leave the database to those who send. */
const searchesMax = 4
/** Milliseconds that a search waits for its turn. */
const searchWaitMs = 2000

export interface MessageParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
}

export function createMessages({ commit, runtime }: MessageParts): Messages {
  const find = commit.shareReads({ ownerOf: ({ accountId }) => accountId, work: findMessages })
  const search = createSearch({ commit, runtime })
  const places = createPlaces(() => searchesMax)
  return {
    list: async ({ accountId, mode }, { phone, status, kind, reference, limit, after }) => {
      if (!(await places.take(searchWaitMs, accountId))) return unavailable()
      const asked = { mode, phone, status, kind, reference, limit, after }
      return search(accountId, asked).finally(() => places.free(accountId))
    },
    get: async ({ accountId, mode }, id) => {
      const found = await find({ accountId, mode, id })
      return found
        ? {
            id,
            ...stateAt(found, runtime.now()),
            reference: found.reference,
            sendAt: found.sendAt,
            findings: found.findings,
          }
        : new Problem('message_not_found')
    },
  }
}
