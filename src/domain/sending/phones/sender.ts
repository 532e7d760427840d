/** Who sent a reply, as providers write numbers: with a plus or without, with spaces, or as dialed inside the country. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { readNumber } from '../numberingPlan.ts'
import { readPhone } from './typedPhone.ts'

/**
 * @param to the number that the reply came to: a number that is no international one is read as one of its country
 * @returns in E.164 form; undefined where it cannot be read, as with a short code or a name
 */
export function readSender(from: string, to: string | undefined): string | undefined {
  const international = readPhone(from, { isPlusImplied: true })
  if (international !== undefined && readNumber(international)) return international
  return readNational(from, to) ?? international
}

function readNational(from: string, to: string | undefined): string | undefined {
  const own = to === undefined ? undefined : readPhone(to, { isPlusImplied: true })
  const country = own === undefined ? undefined : readNumber(own)?.country
  if (country === undefined || from.length > 32) return undefined
  const parsed = parsePhoneNumberFromString(from, { defaultCountry: country as 'US', extract: false })
  return parsed?.isValid() ? readPhone(parsed.number) : undefined
}
