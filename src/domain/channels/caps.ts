/** How many messages a connection may be handed in a time, by all processes together: a SIM, or a contract, allows no more. */
import { z } from 'zod'
import type { Connection } from '../../store/channels/connection.ts'

export type Caps = Pick<Connection, 'perMinute' | 'perHour' | 'perDay' | 'spread'>

const capMax = 1_000_000
const form = `must be a whole number, 1 to ${capMax}`
const cap = z.int({ error: form }).min(1, form).max(capMax, form).optional()

/** As members of an entry. */
export const capForms = {
  per_minute: cap,
  per_hour: cap,
  per_day: cap,
  spread: z.boolean({ error: 'must be true or false' }).optional(),
}

type CapMembers = { [Name in keyof typeof capForms]?: z.infer<(typeof capForms)[Name]> }

export function readCaps({ per_minute, per_hour, per_day, spread = false }: CapMembers): Caps {
  return { perMinute: per_minute ?? null, perHour: per_hour ?? null, perDay: per_day ?? null, spread }
}

/** As members of an entry; those that are not set are left out. */
export function capMembers({ perMinute, perHour, perDay, spread }: Caps): CapMembers {
  return {
    ...(perMinute !== null && { per_minute: perMinute }),
    ...(perHour !== null && { per_hour: perHour }),
    ...(perDay !== null && { per_day: perDay }),
    ...(spread && { spread }),
  }
}

export function pickCaps({ perMinute, perHour, perDay, spread }: Caps): Caps {
  return { perMinute, perHour, perDay, spread }
}

export function hasCaps({ perMinute, perHour, perDay }: Omit<Caps, 'spread'>): boolean {
  return perMinute !== null || perHour !== null || perDay !== null
}
