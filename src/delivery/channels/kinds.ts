/** The kinds of connections, each in one line, by the name that `kind` has in a list. */
import { z } from 'zod'
import type { ConfigurableKind } from '../channel.ts'

/** Its phones are in the service's own database: who delivers, opens it. */
const sandbox: ConfigurableKind = { settings: z.strictObject({}), secrets: [], carries: () => true }

export const kinds: Readonly<Record<string, ConfigurableKind>> = { sandbox }

/** What an account has from its start, so that a fresh installation works. */
export const firstConnection = { id: 'sandbox', kind: 'sandbox' }
