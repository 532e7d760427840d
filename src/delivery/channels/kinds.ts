/** The kinds of connections, a line each. */
import { z } from 'zod'
import type { AddressGuard } from '../../outbound/address.ts'
import type { Channel, Kind, Kinds } from '../channel.ts'
import { createHttpKind } from './http/http.ts'
import { sandbox } from './sandbox/kind.ts'
import { createSmsKind } from './sms/sms.ts'
import { createTelegramKind } from './telegram/telegram.ts'
import { createWhatsappKind } from './whatsapp/whatsapp.ts'

export const kindNames = ['sandbox', 'whatsapp', 'telegram', 'sms', 'http'] as const

/** What an account has from its start, so that a fresh installation works. */
export const firstConnection = { id: 'sandbox', kind: 'sandbox' }

/** Where a connection may lead: with TLS alone, and also without, which proxies and gateways in a network often have none of. */
export interface ConnectionGuards {
  strict: AddressGuard
  plain: AddressGuard
}

/**
 * @param operators for what the operator wrote
 * @param people for what people of an account wrote in the dashboard
 */
export function createKinds(operators: ConnectionGuards, people: ConnectionGuards): Kinds {
  const forPeople = kindsWithin(people)
  const kinds = Object.entries(kindsWithin(operators))
  return Object.fromEntries(kinds.map(([name, kind]) => [name, { ...kind, forPeople: forPeople[name] }]))
}

function kindsWithin({ strict, plain }: ConnectionGuards): Kinds {
  return {
    sandbox,
    whatsapp: createWhatsappKind({ guard: plain }),
    telegram: createTelegramKind({ guard: plain }),
    sms: createSmsKind({ guard: plain }),
    http: createHttpKind({ guard: strict }),
  } satisfies Record<(typeof kindNames)[number], Kind>
}

/** @param opened channels that are there already, by kind: every connection of that kind is one of them */
export function kindsWith(kinds: Kinds, opened: Readonly<Record<string, Channel>>): Kinds {
  const replaced = Object.entries(opened).map(([name, channel]): [string, Kind] => {
    const own = {
      settings: z.looseObject({}),
      fields: () => [],
      carries: () => true,
      open: () => channel,
      placesOf: () => [],
    }
    return [name, { ...kinds[name], ...own, forPeople: undefined }]
  })
  return { ...kinds, ...Object.fromEntries(replaced) }
}
