/** The settings of the server's secrets. */
import { z } from 'zod'
import { oneOf } from './oneOf.ts'
import { secret } from './secretFile.ts'

const secretLengthMin = 32

export const secretForms = {
  WATCHWORD_SECRET: z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .refine((list) => list.every((one) => one.length >= secretLengthMin), {
      error: `must be secrets of at least ${secretLengthMin} characters each, separated by commas`,
    })
    .optional()
    .meta(secret),
  SECRETS_MISSING: oneOf(['refuse', 'accept']).default('refuse'),
}

/** Several processes would each make one of their own. */
export const secretWanted =
  'WATCHWORD_SECRET: must be set together with DATABASE_URL, the same in every process (make one with: openssl rand -base64 32)'
