/** Messages: what became of one, and the one way in which a status moves. */
import { createPlaces } from '../../kit/places.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Price } from '../../store/schema/schema.ts'
import { applyChanges, type Change, type Moved } from '../../store/sending/change.ts'
import { findMessages, lockOverdue, type MessageRow } from '../../store/sending/message.ts'
import type { Caller } from '../access/authentication.ts'
import type { BlindIndex } from '../access/keyring.ts'
import type { Events } from '../webhooks/event.ts'
import { type Attempt, listAttempts, sumPrices } from './attempt.ts'
import type { Dispatch } from './dispatch.ts'
import { createSearch, type MessagePage, type MessageSearch } from './messageSearch.ts'
import type { OptOuts } from './phones/optOut.ts'
import { recipientOf } from './phones/recipient.ts'
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
      const changes = [...first.values()].map(toChange)
      moved.push(...(await applyChanges(tx, changes)))
      rest = later
    }
    await dispatch(
      tx,
      moved.flatMap(({ accountId, id, mode, isUrgent, next }) =>
        next ? { accountId, id, mode, isUrgent, ...next } : [],
      ),
    )
    await optOuts.remember(tx, moved)
    events.tellMoves(tx, moved)
    return moved
  }
}

function toChange(transition: Transition): Change {
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

/** The template that a notification is made from. */
type MadeFrom = Pick<MessageRow, 'template' | 'templateVersion' | 'templateLocale'>

/** What a caller is told of a message in a list. */
export type BriefMessage = MessageState &
  Pick<MessageRow, 'id' | 'kind' | 'createdAt' | 'sendAt' | 'reference' | 'findings'> &
  MadeFrom & {
    /** What stands for its phone. */
    recipient: string
    /** The id of the connection that is asked now, or was asked last. */
    connection: string
  }

export interface ToldMessage extends BriefMessage, Pick<MessageRow, 'expiresAt'> {
  /** In the order of its route, those that its turn has come to; `kind` is undefined where the connection is gone. */
  attempts: (Attempt & { kind: string | undefined })[]
  /** The message that it sends again; null for none. */
  resendOf: string | null
  /** What they cost in all, by currency. */
  prices: Price[]
}

export interface Messages {
  /** @returns or Problem, also for one of another account or mode */
  get: (caller: Caller, id: string) => Promise<ToldMessage | Problem<'message_not_found'>>
  /** A page of those of the account, of the mode of the key, the newest first. */
  list: (caller: Caller, search: ListSearch) => Promise<ToldPage | Problem<'service_unavailable'>>
}

export interface ToldPage extends Pick<MessagePage, 'after'> {
  messages: BriefMessage[]
}

type ListSearch = Pick<MessageSearch, 'phone' | 'status' | 'kind' | 'reference' | 'limit' | 'after'>

/** A search that finds little looks at many messages: so few at once leave the database to those who send. */
const searchesMax = 4
/** Milliseconds that a search waits for its turn. */
const searchWaitMs = 2000

export interface MessageParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
  /** Its key stays the same when secrets are rotated. */
  lookup: Pick<BlindIndex, 'key'>
  /** What the connections of an account are, by their ids. @throws when the database is out of reach */
  kindsOf: (caller: Pick<Caller, 'accountId' | 'mode'>) => Promise<ReadonlyMap<string, string>>
}

export function createMessages({ commit, runtime, lookup, kindsOf }: MessageParts): Messages {
  const find = commit.shareReads({ ownerOf: ({ accountId }) => accountId, work: findMessages })
  const search = createSearch({ commit, runtime })
  const places = createPlaces(() => searchesMax)
  return {
    list: async ({ accountId, mode }, { phone, status, kind, reference, limit, after }) => {
      if (!(await places.take(searchWaitMs, accountId))) return unavailable()
      const asked = { mode, phone, status, kind, reference, limit, after }
      const { messages, after: next } = await search(accountId, asked).finally(() => places.free(accountId))
      return {
        messages: messages.map((found) => ({ ...found, recipient: recipientOf(lookup.key, accountId, found) })),
        after: next,
      }
    },
    get: async ({ accountId, mode }, id) => {
      const [found, kinds] = await Promise.all([find({ accountId, mode, id }), kindsOf({ accountId, mode })])
      if (!found) return new Problem('message_not_found')
      const { phone, route, leg, prices } = found
      const state = stateAt(found, runtime.now())
      return {
        ...found,
        ...state,
        recipient: recipientOf(lookup.key, accountId, { mode, phone }),
        resendOf: found.timeline[0]?.resendOf ?? null,
        connection: route[leg - 1]!,
        attempts: listAttempts(found, state).map((attempt) => ({ ...attempt, kind: kinds.get(attempt.connection) })),
        prices: sumPrices(Object.values(prices ?? {})),
      }
    },
  }
}
