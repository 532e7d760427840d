/** Phone numbers: which can exist, which may be sent to, where they are, and how much of one may be shown. */
import type { NumberType } from 'libphonenumber-js/max'
import { Problem } from '../../kit/problem.ts'
import { type Actor, may } from '../access/actor.ts'
import { readNumber } from './numberingPlan.ts'
import { onePhone } from './phoneForm.ts'

/**
 * Kinds that charge their caller, by which somebody earns who makes us send to them. Personal numbers and pagers are
 * billed like premium rate in many countries, and their calls are forwarded who knows where. Others stay: who calls
 * freephone (`TOLL_FREE`), company (`UAN`) or internet (`VOIP`) numbers pays nothing or what any call costs.
 */
const chargingKinds: ReadonlySet<NumberType> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER'])

/**
 * Calling codes of no country that cost the caller as much, whatever the library takes their numbers for: 870 and 881 are
 * satellites, 878 is universal personal numbers, and 882 and 883 are networks of ships, aircraft and satellites, whose
 * ranges are also rented out to those who earn by being called. 808 and 979 are known by their kinds; 800 is free.
 */
const chargingCodes: ReadonlySet<string> = new Set(['870', '878', '881', '882', '883'])

interface FoundPhone {
  /** ISO 3166-1 alpha-2; undefined for a number of no country. */
  country: string | undefined
  /** The number that stands for its phone: a phone can have two. */
  phone: string
  /** Of that number, as the library names it. */
  numberKind: string
}

/**
 * Looks at a number that is to be sent to: it can exist, does not charge its caller, and its country is allowed.
 *
 * @param phone in E.164 form
 * @param countriesAllowed ISO 3166-1 alpha-2 codes; undefined allows all
 * @returns what is known of it; or why nothing is sent to it
 */
export function lookUpPhone(
  phone: string,
  countriesAllowed: ReadonlySet<string> | undefined,
): FoundPhone | Problem<'invalid_phone' | 'country_not_allowed'> {
  const found = readNumber(phone)
  if (!found) return invalid("is no number of any country's numbering plan")
  if (chargingKinds.has(found.kind) || chargingCodes.has(found.callingCode)) {
    return invalid('is of a kind that charges its caller', 'This service does not send to phone numbers of this kind.')
  }
  if (countriesAllowed && !countriesAllowed.has(found.country ?? '')) return new Problem('country_not_allowed')
  const one = onePhone(phone)
  const { kind: numberKind } = (one === phone ? undefined : readNumber(one)) ?? found
  return { country: found.country, numberKind, phone: one }
}

/** Whether a text is a number in E.164 form that can exist. */
export function isPhone(text: string): boolean {
  return readNumber(text) !== undefined
}

function invalid(fault: string, message?: string): Problem<'invalid_phone'> {
  const details = [{ field: '/phone', code: 'wrong_format', message: fault }] as const
  return new Problem('invalid_phone', { details, ...(message !== undefined && { message }) })
}

/** `+1415•••••23`: what a log may hold. */
export function maskPhone(phone: string): string {
  return phone.length < 9 ? '•••' : `${phone.slice(0, 5)}${'•'.repeat(phone.length - 7)}${phone.slice(-2)}`
}

/** A phone for a person to see: whole for a developer or an owner of its account, and for nobody else. */
export function shownPhone(phone: string, actor: Actor): string {
  return actor.kind === 'user' && may(actor, 'developer') ? phone : maskPhone(phone)
}

/**
 * What somebody typed or pasted, in E.164 form: without spaces, brackets and dashes, `00` for the plus, or the plus left out.
 *
 * @returns undefined when that is no number that can exist
 */
export function tidyPhone(text: string): string | undefined {
  const bare = text.replace(/[\s\p{Cf}().\-‐-―/]/gu, '').replace(/^00/, '+')
  const phone = bare.startsWith('+') ? bare : `+${bare}`
  return isPhone(phone) ? phone : undefined
}
