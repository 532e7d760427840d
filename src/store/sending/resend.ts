/** Notifications that have failed, and what they were made from. The row of one says whether it can be sent again, or was. */
import { batch, keyColumns } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { DeliveryErrorCode, Mode } from '../schema/schema.ts'
import type { MessageKey } from './message.ts'

/** A notification, and whether it has failed. */
export interface FailedNotification {
  id: string
  mode: Mode
  phone: string
  /** The slug that it was made from. */
  template: string | null
  /** The language that it was in, BCP 47; null where that is not known. */
  templateLocale: string | null
  reference: string | null
  kind: 'verification' | 'notification'
  hasFailed: boolean
  createdAt: Date
  sendAt: Date | null
  expiresAt: Date | null
  /** Sealed; null where it is not kept. */
  content: Buffer | null
  /** The message that it was sent again as. */
  resentAs: string | null
}

type Raw = Omit<FailedNotification, 'createdAt' | 'sendAt' | 'expiresAt' | 'content'> & {
  n: number
  createdAt: number
  sendAt: number | null
  expiresAt: number | null
  /** Base64. */
  content: string | null
}

const g = batch<MessageKey>('g', keyColumns, { ids: 'id' })

// Each row is held by one transaction, so that two that send the same messages again do so in turn.
const lock = write<Raw>(`
  with held as materialized (
    select r.account_id, r.id, r.content, r.resent_as from ${g.rows}
    join resendable r on r.account_id = g.account_id and r.id = g.id
    order by r.account_id collate "C", r.id collate "C" for update of r
  )
  select g.n::int as n, m.id, m.mode, m.phone, m.template, m.template_locale as "templateLocale", m.reference, m.kind, m.status = 'failed' as "hasFailed",
    ${milliseconds('m.created_at')} as "createdAt", ${milliseconds('m.send_at')} as "sendAt",
    ${milliseconds('m.expires_at')} as "expiresAt", encode(h.content, 'base64') as content, h.resent_as as "resentAs"
  from ${g.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and ${g.inIdRange('m.id')}
  left join held h on h.account_id = g.account_id and h.id = g.id`)

/** Takes hold of what is kept of each message. @returns undefined where the account has no such message */
export async function lockFailed(tx: Tx, keys: readonly MessageKey[]): Promise<(FailedNotification | undefined)[]> {
  const rows = (await tx.run(lock, g.valuesOf(keys))).map(({ createdAt, sendAt, expiresAt, content, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt),
    sendAt: dateOf(sendAt),
    expiresAt: dateOf(expiresAt),
    content: content === null ? null : Buffer.from(content, 'base64'),
  }))
  return inPlaces(keys, rows)
}

type Resent = MessageKey & { as: string }

const r = batch<Resent>('g', { ...keyColumns, resent_as: ['text', (one) => one.as] }, { isShort: true })

const mark = write(`
  update resendable r set content = null, resent_as = g.resent_as
  from ${r.rows} where r.account_id = g.account_id and r.id = g.id`)

/** Of those that the transaction has hold of. Goes with the commit. */
export function markResent(tx: Tx, list: readonly Resent[]): void {
  if (list.length > 0) tx.atCommit(mark, r.valuesOf(list))
}

/** What is undefined is not asked for. */
export interface ResendFilters {
  template?: string | undefined
  errorCode?: string | undefined
  /** The id of the connection that was asked last. */
  channel?: string | undefined
  /** Failed then or later. */
  since?: Date | undefined
  /** Failed before. */
  until?: Date | undefined
}

export interface Resendable {
  id: string
  mode: Mode
  template: string
  errorCode: DeliveryErrorCode | null
  connection: string
  failedAt: Date
}

// A step along the primary key. Each message is looked up by its key.
const list = read<Omit<Resendable, 'failedAt'> & { failedAt: number }>(`
  select r.id, m.mode, m.template, m.error_code as "errorCode", m.route[m.leg] as connection,
    ${milliseconds('r.failed_at')} as "failedAt"
  from resendable r
  cross join lateral (select * from message m where m.account_id = r.account_id and m.id = r.id limit 1) m
  where r.account_id = $1 and r.id > $2::text and r.content is not null
    and ($3::text is null or r.failed_at >= $3::text::timestamptz) and ($4::text is null or r.failed_at < $4::text::timestamptz)
    and m.status = 'failed' and ($5::text is null or m.template = $5) and ($6::text is null or m.error_code = $6)
    and ($7::text is null or m.route[m.leg] = $7)
  order by r.account_id, r.id limit $8::int`)

/** Those that can be sent again, the oldest first. @param after only those behind that id */
export async function listResendable(
  reader: Reader,
  accountId: string,
  { template, errorCode, channel, since, until }: ResendFilters,
  { after, limit }: { after: string; limit: number },
): Promise<Resendable[]> {
  const times = [since?.toISOString() ?? null, until?.toISOString() ?? null]
  const values = [accountId, after, ...times, template ?? null, errorCode ?? null, channel ?? null, limit]
  const rows = await reader.run(list, values)
  return rows.map(({ failedAt, ...row }) => ({ ...row, failedAt: new Date(failedAt) }))
}
