/** The address of a provider's API where a connection names another one: a proxy, a relay, a simulator. */
import { z } from 'zod'
import type { Place } from '../../domain/channels/connectionEntry.ts'
import { checked } from '../../mapping/forms.ts'
import type { AddressGuard } from '../../outbound/address.ts'

/** @param guard where it may lead */
export function baseUrlForm(guard: AddressGuard): z.ZodString {
  const form = z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') })
    .max(1000, 'must have at most 1000 characters')
    .regex(/^[^?#@\s\\\p{Cc}]*[^?#@/\s\\\p{Cc}]$/u, 'must have no slash at the end, no user, no query and no fragment')
  return checked(form, guard.faultOfUrl)
}

/** Of an entry that names one. */
export function baseUrlPlace({ base_url: url }: Readonly<Record<string, unknown>>): Place[] {
  return [url].flat().flatMap((one) => (typeof one === 'string' ? [{ path: ['base_url'], url: one }] : []))
}
