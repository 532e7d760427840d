/** Phones of callers: the first area has WhatsApp and Telegram, each of the others an SMS provider of its own. */
import { numberAt } from '../bench/phone.ts'

/** Seven digits follow. */
const areas = ['+1212', '+1416', '+44740', '+491511', '+43664']

/** The countries whose codes go by SMS. */
export const smsCountries = ['CA', 'GB', 'DE'] as const

/** Where codes go by a SIM first, while its cap lets them. */
export const simCountry = 'AT'

/** Another number for each index to 40 million. */
export function callerAt(index: number): string {
  return numberAt(areas, index)
}
