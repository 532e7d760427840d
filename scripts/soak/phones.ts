/** Phones of callers: the first area has WhatsApp and Telegram, each of the others an SMS provider of its own. */

/** How many digits follow: seven. */
const areas = ['+1212', '+1416', '+44740', '+491511']
const first = 2_000_000
const perArea = 8_000_000
/** Without a common factor with `perArea`, so that every number comes once, and none beside the one before. */
const step = 3_456_789

/** The countries whose codes go by SMS. */
export const smsCountries = ['CA', 'GB', 'DE'] as const

/** Another number for each index to 32 million. */
export function callerAt(index: number): string {
  return `${areas[index % areas.length]}${first + ((Math.floor(index / areas.length) * step) % perArea)}`
}
