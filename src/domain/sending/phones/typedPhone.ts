/** Phone numbers as people write and paste them, and as other systems hand them on. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { Refusal } from '../../../kit/refusal.ts'
import { oddCharacter, plainText } from '../../../kit/typed.ts'
import { renumber } from './renumbered.ts'

const charactersMax = 200

/**
 * A number with another one behind it, of which only the digits that differ are written: `1234567 / 8`. In one number, a slash stands
 * between the code of an area and five digits at least.
 */
const otherEnding = /,|\/\D*(\p{Nd}\D*){0,4}$/u

/**
 * Reads what a person wrote: with spaces, brackets, dashes, a trunk zero in brackets, digits of any script, marks that cannot be
 * seen, `tel:` in front, `00` for the plus; and numbers that their country has changed since.
 *
 * @param text may be anything
 * @param isPlusImplied what begins with a digit begins with a country code
 * @returns in E.164 form, of a length that its country has; undefined for anything else, for a number with an extension, and
 *   where more than one number is written: a guess could reach a stranger
 */
export function readPhone(text: string, { isPlusImplied = false } = {}): string | undefined {
  if (text.length > charactersMax) return undefined
  const written = plainText(text)
    .replace(/^(?:tel|sms|callto|whatsapp):/i, '')
    .replace(/[;,.]+$/, '')
  if (otherEnding.test(written)) return undefined
  // The library reads the context of a local number in a link by itself (RFC 3966).
  const bare = written.includes(';') ? written : written.replace(/[^\p{L}\p{N}+*#:]/gu, '')
  // No country code begins with 0, and forms put a plus in front of what has one.
  const international = bare.replace(isPlusImplied ? /^(?:(?:\+|00)+|(?=[0-9]))/ : /^(?:\+|00)+/, '+')
  const parsed = parsePhoneNumberFromString(renumber(international), { extract: false })
  return parsed?.isPossible() && parsed.ext === undefined ? parsed.number : undefined
}

/** @returns in E.164 form. @throws Refusal when it is no phone number */
export function requirePhone(text: string): string {
  const phone = readPhone(text)
  if (phone === undefined) throw new Refusal('This is no phone number. Write it with + and the code of its country.')
  return phone
}

/**
 * What is wrong with a text that is to be in E.164 form, for the developer whose program did not bring it there.
 *
 * @returns the end of a sentence, without a digit of the text; undefined where nothing more is to be said
 */
export function phoneFault(text: string): string | undefined {
  if (text === '') return 'is empty'
  const odd = oddCharacter(text)
  if (odd !== undefined) return odd
  if (/[^\P{Nd}0-9]/u.test(text)) return 'has digits that are not 0 to 9'
  if (/\p{L}/u.test(text)) return 'has letters'
  if (!text.startsWith('+')) return 'does not begin with +'
  const at = text.search(/[^+0-9]/)
  if (at >= 0) return `has "${text[at]}", as character ${at + 1}`
  if (text.startsWith('+0')) return 'has a 0 where the country code begins'
  return text.length > 16 ? 'has more than 15 digits' : undefined
}
