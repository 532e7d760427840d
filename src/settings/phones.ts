/** The settings of where messages may go. */
import { isSupportedCountry } from 'libphonenumber-js/max'
import { z } from 'zod'

export const phoneForms = {
  COUNTRIES_ALLOWED: z
    .string()
    .transform((list) => list.split(',').map((code) => code.trim().toUpperCase()))
    .refine((list) => list.every((code) => isSupportedCountry(code)), {
      error: 'must be two-letter country codes (ISO 3166-1), separated by commas',
    })
    .optional(),
  PHONE_PREFIXES_ALLOWED: z
    .string()
    .transform((list) => list.split(',').map((prefix) => prefix.trim()))
    .refine((list) => list.every((prefix) => /^\+[1-9]\d{2,10}$/.test(prefix)), {
      error: 'must be beginnings of phone numbers of 3 to 11 digits, like +1436, separated by commas',
    })
    .optional(),
}
