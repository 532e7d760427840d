/** Templates, in each of their languages and versions. */
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { account } from './schema.ts'

/** What a template says in one language. */
export interface TemplateLocale {
  text: string
  /** What it says for each kind of connection that needs more than the text, by the kind's name. */
  channels: Record<string, unknown>
}

/** What a template may be sent to: `marketing` needs less of an opt-out to be stopped. */
export type TemplateCategory = 'utility' | 'marketing'

/** The same as a provider says it of its own template. */
export type WatchedCategory = TemplateCategory | 'other'

/** Why a provider would not send a template as the account has it. */
export type TemplateFaultReason = 'paused' | 'disabled' | 'rejected' | 'missing' | 'category_changed' | 'places_changed'

export interface TemplateFault {
  slug: string
  locale: string
  /** Digest of what it says for the kind of the connection: one that says something else is another one. */
  said: string
  /** The provider's own template. */
  name: string
  language: string
  reason: TemplateFaultReason
  /** Of `places_changed`: which, as the end of a sentence. */
  detail?: string
  /** ISO 8601. */
  since: string
}

const templateColumns = {
  accountId: text('account_id').notNull(),
  slug: text('slug').notNull(),
  /** In the default language. */
  text: text('text').notNull(),
  /** In the default language: what it says for kinds of connections, as in `TemplateLocale`. */
  channels: jsonb('channels').$type<Record<string, unknown>>().notNull().default({}),
  category: text('category').$type<TemplateCategory>().notNull().default('utility'),
  /** From 1 on; each change makes another one. */
  version: integer('version').notNull().default(1),
  /** BCP 47; `und` where the template does not name the language of its text. */
  defaultLocale: text('default_locale').notNull().default('und'),
  /** Its other languages. */
  locales: jsonb('locales').$type<Record<string, TemplateLocale>>().notNull().default({}),
  updatedAt: moment('updated_at').notNull(),
  /** The name of who made this version; null where that was not kept. */
  updatedBy: text('updated_by'),
}

export const template = pgTable('template', templateColumns, (row) => [
  primaryKey({ columns: [row.accountId, row.slug] }),
  foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
])

/** Versions of templates that others have replaced, while a message that is kept may name them. */
export const templateVersion = pgTable(
  'template_version',
  {
    ...templateColumns,
    /** When it was replaced, or its template deleted. */
    replacedAt: moment('replaced_at').notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.slug, row.version] }),
    foreignKey({ columns: [row.accountId], foreignColumns: [account.id] }),
    index('template_version_replaced').on(row.replacedAt),
  ],
)
