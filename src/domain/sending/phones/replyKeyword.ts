/** The keywords of an account's own, by which people opt out and in again in languages that the standard ones do not know. */

import { Refusal } from '../../../kit/refusal.ts'
import { createRemembered } from '../../../kit/remembered.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import { lockAccount } from '../../../store/access/account.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import type { ReplyKeyword } from '../../../store/schema/requestSchema.ts'
import { findReplyKeywords, putReplyKeywords } from '../../../store/sending/replyKeyword.ts'
import type { ActCommit } from '../../access/act.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import { languageIn } from '../wordings/language.ts'
import { type Keywords, keywordCharactersMax, plainWord, standardKeywords } from './keyword.ts'

/** Beside the standard ones, which no account can remove. */
export interface ManagedKeywords {
  /** By language and text. @throws Forbidden */
  listKeywords: (actor: Actor, accountId: string) => Promise<ReplyKeyword[]>
  /** Of a word that is there, the language and how it is written. @throws Refusal which says why not, Forbidden */
  addKeyword: (actor: Actor, accountId: string, keyword: ReplyKeyword) => Promise<void>
  /** @returns whether it was there. @throws Refusal for a standard one, Forbidden */
  removeKeyword: (actor: Actor, accountId: string, text: string) => Promise<boolean>
}

/** Of one account. */
export const ownKeywordsMax = 50

type Own = Readonly<Record<string, ReplyKeyword>>

export function createManagedKeywords(parts: { commit: ActCommit; runtime: Pick<Runtime, 'now'> }): ManagedKeywords {
  const { commit, runtime } = parts
  /** Holds the account's row: of two who add the last one that there is room for, one is refused. */
  const findHeld = async (tx: Tx, accountId: string): Promise<Own> => {
    await lockAccount(tx, accountId)
    return (await findReplyKeywords(tx, [accountId]))[0] ?? {}
  }
  const put = (tx: Tx, accountId: string, keywords: Own) =>
    putReplyKeywords(tx, { accountId, keywords, updatedAt: runtime.now() })

  return {
    listKeywords: async (actor, accountId) => {
      requireRole(actor, 'viewer', accountId)
      const [own = {}] = await findReplyKeywords(commit.reader, [accountId])
      return Object.values(own).toSorted(
        (one, other) => one.language.localeCompare(other.language) || one.text.localeCompare(other.text),
      )
    },
    addKeyword: async (actor, accountId, given) => {
      requireRole(actor, 'owner', accountId)
      const { word, ...keyword } = readKeyword(given)
      await commit.as(actor).transaction(async (tx, note) => {
        const own = await findHeld(tx, accountId)
        requireRoom(own, word, keyword)
        await put(tx, accountId, { ...own, [word]: keyword })
        const { text: subject, ...detail } = keyword
        await note({ accountId, act: 'reply-keyword.added', subject, detail })
      })
    },
    removeKeyword: async (actor, accountId, text) => {
      requireRole(actor, 'owner', accountId)
      const word = plainWord(text)
      if (standardKeywords.has(word)) throw new Refusal(`Every account has the keyword ${word}: it cannot be removed.`)
      return commit.as(actor).transaction(async (tx, note) => {
        const { [word]: gone, ...others } = await findHeld(tx, accountId)
        if (!gone) return false
        await put(tx, accountId, others)
        await note({ accountId, act: 'reply-keyword.removed', subject: gone.text, detail: { meaning: gone.meaning } })
        return true
      })
    },
  }
}

/** @throws Refusal which says what is wrong with it */
function readKeyword(given: ReplyKeyword): ReplyKeyword & { word: string } {
  const text = given.text.trim()
  const language = languageIn(given.language)
  if (language === undefined) throw new Refusal('The language must be as BCP 47 writes it, like tr or pt-BR.')
  if (/\p{Cc}/u.test(text)) throw new Refusal('The keyword has a control character: write it in one line.')
  if (text.length > keywordCharactersMax)
    throw new Refusal(`The keyword has more than ${keywordCharactersMax} characters: longer replies are not looked at.`)
  const word = plainWord(text)
  if (!/[\p{L}\p{N}]/u.test(word)) throw new Refusal('The keyword has no letter and no digit.')
  const standard = standardKeywords.get(word)
  if (standard === given.meaning) throw new Refusal(`Every account has the keyword ${word}: there is nothing to add.`)
  if (standard) throw new Refusal(`The keyword ${word} means ${standard} for every account: that cannot be changed.`)
  return { word, text, meaning: given.meaning, language }
}

/** @throws Refusal where the word means the other already, or there are as many as can be */
function requireRoom(own: Own, word: string, { meaning }: ReplyKeyword): void {
  const there = own[word]
  if (there && there.meaning !== meaning)
    throw new Refusal(`The keyword ${there.text} means ${there.meaning} here: remove it first.`)
  if (!there && Object.keys(own).length >= ownKeywordsMax)
    throw new Refusal(`An account has at most ${ownKeywordsMax} keywords of its own.`)
}

const accountsMax = 10_000

/** @returns the keywords of an account's own, at most five seconds behind the database; it throws when that is out of reach */
export function createKnownKeywords({
  commit,
  runtime,
}: {
  commit: Pick<Commit, 'shareReads'>
  runtime: Pick<Runtime, 'elapsedMs'>
}): (accountId: string) => Promise<Keywords | undefined> {
  const { get } = createRemembered<Own | undefined, Keywords>({
    now: runtime.elapsedMs,
    keysMax: accountsMax,
    read: commit.shareReads<string, Own | undefined>({ work: findReplyKeywords }),
    keep: (found) => found && new Map(Object.entries(found).map(([word, { meaning }]) => [word, meaning])),
  })
  return get
}
