/** What the columns of all tables share. */
import { customType, timestamp } from 'drizzle-orm/pg-core'

export type Mode = 'live' | 'test'

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
/** Text whose bytes are compared, whatever the database's collation is. */
export const bytewise = customType<{ data: string }>({ dataType: () => 'text collate "C"' })
