/** The sandbox phones' memory. */
import { batch, keyColumns } from '../engine/batch.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { sandboxMessage } from '../schema/schema.ts'

export type SandboxMessageRow = typeof sandboxMessage.$inferSelect

const messages = toRows<SandboxMessageRow>('sandbox_message', {
  accountId: 'text',
  id: 'text',
  phone: 'text',
  text: 'text',
  at: 'timestamptz',
})

const g = batch<SandboxMessageRow>('g', {
  ...keyColumns,
  phone: ['text', (row) => row.phone],
  text: ['text', (row) => row.text],
  at: ['timestamptz', (row) => row.at],
})

const insert = write<{ id: string }>(`
  insert into sandbox_message (account_id, id, phone, text, at) select * from ${g.rows} on conflict do nothing returning id`)

/** @returns the ids of those that were not there already */
export async function insertSandboxMessages(tx: Tx, rows: readonly SandboxMessageRow[]): Promise<string[]> {
  return (await tx.run(insert, g.valuesOf(rows))).map(({ id }) => id)
}

/**
 * SQL for: people may see the sandbox message `s`. One of a live key they see only while its account sends to nothing but the sandbox.
 * By `offset 0`, the connections of the account are looked up, and not those of all accounts read for a hash.
 *
 * @param live a parameter: whether the sandbox carries live messages of such accounts
 */
const isShown = (live: string) => `exists (
    select from message m where m.account_id = s.account_id and m.id = s.id and (m.mode = 'test' or ${live}::boolean
      and not exists (select from connection c where c.account_id = s.account_id and c.kind <> 'sandbox' offset 0)))`

const ofPhone = read<Raw<SandboxMessageRow>>(`
  select ${messages.columns('s')} from sandbox_message s where s.phone = $1 and s.at <= $2::text::timestamptz and ${isShown('$4')}
  order by s.at desc, s.id desc limit $3::int`)

/** The latest that a phone has by `now`, oldest first. */
export async function listSandboxMessages(
  reader: Reader,
  { phone, now, count, sandboxLive }: { phone: string; now: Date; count: number; sandboxLive: boolean },
): Promise<SandboxMessageRow[]> {
  const latest = await reader.run(ofPhone, [phone, now.toISOString(), count, sandboxLive])
  return latest.map(messages.rowOf).reverse()
}

export interface SandboxPhone {
  phone: string
  /** How many of those that were looked at are for it. */
  count: number
  /** What came last. */
  text: string
  at: Date
}

const latest = read<Omit<SandboxPhone, 'at'> & { at: number }>(`
  with looked as materialized (
    select account_id, phone, text, at, id from sandbox_message where account_id = $1 and id < $2
    order by id desc limit $4::int
  ), come as (
    select distinct on (phone) phone, text, at, id, count(*) over (partition by phone)::int as count
    from looked s where at <= $3::text::timestamptz and ${isShown('$5')} order by phone, at desc, id desc
  )
  select phone, count, text, ${milliseconds('at')} as at from come order by come.at desc, id desc`)

/**
 * The phones to which an account's latest messages went, the latest first.
 *
 * @param belowId above all ids
 * @param looksMax messages that are looked at
 */
export async function listSandboxPhones(
  reader: Reader,
  {
    accountId,
    belowId,
    now,
    looksMax,
    sandboxLive,
  }: { accountId: string; belowId: string; now: Date; looksMax: number; sandboxLive: boolean },
): Promise<SandboxPhone[]> {
  const found = await reader.run(latest, [accountId, belowId, now.toISOString(), looksMax, sandboxLive])
  return found.map((row) => ({ ...row, at: new Date(row.at) }))
}

const texts = read<{ id: string; text: string; at: number }>(`
  select id, text, ${milliseconds('at')} as at from sandbox_message s
  where phone = $2 and at <= $3::text::timestamptz
    -- Not by an equals sign: a plan that goes by the account reads all of its phones.
    and account_id is not distinct from $1 and ${isShown('$5')}
  order by s.at desc, id desc limit $4::int`)

/** The latest that a phone has of an account by `now`, the latest first. */
export async function listSandboxTexts(
  reader: Reader,
  {
    accountId,
    phone,
    now,
    count,
    sandboxLive,
  }: { accountId: string; phone: string; now: Date; count: number; sandboxLive: boolean },
): Promise<{ id: string; text: string; at: Date }[]> {
  const found = await reader.run(texts, [accountId, phone, now.toISOString(), count, sandboxLive])
  return found.map((row) => ({ ...row, at: new Date(row.at) }))
}
