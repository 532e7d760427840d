/** What people answer to messages: a keyword opts a phone out or in again, and everything else is counted and dropped. */
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { claimIdempotencyKeys, type KeptKey } from '../../../store/sending/idempotency.ts'
import { computeHmac } from '../../access/hmac.ts'
import type { BlindIndex } from '../../access/keyring.ts'
import type { Secrets } from '../../access/secret.ts'
import { idempotencyKeptMs } from '../idempotency.ts'
import type { Keywords, ReplyMeaning } from './keyword.ts'
import { nameOf, type OptOutNews, type OptOuts } from './optOut.ts'
import { createKnownKeywords } from './replyKeyword.ts'

/** A reply as a channel reads it. Its text is kept nowhere. */
export interface InboundReply {
  reply: ReplyMeaning
  /** With `stop` and `start`: of marketing alone. */
  isOfMarketing?: boolean
  /** Who sent it, in E.164 form; left out where that cannot be read, and with `other`. */
  phone?: string
  /** The provider's id: the same one twice counts once. */
  replyId?: string
  /** When it was said, by the provider; left out where that tells no time. */
  at?: Date
  /** With `other`, of a text that a keyword could be: the same reply, read again with those of the account's own. */
  readBy?: (own: Keywords) => InboundReply
}

/** What came of a reply, for a metric. `unreadable`: a keyword of no phone; `repeated`: its id came before. */
export type ReplyFate = ReplyMeaning | 'unreadable' | 'repeated'

/** The connection that they came by. */
interface Reporter {
  accountId: string
  connection: string
}

export interface InboundReplies {
  /** Some hundred of a report share a transaction. Resolves when they are committed. Safe to repeat where replies have ids. */
  take: (reporter: Reporter, list: readonly InboundReply[]) => Promise<void>
}

export interface InboundRepliesParts {
  commit: Commit
  optOuts: Pick<OptOuts, 'keyOf' | 'add' | 'remove'>
  lookup: Pick<BlindIndex, 'key'>
  secrets: Pick<Secrets, 'sign'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'log'>
  onReply: (fate: ReplyFate) => void
}

interface Draft extends OptOutNews {
  reply: 'stop' | 'start'
  /** Keyed hash of the connection and the provider's id. */
  id: string | undefined
}

const unreadWords =
  'replies like STOP changed no opt-out: their senders are read as no phones; name the countries of the gateway in its provider file'

/** Milliseconds for which providers repeat what they could not deliver. */
const repeatedMs = 7 * 24 * 3600 * 1000

/** The time of a STOP that is older than any that is repeated, is that of a wrong clock: it was said now. */
function believeTime({ reply, at }: InboundReply, now: Date): Date {
  return at === undefined || (reply === 'stop' && now.getTime() - at.getTime() > repeatedMs) ? now : at
}

/** Of a report, so many go into one draft. */
const draftMax = 250

export function createInboundReplies({
  commit,
  optOuts,
  lookup,
  secrets,
  runtime,
  onReply,
}: InboundRepliesParts): InboundReplies {
  const submit = commit.share<Draft[], undefined>({
    ownerOf: ([first]) => first?.accountId ?? '',
    weigh: ({ length }) => Math.max(1, length / 8),
    work: async (tx, lists) => {
      const drafts = lists.flat()
      const news = await firstTime(tx, drafts, { now: runtime.now(), secrets })
      await apply(tx, news, optOuts)
      tx.afterCommit(() => {
        for (const { reply } of news) onReply(reply)
        for (let left = drafts.length - news.length; left > 0; left--) onReply('repeated')
      })
      return lists.map(() => undefined)
    },
  })
  const keywordsOf = createKnownKeywords({ commit, runtime })
  return {
    take: async ({ accountId, connection }, told) => {
      const list = await readByOwn(accountId, told, keywordsOf)
      const unread = list.filter(({ reply, phone }) => reply !== 'other' && phone === undefined).length
      if (unread > 0) runtime.log.warn({ account_id: accountId, connection, replies: unread }, unreadWords)
      const drafts = list.flatMap((told): Draft[] => {
        const { reply, isOfMarketing, phone, replyId } = told
        if (reply === 'other' || phone === undefined) {
          onReply(reply === 'other' ? reply : 'unreadable')
          return []
        }
        const id = replyId && computeHmac(lookup.key, ['reply', connection, replyId]).toString('base64url')
        // Only live keys send by connections that people can answer to.
        const category = isOfMarketing ? 'marketing' : undefined
        return [
          {
            accountId,
            mode: 'live',
            phone,
            category,
            source: 'reply',
            at: believeTime(told, runtime.now()),
            reply,
            id,
          },
        ]
      })
      for (let from = 0; from < drafts.length; from += draftMax) await submit(drafts.slice(from, from + draftMax))
    },
  }
}

/** With the account's own keywords, which are looked up only where one could be among the replies. */
async function readByOwn(
  accountId: string,
  list: readonly InboundReply[],
  keywordsOf: ReturnType<typeof createKnownKeywords>,
): Promise<readonly InboundReply[]> {
  const own = list.some(({ readBy }) => readBy) ? await keywordsOf(accountId) : undefined
  return own ? list.map((one) => one.readBy?.(own) ?? one) : list
}

interface Asked extends Pick<InboundRepliesParts, 'secrets'> {
  now: Date
}

/** @returns those that did not come before, in their order */
async function firstTime(tx: Tx, drafts: readonly Draft[], { now, secrets }: Asked): Promise<Draft[]> {
  const byId = new Map(drafts.flatMap((draft) => (draft.id === undefined ? [] : [[claimName(draft), draft] as const])))
  const named = [...byId.values()]
  if (named.length === 0) return [...drafts]
  const claims = named.map((draft) => ({
    ...claimOf(draft, draft.id!),
    fingerprint: secrets.sign('fingerprint', draft.id!),
  }))
  const isOurs = await claimIdempotencyKeys(tx, claims, now, new Date(now.getTime() - idempotencyKeptMs))
  const kept = new Set(named.filter((_draft, place) => isOurs[place]))
  return drafts.filter((draft) => draft.id === undefined || kept.has(draft))
}

function claimName({ accountId, id }: Draft): string {
  return `${accountId} ${id}`
}

/** Beside the keys of requests: no caller can name this operation. */
function claimOf({ accountId, mode }: Draft, key: string): KeptKey {
  return { accountId, mode, operation: 'reply', key, otherKey: key, lock: `reply ${accountId} ${key}` }
}

async function apply(tx: Tx, drafts: readonly Draft[], optOuts: InboundRepliesParts['optOuts']): Promise<void> {
  const inTime = drafts.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const byPhone = Map.groupBy(inTime, (draft) => nameOf(optOuts.keyOf(draft)))
  const last = [...byPhone.values()].flatMap(keepLast)
  await optOuts.remove(
    tx,
    last.filter(({ reply }) => reply === 'start'),
  )
  await optOuts.add(
    tx,
    last.filter(({ reply }) => reply === 'stop'),
  )
}

/** Of one phone, what counts in the end: the last word about everything, and what was said of marketing after it. */
function keepLast(drafts: readonly Draft[]): Draft[] {
  const whole = drafts.findLast(({ category }) => category === undefined)
  const marketing = drafts.findLast(({ category }) => category === 'marketing')
  if (!whole || !marketing) return [whole ?? marketing ?? []].flat()
  const isAfter = drafts.indexOf(marketing) > drafts.indexOf(whole)
  return isAfter && whole.reply === 'start' && marketing.reply === 'stop' ? [whole, marketing] : [whole]
}
