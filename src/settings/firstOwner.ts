/** The setting of who owns the dashboard first. */
import { z } from 'zod'
import { parseEmail } from '../domain/people/email.ts'

export const firstOwnerForms = {
  FIRST_OWNER: z
    .string()
    .refine((text) => parseEmail(text) !== undefined, { error: 'must be an email address like ada@example.com' })
    .transform(parseEmail)
    .optional(),
}
