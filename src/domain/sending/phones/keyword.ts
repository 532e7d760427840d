/** The words by which people opt out and in again. A reply counts only when it is one of them and nothing else. */

/** What a reply asks for; `other` is everything that is no keyword. */
export type ReplyMeaning = 'stop' | 'start' | 'other'

/** In the form of `plainWord`. Those of operators in North America (CTIA), and what providers take in other languages. */
export const keywords: Readonly<Record<Exclude<ReplyMeaning, 'other'>, readonly string[]>> = {
  stop: [
    ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
    ...['ARRET', 'DESABONNER', 'BAJA', 'PARAR', 'SAIR', 'STOPP', 'ABMELDEN', 'AFMELDEN', 'СТОП'],
  ],
  start: ['START', 'UNSTOP', 'OPTIN'],
}

const meanings: ReadonlyMap<string, ReplyMeaning> = new Map(
  Object.entries(keywords).flatMap(([meaning, words]) => words.map((word) => [word, meaning as ReplyMeaning])),
)

/** Characters: what is longer is a sentence, and is not looked at. */
const charactersMax = 40

/** @param text as a person wrote it; of "Stop please" nothing counts, because it could as well be "do not stop" */
export function readMeaning(text: string | undefined): ReplyMeaning {
  if (text === undefined || text.length > charactersMax) return 'other'
  return meanings.get(plainWord(text)) ?? 'other'
}

/** Without case, accents, spaces and marks: `Arrêt!`, `STOP ALL` and `"opt-out"` are `ARRET`, `STOPALL` and `OPTOUT`. */
function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
}
