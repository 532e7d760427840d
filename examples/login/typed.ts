/** What people type and paste: phones with marks that cannot be seen, codes in two halves, digits of any script. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** In E.164 form, if it is one number with its country code: `+44 (0)7975 556677` is `+447975556677`. Anything else stays. */
export function phoneIn(typed: unknown): string {
  const written = plain(typed).trim()
  const bare = written
    .replace(/^(tel|sms|callto|whatsapp):/i, '')
    .replace(/[^\p{L}\p{N}+*#]/gu, '')
    .replace(/^(\+|00)+/, '+')
  const phone = parsePhoneNumberFromString(bare, { extract: false })
  return phone?.isPossible() && phone.ext === undefined ? phone.number : written
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
