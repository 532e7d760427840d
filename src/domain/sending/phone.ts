/** Phone numbers: which can exist, which may be sent to, where they are, and how much of one may be shown. */
import type { NumberType } from 'libphonenumber-js/max'
import { Problem } from '../../kit/problem.ts'
import { type Actor, may } from '../access/actor.ts'
import { findMainCountry, isUnlisted, lengthFault, type NumberFacts, readNumber } from './numberingPlan.ts'
import { onePhone } from './phoneForm.ts'
import { renumberingFault } from './phones/renumbered.ts'

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

/** What the operator lets pass and keeps out. */
export interface PhonesAllowed {
  /** ISO 3166-1 alpha-2 codes; undefined allows all. */
  countries?: ReadonlySet<string> | undefined
  /** How numbers begin that are sent to though no numbering plan of this version has them: `+1436`. */
  prefixes?: readonly string[] | undefined
}

export type LookUpPhone = (phone: string) => FoundPhone | Problem<'invalid_phone' | 'country_not_allowed'>

/**
 * Looks at a number that is to be sent to: it can exist, does not charge its caller, and its country is allowed.
 *
 * @param phone in E.164 form
 * @returns what is known of it; or why nothing is sent to it
 */
export function lookUpPhone(phone: string, allowed: PhonesAllowed = {}): ReturnType<LookUpPhone> {
  const found = readNumber(phone) ?? readUnlisted(phone, allowed.prefixes ?? [])
  if (!found) return isUnlisted(phone) ? unlisted() : invalid(renumberingFault(phone) ?? lengthFault(phone))
  if (chargingKinds.has(found.kind) || chargingCodes.has(found.callingCode)) {
    return invalid('is of a kind that charges its caller', 'This service does not send to phone numbers of this kind.')
  }
  if (allowed.countries && !allowed.countries.has(found.country ?? '')) return new Problem('country_not_allowed')
  const one = onePhone(phone)
  const { kind: numberKind } = (one === phone ? undefined : readNumber(one)) ?? found
  return { country: found.country, numberKind, phone: one }
}

/** @param note is told of each number that is refused because no numbering plan of this version has it */
export function createPhoneLookup(allowed: PhonesAllowed, note: (phone: string) => void): LookUpPhone {
  return (phone) => {
    const found = lookUpPhone(phone, allowed)
    if (found instanceof Problem && found.code === 'invalid_phone' && isUnlisted(phone)) note(phone)
    return found
  }
}

/** Numbers of a range that was opened after the library was made: nothing tells their kind. */
function readUnlisted(phone: string, prefixes: readonly string[]): NumberFacts | undefined {
  if (!prefixes.some((prefix) => phone.startsWith(prefix)) || !isUnlisted(phone)) return undefined
  return { ...findMainCountry(phone), kind: 'FIXED_LINE_OR_MOBILE' }
}

function unlisted(): Problem<'invalid_phone'> {
  const fault = "is not in this version's numbering plan"
  return invalid(fault, `This phone number ${fault}.`)
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
