/** What a provider says that a message costs: a number and a currency, or nothing. */
import type { Price } from '../../store/schema/schema.ts'

/**
 * Less than a million, in any currency: more is no price of a message. Providers that reckon in binary numbers write up to 20
 * places, as in 0.30000000000000004.
 */
const amountForm = /^0*(\d{1,6}?)(?:\.(\d{1,20}?)0*)?$/
const currencies = new Set(Intl.supportedValuesOf('currency'))

/**
 * @param amount as the provider writes it: a decimal number without a sign and without an exponent
 * @param currency ISO 4217
 * @returns undefined for what is no price: a provider may say anything
 */
export function toPrice(amount: string | undefined, currency: string | undefined): Price | undefined {
  if (amount === undefined || currency === undefined || amount.length > 100 || !currencies.has(currency)) {
    return undefined
  }
  const [, whole, part = ''] = amountForm.exec(amount) ?? []
  if (whole === undefined) return undefined
  return { amount: /^0*$/.test(part) ? whole : `${whole}.${part}`, currency }
}
