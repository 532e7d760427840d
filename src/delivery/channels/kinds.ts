/** The kinds of connections, a line each. */
import { z } from 'zod'
import type { Channel, Kind, Kinds } from '../channel.ts'
import { sandbox } from './sandbox/kind.ts'
import { telegram } from './telegram/telegram.ts'
import { whatsapp } from './whatsapp/whatsapp.ts'

export const kinds: Kinds = { sandbox, whatsapp, telegram }

export const kindNames: readonly string[] = Object.keys(kinds)

/** What an account has from its start, so that a fresh installation works. */
export const firstConnection = { id: 'sandbox', kind: 'sandbox' }

/** @param opened channels that are there already, by kind: every connection of that kind is one of them */
export function kindsWith(opened: Readonly<Record<string, Channel>>): Kinds {
  const replaced = Object.entries(opened).map(([name, channel]): [string, Kind] => [
    name,
    { ...kinds[name], settings: z.looseObject({}), secrets: [], carries: () => true, open: () => channel },
  ])
  return { ...kinds, ...Object.fromEntries(replaced) }
}
