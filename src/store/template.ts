/** Templates of an account. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { inPlaces } from './engine/order.ts'
import { milliseconds, type Reader, read, type Tx } from './engine/session.ts'
import { template } from './schema/schema.ts'

export type TemplateRow = typeof template.$inferSelect

/** Adds each template, or makes the one with its slug the new one. */
export async function upsertTemplates(tx: Tx, list: TemplateRow[]): Promise<void> {
  if (list.length === 0) return
  await tx.db
    .insert(template)
    .values(list)
    .onConflictDoUpdate({
      target: [template.accountId, template.slug],
      set: { text: sql`excluded.text`, channels: sql`excluded.channels`, updatedAt: sql`excluded.updated_at` },
    })
}

export interface TemplateText {
  text: string
  /** What it says for each kind of connection that needs more than the text. */
  channels: Record<string, unknown>
}

const texts = read<TemplateText & { n: number }>(`
  select g.n::int as n, t.text, t.channels from unnest($1::text[], $2::text[]) with ordinality as g (account_id, slug, n)
  join template t on t.account_id = g.account_id and t.slug = g.slug`)

/** Each template; undefined where there is none. */
export async function findTemplates(
  reader: Reader,
  keys: readonly { accountId: string; slug: string }[],
): Promise<(TemplateText | undefined)[]> {
  const found = await reader.run(texts, [keys.map(({ accountId }) => accountId), keys.map(({ slug }) => slug)])
  return inPlaces(keys, found)
}

/** By their slugs. @param slug of the only one that is asked for */
export function listTemplates(reader: Reader, accountId: string, slug?: string): Promise<TemplateRow[]> {
  const only = slug === undefined ? undefined : eq(template.slug, slug)
  return reader.db
    .select()
    .from(template)
    .where(and(eq(template.accountId, accountId), only))
    .orderBy(asc(template.slug))
}

/** @returns whether there was one */
export async function deleteTemplate(
  tx: Tx,
  { accountId, slug }: { accountId: string; slug: string },
): Promise<boolean> {
  const gone = await tx.db
    .delete(template)
    .where(and(eq(template.accountId, accountId), eq(template.slug, slug)))
    .returning({ slug: template.slug })
  return gone.length > 0
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
