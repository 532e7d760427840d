/** The messages of an account: searched, and turned over page by page. */
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader } from '../../store/engine/session.ts'
import {
  type FoundMessage,
  type Looked,
  lookAlong,
  lookAtPhone,
  type MessageFilters,
  type SearchWindow,
} from '../../store/sending/messageSearch.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { leastMessageId } from './messageId.ts'
import { shownPhone } from './phone.ts'
import { onePhone } from './phoneForm.ts'
import { follows, stateAt } from './status.ts'

export interface MessageSearch extends MessageFilters {
  id?: string | undefined
  /** Messages of a page, at most. */
  limit: number
  /** An id: only what is older. */
  after?: string | undefined
  /** An id: only what is newer. */
  before?: string | undefined
}

export interface ListedMessage extends Omit<FoundMessage, 'statusAt' | 'expiresAt' | 'verified'> {
  /** When that status was reached. */
  at: Date
}

export interface MessagePage {
  /** The latest first. */
  messages: ListedMessage[]
  /** The `after` of the page with older ones; undefined when there are none. */
  after: string | undefined
  /** The `before` of the page with newer ones; undefined on the first. */
  before: string | undefined
  /**
   * A search for what is rare ends before it has looked at all messages. It goes on with the next page in its direction, from
   * those that were made then; undefined when the page is full, or all were looked at.
   */
  lookedUntil: Date | undefined
  /** Which way was looked: `newer` from `before` on. */
  direction: SearchWindow['direction']
}

export type SearchMessages = (actor: Actor, accountId: string, search: MessageSearch) => Promise<MessagePage>

export interface MessageSearchParts {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
}

/** Messages that a search looks at in a step. Most pages are full after the first. */
const [firstLooks, furtherLooks] = [500, 5000]
/** After so many, or when it has taken so long, it begins no further step: a step takes some 10 ms. */
const [looksMax, looksMs] = [100_000, 50]
/** Messages of a phone that are looked at all at once. Of who has more, pages are full soon enough in the order of time. */
const phoneLooksMax = 2000
/** Time that lies between an id and its `created_at`, at most. */
const slackMs = 60_000

/**
 * For a person: phones are masked for who may see no more of them.
 *
 * @returns a function that throws Forbidden when the account is not the actor's
 */
export function createMessageSearch(parts: MessageSearchParts): SearchMessages {
  const search = createSearch(parts)
  return async (actor, accountId, asked) => {
    requireRole(actor, 'viewer', accountId)
    const page = await search(accountId, asked)
    return {
      ...page,
      messages: page.messages.map((message) => ({ ...message, phone: shownPhone(message.phone, actor) })),
    }
  }
}

type Search = (accountId: string, search: MessageSearch) => Promise<MessagePage>

/** Looks at any account, and shows whole phones. */
export function createSearch({ commit: { reader }, runtime }: MessageSearchParts): Search {
  const searchOnce = async (accountId: string, search: MessageSearch): Promise<MessagePage> => {
    const { limit, after, before } = search
    const now = runtime.now()
    const direction = before === undefined ? 'older' : 'newer'
    const look = { accountId, filters: search, now, expiring: follows.expired, direction, ...toWindow(search) } as const
    const { messages: found, isCut, last } = await lookFor(reader, runtime, { ...look, limit: limit + 1 })
    const messages = found.slice(0, limit)
    if (direction === 'newer') messages.reverse()
    // Where it goes on: behind the last of a full page, or behind the last that was looked at.
    const onward = found.length > limit ? found[limit - 1]?.id : isCut ? last?.id : undefined
    const isFirst = after === undefined
    return {
      messages: messages.map((message) => toListedMessage(message, now)),
      ...(direction === 'older'
        ? { after: onward, before: isFirst ? undefined : (messages[0]?.id ?? before) }
        : { after: messages.at(-1)?.id ?? `${before}${justAbove}`, before: onward }),
      lookedUntil: found.length > limit || !isCut ? undefined : last?.createdAt,
      direction,
    }
  }
  return async (accountId, given) => {
    const search = { ...given, phone: given.phone && onePhone(given.phone) }
    const page = await searchOnce(accountId, search)
    // Nothing is newer than these: whole pages begin with the newest.
    const isNewest = search.before !== undefined && page.before === undefined
    return isNewest ? searchOnce(accountId, { ...search, before: undefined, after: undefined }) : page
  }
}

interface Found extends Pick<Looked, 'messages' | 'last'> {
  isCut: boolean
}

async function lookFor(
  reader: Reader,
  { elapsedMs }: Pick<Runtime, 'elapsedMs'>,
  look: Omit<SearchWindow, 'looksMax'>,
): Promise<Found> {
  const { phone } = look.filters
  if (phone !== undefined) {
    const found = await lookAtPhone(reader, { ...look, filters: { ...look.filters, phone }, looksMax: phoneLooksMax })
    if (found.looks < phoneLooksMax) return { ...found, isCut: false }
  }
  const endsMs = elapsedMs() + looksMs
  const messages: FoundMessage[] = []
  let { fromId, belowId } = look
  for (let looks = 0; ; ) {
    const count = looks === 0 ? firstLooks : furtherLooks
    const limit = look.limit - messages.length
    const step = await lookAlong(reader, { ...look, fromId, belowId, limit, looksMax: count })
    messages.push(...step.messages)
    looks += step.looks
    const { last } = step
    if (messages.length === look.limit || step.looks < count || !last) return { messages, last, isCut: false }
    if (looks >= looksMax || elapsedMs() >= endsMs) return { messages, last, isCut: true }
    if (look.direction === 'older') belowId = last.id
    else fromId = `${last.id}${justAbove}`
  }
}

/** Behind an id: the least text that is greater. */
const justAbove = '0'

/** Of ids that can be on the page. They begin with the time, of which the filters ask for it to the millisecond. */
function toWindow({ id, from, to, after, before }: MessageSearch): Pick<SearchWindow, 'fromId' | 'belowId'> {
  if (id !== undefined) return { fromId: id, belowId: `${id}${justAbove}` }
  const least = from ? leastId(from.getTime() - slackMs) : leastId(0)
  const beyond = to ? leastId(to.getTime() + slackMs) : leastId(lastMs)
  return {
    fromId: before !== undefined && before >= least ? `${before}${justAbove}` : least,
    belowId: after !== undefined && after < beyond ? after : beyond,
  }
}

/** The last moment that an id can hold. */
const lastMs = 2 ** 48 - 1

function leastId(ms: number): string {
  return leastMessageId(new Date(Math.min(Math.max(ms, 0), lastMs)))
}

function toListedMessage(found: FoundMessage, now: Date): ListedMessage {
  const { id, mode, kind, phone, country, template, templateVersion, templateLocale, reference, keyId } = found
  const { connection, createdAt, sendAt, findings, price } = found
  return {
    ...{ id, mode, kind, phone, country, template, templateVersion, templateLocale, reference, keyId },
    ...{ connection, createdAt, sendAt, findings, price },
    ...stateAt(found, now),
  }
}
