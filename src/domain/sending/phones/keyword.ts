/** The words by which people opt out and in again. A reply counts only when it is one of them and nothing else. */

/** What a reply asks for; `other` is everything that is no keyword. */
export type ReplyMeaning = 'stop' | 'start' | 'other'

/** In the form of `plainWord`. Those of operators in North America (CTIA), and what providers take in other languages. */
const keywords: Readonly<Record<Exclude<ReplyMeaning, 'other'>, readonly string[]>> = {
  stop: [
    ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
    ...['ARRET', 'DESABONNER', 'BAJA', 'PARAR', 'SAIR', 'STOPP', 'ABMELDEN', 'AFMELDEN', 'СТОП'],
  ],
  start: ['START', 'UNSTOP', 'OPTIN'],
}

/** What a keyword asks for. */
export type KeywordMeaning = Exclude<ReplyMeaning, 'other'>

/** What words mean, in the form of `plainWord`. */
export type Keywords = ReadonlyMap<string, KeywordMeaning>

/** Those that every account has. */
export const standardKeywords: Keywords = new Map(
  Object.entries(keywords).flatMap(([meaning, words]) => words.map((word) => [word, meaning as KeywordMeaning])),
)

/** Of a reply: what is longer is a sentence, and is not looked at. */
export const keywordCharactersMax = 40

/**
 * @param text as a person wrote it; of "Stop please" nothing counts, because it could as well be "do not stop"
 * @param own keywords of the account besides those that every account has
 */
export function readMeaning(text: string | undefined, own?: Keywords): ReplyMeaning {
  if (!isShort(text)) return 'other'
  const word = plainWord(text)
  return standardKeywords.get(word) ?? own?.get(word) ?? 'other'
}

/** Whether an account may have made a keyword of it. */
export function isShort(text: string | undefined): text is string {
  return text !== undefined && text.length <= keywordCharactersMax
}

/**
 * Without case, accents, spaces and marks: `Arrêt!`, `STOP ALL` and `"opt-out"` are `ARRET`, `STOPALL` and `OPTOUT`. The signs of
 * a script's own, such as the vowels of Hindi and Thai, tell words apart, and stay.
 */
export function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\p{M}]|\p{Script=Inherited}/gu, '')
    .toUpperCase()
}
