/** The kinds of connections, a line each. */
import { z } from 'zod'
import type { AddressGuard } from '../../outbound/address.ts'
import type { Channel, Kind, Kinds } from '../channel.ts'
import { createHttpKind } from './http/http.ts'
import { sandbox } from './sandbox/kind.ts'
import { createSmsKind } from './sms/sms.ts'
import { telegram } from './telegram/telegram.ts'
import { whatsapp } from './whatsapp/whatsapp.ts'

export const kindNames = ['sandbox', 'whatsapp', 'telegram', 'sms', 'http'] as const

/** What an account has from its start, so that a fresh installation works. */
export const firstConnection = { id: 'sandbox', kind: 'sandbox' }

/**
 * @param guard where a connection to any gateway may lead
 * @param plainGuard the same without TLS: the gateways that operators run themselves often have none
 */
export function createKinds(guard: AddressGuard, plainGuard: AddressGuard): Kinds {
  return {
    sandbox,
    whatsapp,
    telegram,
    sms: createSmsKind({ guard: plainGuard }),
    http: createHttpKind({ guard }),
  } satisfies Record<(typeof kindNames)[number], Kind>
}

/** @param opened channels that are there already, by kind: every connection of that kind is one of them */
export function kindsWith(kinds: Kinds, opened: Readonly<Record<string, Channel>>): Kinds {
  const replaced = Object.entries(opened).map(([name, channel]): [string, Kind] => [
    name,
    { ...kinds[name], settings: z.looseObject({}), fields: () => [], carries: () => true, open: () => channel },
  ])
  return { ...kinds, ...Object.fromEntries(replaced) }
}
