/** What became of one message, and what was told of it. */
import { type Raw as RawRow, toRows } from '../engine/row.ts'
import { milliseconds, type Reader, read } from '../engine/session.ts'
import type { message } from '../schema/schema.ts'
import type { DeliveryState } from '../webhooks/eventDelivery.ts'
import type { MessageKey } from './message.ts'

type Message = typeof message.$inferSelect
/** Without what is in it, be it sealed. */
type Known = Omit<Message, 'content' | 'unsure' | 'takenAt' | 'awaited' | 'signals'>

const messages = toRows<Known>('message', {
  accountId: 'text',
  id: 'text',
  mode: 'text',
  kind: 'text',
  phone: 'text',
  country: 'text',
  template: 'text',
  templateVersion: 'int',
  templateLocale: 'text',
  reference: 'text',
  keyId: 'text',
  route: 'text[]',
  leg: 'int',
  deliveryAttempts: 'int',
  status: 'text',
  statusAt: 'timestamptz',
  errorCode: 'text',
  timeline: 'jsonb',
  prices: 'jsonb',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  sendAt: 'timestamptz',
  verifiedAt: 'timestamptz',
  findings: 'jsonb',
})

const found = (ofAccount = '') =>
  read<RawRow<Known> & { account: string; keyName: string | null; isKept: boolean; resentAs: string | null }>(`
    select ${messages.columns('m')}, a.name as account,
      (select k.name from api_key k where k.account_id = m.account_id and k.id = m.key_id) as "keyName",
      r.content is not null as "isKept", r.resent_as as "resentAs"
    from account a join message m on m.account_id = a.id and m.id = $1
    left join resendable r on r.account_id = m.account_id and r.id = m.id ${ofAccount}`)
const ofAccount = found('where a.id = $2')
// An index begins with the account: each is looked into.
const ofAny = found()

const legs = read<{ connection: string; providerMessageId: string }>(`
  select connection, provider_message_id as "providerMessageId" from leg where account_id = $1 and message_id = $2`)

/**
 * With what its key is called now, and the hand-overs that a provider took under an id of its own.
 *
 * @param accountId undefined for who knows the id alone
 * @returns undefined when that account does not have it, or no account has it
 */
export async function findHistory(reader: Reader, accountId: string | undefined, id: string) {
  const raw = accountId === undefined ? reader.run(ofAny, [id]) : reader.run(ofAccount, [id, accountId])
  const [row] = (await raw).map(messages.rowOf)
  return row && { ...row, taken: await reader.run(legs, [row.accountId, id]) }
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
    return { id, type, at: new Date(at), endpoints: rows.map(toEndpoint) }
  })
}

function toEndpoint({ endpointId, url, state, dueAt, triedAt, status, error, durationMs }: Raw): ToldEndpoint {
  const wasTried = triedAt !== null && durationMs !== null
  return {
    ...{ id: endpointId, url, state, dueAt: dueAt === null ? null : new Date(dueAt) },
    lastAttempt: wasTried ? { at: new Date(triedAt), status, error, durationMs } : undefined,
  }
}
