/** Who sent a reply, as providers write numbers: with a plus or without, with spaces, or as dialed inside the country. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { readNumber } from '../numberingPlan.ts'
import { readPhone } from './typedPhone.ts'

/**
 * @param to the number that the reply came to: a number that is no international one is read as one of its country
 * @param countries of the phones that a gateway sends to: what is a number of one of them is that
 * @returns in E.164 form; undefined where it cannot be read, as with a short code or a name
 */
export function readSender(
  from: string,
  to: string | undefined,
  countries: readonly string[] = [],
): string | undefined {
  const international = readPhone(from, { isPlusImplied: true })
  const country = international && readNumber(international)?.country
  if (country !== undefined && countries.includes(country)) return international
  for (const one of countries) {
    const national = readNational(from, one)
    if (national !== undefined) return national
  }
  if (international !== undefined && readNumber(international)) return international
  const receiver = to === undefined ? undefined : readPhone(to, { isPlusImplied: true })
  return readNational(from, receiver && readNumber(receiver)?.country) ?? international
}

function readNational(from: string, country: string | undefined): string | undefined {
  if (country === undefined || from.length > 32) return undefined
  const parsed = parsePhoneNumberFromString(from, { defaultCountry: country as 'US', extract: false })
  return parsed?.isValid() ? readPhone(parsed.number) : undefined
}
