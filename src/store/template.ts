/** Templates of an account. */
import { accountId, batch } from './engine/batch.ts'
import { inPlaces } from './engine/order.ts'
import { type Raw, rowsOf } from './engine/row.ts'
import { milliseconds, type Reader, read, type Tx, write } from './engine/session.ts'
import type { template } from './schema/schema.ts'

export type TemplateRow = typeof template.$inferSelect

const templates = rowsOf<TemplateRow>('template', {
  accountId: 'text',
  slug: 'text',
  text: 'text',
  channels: 'jsonb',
  updatedAt: 'timestamptz',
})

const upsert = write(`${templates.insert}
  on conflict (account_id, slug) do update set text = excluded.text, channels = excluded.channels, updated_at = excluded.updated_at`)

/** Adds each template, or makes the one with its slug the new one. */
export async function upsertTemplates(tx: Tx, list: readonly TemplateRow[]): Promise<void> {
  await Promise.all(list.map((row) => tx.run(upsert, templates.valuesOf(row))))
}

export interface TemplateText {
  text: string
  /** What it says for each kind of connection that needs more than the text. */
  channels: Record<string, unknown>
}

const g = batch<Pick<TemplateRow, 'accountId' | 'slug'>>('g', { ...accountId, slug: ['text', (row) => row.slug] })

const texts = read<TemplateText & { n: number }>(`
  select g.n::int as n, t.text, t.channels from ${g.numbered}
  join template t on t.account_id = g.account_id and t.slug = g.slug`)

/** Each template; undefined where there is none. */
export async function findTemplates(
  reader: Reader,
  keys: readonly { accountId: string; slug: string }[],
): Promise<(TemplateText | undefined)[]> {
  return inPlaces(keys, await reader.run(texts, g.valuesOf(keys)))
}

const ofAccount = read<Raw<TemplateRow>>(`
  select ${templates.columns('t')} from template t where t.account_id = $1 and ($2::text is null or t.slug = $2) order by t.slug`)

/** By their slugs. @param slug of the only one that is asked for */
export async function listTemplates(reader: Reader, accountId: string, slug?: string): Promise<TemplateRow[]> {
  return (await reader.run(ofAccount, [accountId, slug ?? null])).map(templates.rowOf)
}

const drop = write<{ slug: string }>('delete from template where account_id = $1 and slug = $2 returning slug')

/** @returns whether there was one */
export async function deleteTemplate(
  tx: Tx,
  { accountId, slug }: { accountId: string; slug: string },
): Promise<boolean> {
  return (await tx.run(drop, [accountId, slug])).length > 0
}

/** Messages that are looked through: nothing is written with each one for a question that is asked so rarely. */
const latestMax = 1000

const sentLast = read<{ slug: string; at: number }>(`
  select template as slug, max(${milliseconds('created_at')}) as at
  from (select template, created_at from message where account_id = $1 and id > $2
    order by id desc limit ${latestMax}) as latest
  where template is not null group by template`)

/** When each was sent last, as far as that is among the latest messages of the account, from after that id. */
export async function findSentLast(reader: Reader, accountId: string, afterId: string): Promise<[string, Date][]> {
  const found = await reader.run(sentLast, [accountId, afterId])
  return found.map(({ slug, at }) => [slug, new Date(at)])
}
