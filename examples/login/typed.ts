/** What people type and paste: phones with marks that cannot be seen, codes in two halves, digits of any script. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** What stands before a number in links, on cards and in signatures. */
const label = /^(?:tel|phone|mob|mobile|mobil|handy|cell|sms|callto|whatsapp|тел|телефон)[.:\s]*(?=[+(\d])/iu
/** A second number of which only the last digits are written, `1234567 / 8`, and `1234567.0` of a spreadsheet. */
const otherEnding = /,|\/\D*(\d\D*){0,4}$|^[^.]*\d\.0+$/u

/**
 * In E.164 form, if it is one number with its country code: `+44 (0)7975 556677` is `+447975556677`. Anything else stays, as does what
 * may be two numbers: a guess could reach a stranger.
 */
export function phoneIn(typed: unknown): string {
  const text = plain(typed).trim()
  const written = text
    .replace(label, '')
    .replace(/[;,.]+$/, '')
    .replace(/^([^;]*);phone-context=\+?([\d-]+)$/i, '+$2$1')
  // One or two digits behind the dash of a whole mobile number may end a second one.
  const [, before = ''] = /^(.*\d.*)\p{Pd}\D*\d{1,2}$/u.exec(written) ?? []
  if (otherEnding.test(written) || numberIn(before)?.getType() === 'MOBILE') return text
  return numberIn(written)?.number ?? text
}

function numberIn(written: string) {
  const bare = written.replace(/[^\p{L}\p{N}+*#]/gu, '').replace(/^(\+|00)+/, '+')
  const phone = parsePhoneNumberFromString(bare, { extract: false })
  return phone?.isPossible() && phone.ext === undefined ? phone : undefined
}

/** `123-456`, `١٢٣٤٥٦` and `123 456` are the same code. */
export function codeIn(typed: unknown): string {
  return plain(typed).replace(/[\s\p{Pd}.]/gu, '')
}

/** In plain characters: digits of any script, full-width forms, without marks that cannot be seen. */
function plain(typed: unknown): string {
  return String(typed)
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu, '')
    .replaceAll('➕', '+')
    .replace(/\p{Nd}/gu, digitOf)
}

/** Unicode has the ten digits of a script side by side, from its zero on. */
function digitOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
