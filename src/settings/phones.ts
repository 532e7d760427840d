/** The settings of where messages may go. */
import { isSupportedCountry } from 'libphonenumber-js/max'
import { listed } from './listed.ts'

export const phoneForms = {
  COUNTRIES_ALLOWED: listed
    .transform((list) => list.map((code) => code.toUpperCase()))
    .refine((list) => list.every((code) => isSupportedCountry(code)), {
      error: 'must be two-letter country codes like DE or GB (ISO 3166-1), separated by commas',
    })
    .optional(),
  PHONE_PREFIXES_ALLOWED: listed
    .refine((list) => list.every((prefix) => /^\+[1-9]\d{2,10}$/.test(prefix)), {
      error: 'must be beginnings of phone numbers of 3 to 11 digits, like +1436, separated by commas',
    })
    .optional(),
}
