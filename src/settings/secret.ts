/** The settings of the server's secrets. */
import { z } from 'zod'

const secretLengthMin = 32

export const secretForms = {
  WATCHWORD_SECRET: z
    .string()
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .refine((list) => list.every((secret) => secret.length >= secretLengthMin), {
      error: `must be secrets of at least ${secretLengthMin} characters each, separated by commas`,
    })
    .optional(),
  SECRETS_MISSING: z.enum(['refuse', 'accept']).default('refuse'),
}

/** Several processes would each make one of their own. */
export const secretWanted =
  'WATCHWORD_SECRET: must be set together with DATABASE_URL, the same in every process (make one with: openssl rand -base64 32)'
