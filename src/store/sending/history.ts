/** What became of one message, and what was told of it. */
import { and, eq } from 'drizzle-orm'
import { milliseconds, type Reader, read } from '../engine/session.ts'
import { account, apiKey, leg, message } from '../schema/schema.ts'
import type { DeliveryState } from '../webhooks/eventDelivery.ts'
import type { MessageKey } from './message.ts'

/**
 * Without what is in it, be it sealed.
 *
 * @param accountId undefined for who knows the id alone
 * @returns undefined when that account does not have it, or no account has it
 */
export async function findHistory(reader: Reader, accountId: string | undefined, id: string) {
  const [found] = await reader.db
    .select({
      account: account.name,
      accountId: message.accountId,
      id: message.id,
      mode: message.mode,
      kind: message.kind,
      phone: message.phone,
      country: message.country,
      template: message.template,
      keyId: message.keyId,
      route: message.route,
      leg: message.leg,
      attempts: message.deliveryAttempts,
      status: message.status,
      statusAt: message.statusAt,
      errorCode: message.errorCode,
      timeline: message.timeline,
      createdAt: message.createdAt,
      expiresAt: message.expiresAt,
      verifiedAt: message.verifiedAt,
    })
    .from(account)
    // An index begins with the account: without one, each is looked into.
    .innerJoin(message, and(eq(message.accountId, account.id), eq(message.id, id)))
    .where(accountId === undefined ? undefined : eq(account.id, accountId))
  if (!found) return undefined
  const taken = await reader.db
    .select({ connection: leg.connection, providerMessageId: leg.providerMessageId })
    .from(leg)
    .where(and(eq(leg.accountId, found.accountId), eq(leg.messageId, id)))
  return { ...found, taken, keyName: await keyNameOf(reader, found) }
}

/** Undefined for a message whose key was not kept. */
async function keyNameOf(
  reader: Reader,
  { accountId, keyId }: { accountId: string; keyId: string | null },
): Promise<string | undefined> {
  if (keyId === null) return undefined
  const keys = reader.db.select({ name: apiKey.name }).from(apiKey)
  return (await keys.where(and(eq(apiKey.accountId, accountId), eq(apiKey.id, keyId))))[0]?.name
}

/** What one endpoint was told, or is to be told. */
export interface ToldEndpoint {
  id: string
  url: string
  state: DeliveryState
  /** When it is tried next; null when it is not to be tried. */
  dueAt: Date | null
  /** Undefined before the first. */
  lastAttempt: { at: Date; status: number | null; error: string | null; durationMs: number } | undefined
}

export interface ToldEvent {
  id: string
  type: string
  at: Date
  endpoints: ToldEndpoint[]
}

interface Raw {
  id: string
  type: string
  at: number
  endpointId: string
  url: string
  state: DeliveryState
  dueAt: number | null
  triedAt: number | null
  status: number | null
  error: string | null
  durationMs: number | null
}

const told = read<Raw>(`
  with caused as materialized (
    select account_id, id, type, at from event where account_id = $1 and message_id = $2
  )
  select e.id, e.type, ${milliseconds('e.at')} as at, d.endpoint_id as "endpointId", p.url, d.state,
    ${milliseconds('d.due_at')} as "dueAt", ${milliseconds('a.at')} as "triedAt", a.status, a.error,
    a.duration_ms as "durationMs"
  from caused e
  join event_delivery d on d.account_id = e.account_id and d.event_id = e.id and d.endpoint_id > ''
  join endpoint p on p.account_id = d.account_id and p.id = d.endpoint_id
  left join lateral (
    select a.at, a.status, a.error, a.duration_ms from event_attempt a
    where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.at <= 'infinity'
    order by a.at desc limit 1
  ) a on true
  order by e.id, d.endpoint_id`)

/** What endpoints were told of a message, the first first; of each, what came of the last attempt. */
export async function findTold(reader: Reader, { accountId, id }: MessageKey): Promise<ToldEvent[]> {
  const events = Map.groupBy(await reader.run(told, [accountId, id]), (row) => row.id)
  return [...events.values()].map((rows) => {
    const [{ id, type, at }] = rows as [Raw]
    return { id, type, at: new Date(at), endpoints: rows.map(endpointOf) }
  })
}

function endpointOf({ endpointId, url, state, dueAt, triedAt, status, error, durationMs }: Raw): ToldEndpoint {
  const wasTried = triedAt !== null && durationMs !== null
  return {
    ...{ id: endpointId, url, state, dueAt: dueAt === null ? null : new Date(dueAt) },
    lastAttempt: wasTried ? { at: new Date(triedAt), status, error, durationMs } : undefined,
  }
}
