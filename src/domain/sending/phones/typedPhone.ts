/** Phone numbers as people write and paste them, and as other systems hand them on. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { Refusal } from '../../../kit/refusal.ts'
import { oddCharacter, plainText } from '../../../kit/typed.ts'
import { lengthFault, numberKindOf } from '../numberingPlan.ts'
import { hasExtension, hasLetters, notOnePhone } from './notOnePhone.ts'
import { renumber } from './renumbered.ts'

/** A number in E.164 form; or why there is none, as the end of a sentence, without a digit of what was written. */
export type TypedPhone = { phone: string; fault?: undefined } | { phone?: undefined; fault: string }

interface Options {
  /** What begins with a digit begins with a country code. */
  isPlusImplied?: boolean
}

const charactersMax = 200

/** What stands before a number on cards and in signatures, and the schemes of links. */
const label =
  /^(?:tel|tél|tlf|ph|phone|telephone|téléphone|telefon|telefono|teléfono|telefone|mob|mobile|mobil|handy|cell|cel|celular|móvil|sms|callto|whatsapp|тел|телефон|моб|电话|電話|手机|هاتف|جوال)[.:\s]*(?=[+(\d])/iu

/**
 * Reads what a person wrote: with spaces, brackets, dashes, a trunk zero in brackets, digits of any script, marks that cannot be
 * seen, `tel:` or `Mobile:` in front, `00` for the plus; and numbers that their country has changed since.
 *
 * @param text may be anything
 * @returns a number of a length that its country has; a fault for anything else, for a number with an extension, and where more
 *   than one number is written: a guess could reach a stranger
 */
export function readTyped(text: string, options: Options = {}): TypedPhone {
  if (text.length > charactersMax) return { fault: `has more than ${charactersMax} characters` }
  const written = plainPhone(text)
  const fault = notOnePhone(written)
  if (fault !== undefined) return { fault }
  const bare = written.replace(/[^\p{L}\p{N}+*#:;]/gu, '')
  // No country code begins with 0, and forms put a plus in front of what has one.
  const plus = options.isPlusImplied ? /^(?:(?:\+|00)+|(?=[0-9]))/ : /^(?:\+|00)+/
  const international = renumber(bare.replace(plus, '+'))
  const parsed = parsePhoneNumberFromString(international, { extract: false })
  const isPossible = parsed?.isPossible() ?? false
  const ending = endingFault(written, isPossible, options)
  if (ending !== undefined) return { fault: ending }
  if (parsed && isPossible) return { phone: parsed.number }
  return { fault: digitsFault(/^(\+|00)/.test(bare) ? (parsed?.number ?? international) : bare) }
}

/** @returns in E.164 form; undefined where `readTyped` has a fault */
export function readPhone(text: string, options?: Options): string | undefined {
  return readTyped(text, options).phone
}

/** @returns in E.164 form. @throws Refusal that says what is wrong with it */
export function requirePhone(text: string): string {
  const { phone, fault } = readTyped(text)
  if (phone === undefined) throw new Refusal(`Cannot read this as a phone number: it ${fault}.`)
  return phone
}

/**
 * What is wrong with a text that is to be in E.164 form, for the developer whose program did not bring it there.
 *
 * @returns the end of a sentence, without a digit of the text; undefined where nothing more is to be said
 */
export function phoneFault(text: string): string | undefined {
  if (text === '') return 'is empty'
  const fault = text.length > charactersMax ? undefined : notOnePhone(plainPhone(text))
  if (fault !== undefined && fault !== hasLetters) return fault
  const odd = oddCharacter(text)
  if (odd !== undefined) return odd
  if (/[^\P{Nd}0-9]/u.test(text)) return 'has digits that are not 0 to 9'
  if (fault !== undefined) return fault
  if (!text.startsWith('+')) return 'does not begin with +'
  const at = text.search(/[^+0-9]/)
  if (at >= 0) return `has "${text[at]}", as character ${at + 1}`
  if (text.startsWith('+0')) return zeroFirst
  return text.length > 16 ? 'has more than 15 digits' : undefined
}

const zeroFirst = 'has a 0 where the country code begins'

/** In one line, without what people put around a number. */
function plainPhone(text: string): string {
  return (
    plainText(text)
      .replace(label, '')
      .replace(/[;,.]+$/, '')
      // A local number in a link has the rest in front of it elsewhere (RFC 3966).
      .replace(/^([^;]*);phone-context=\+?([\d-]+)$/i, '+$2$1')
  )
}

/**
 * What is behind the last dash. German companies write the digits of a desk there (DIN 5008), which belong to the number that is
 * dialed; libphonenumber reads them so. Behind a number that is whole without them, they are an extension of a country that
 * dials no such digits; and behind that of a mobile, which has no desks, they may be the end of a second number.
 */
function endingFault(written: string, isPossible: boolean, options: Options): string | undefined {
  const [, before = '', ending = ''] = /^(.*\d.*)-\D*(\d{1,5})$/u.exec(written) ?? []
  const kind = before === '' ? '' : numberKindOf(readTyped(before, options).phone ?? '')
  if (kind === '') return undefined
  if (!isPossible) return hasExtension
  return ending.length <= 2 && kind === 'MOBILE' ? endsTwice : undefined
}

const endsTwice = 'has digits behind a whole number, which may be an extension or end a second number'

/** Of what is no number by its digits. @param phone they, and what else was left of the text */
function digitsFault(phone: string): string {
  if (phone === '') return 'is empty'
  const odd = /[^+\d]/.exec(phone)?.[0]
  if (odd !== undefined) return `has "${odd}"`
  if (!phone.startsWith('+')) return 'does not begin with + and a country code, as +14155550100 does'
  if (phone.startsWith('+0')) return zeroFirst
  return phone.length > 16 ? 'has more digits than one number can have' : lengthFault(phone)
}
