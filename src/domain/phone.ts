/** Phone numbers: which can exist, where they are, and how much of one may be shown. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { Problem } from '../problem.ts'

/**
 * Lets a number pass that can exist and whose country is allowed.
 *
 * @param phone in E.164 form
 * @param countriesAllowed ISO 3166-1 alpha-2 codes; undefined allows all
 * @throws Problem `invalid_phone`, `country_not_allowed`
 */
export function requirePhone(phone: string, countriesAllowed: ReadonlySet<string> | undefined): void {
  const parsed = parsePhoneNumberFromString(phone)
  // What libphonenumber understands another way than it was written (an extension, say) is not E.164.
  if (!parsed?.isValid() || parsed.number !== phone) {
    throw new Problem('invalid_phone', {
      details: [{ field: '/phone', code: 'wrong_format', message: "is no number of any country's numbering plan" }],
    })
  }
  if (countriesAllowed && !countriesAllowed.has(parsed.country ?? '')) throw new Problem('country_not_allowed')
}

/** `+1415•••••23`: what a log may hold. */
export function maskPhone(phone: string): string {
  return phone.length < 9 ? '•••' : `${phone.slice(0, 5)}${'•'.repeat(phone.length - 7)}${phone.slice(-2)}`
}
