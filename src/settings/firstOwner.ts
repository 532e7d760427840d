/** The setting of who owns the dashboard first. */
import { z } from 'zod'
import { bareEmail, parseEmail } from '../domain/people/email.ts'

export const firstOwnerForms = {
  FIRST_OWNER: z
    .string()
    .transform((text) => parseEmail(bareEmail(text)))
    .refine((email) => email !== undefined, { error: 'must be an email address like ada@example.com' })
    .optional(),
}
