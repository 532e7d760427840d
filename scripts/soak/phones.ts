/** Phones of callers: the first area has WhatsApp and Telegram, each of the others an SMS provider of its own. */
import { numberAt } from '../bench/phone.ts'

/** Seven digits follow. */
const areas = ['+1212', '+1416', '+44740', '+491511']

/** The countries whose codes go by SMS. */
export const smsCountries = ['CA', 'GB', 'DE'] as const

/** Another number for each index to 32 million. */
export function callerAt(index: number): string {
  return numberAt(areas, index)
}
