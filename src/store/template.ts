/** Templates of an account. */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Session } from './connect.ts'
import { template } from './schema.ts'

export type TemplateRow = typeof template.$inferSelect

/** Adds each template, or gives the one with its slug the new text. */
export async function upsertTemplates(session: Session, list: TemplateRow[]): Promise<void> {
  if (list.length === 0) return
  await session
    .insert(template)
    .values(list)
    .onConflictDoUpdate({
      target: [template.accountId, template.slug],
      set: { text: sql`excluded.text`, updatedAt: sql`excluded.updated_at` },
    })
}

export async function findTemplate(
  session: Session,
  accountId: string,
  slug: string,
): Promise<TemplateRow | undefined> {
  return (
    await session
      .select()
      .from(template)
      .where(and(eq(template.accountId, accountId), eq(template.slug, slug)))
  )[0]
}

export function listTemplates(session: Session, accountId: string): Promise<TemplateRow[]> {
  return session.select().from(template).where(eq(template.accountId, accountId)).orderBy(asc(template.slug))
}
