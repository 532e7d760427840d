/** Templates of an account: their languages, and the versions that were replaced. */
import { accountId, batch } from './engine/batch.ts'
import { inPlaces } from './engine/order.ts'
import { type Raw, toRows } from './engine/row.ts'
import { milliseconds, type Reader, read, type Tx, write } from './engine/session.ts'
import type { TemplateCategory, TemplateLocale, template } from './schema/templateSchema.ts'

export type { TemplateCategory, TemplateLocale }

type TemplateRow = typeof template.$inferSelect

export interface Template extends Omit<TemplateRow, 'text' | 'channels'> {
  /** By language, BCP 47: the default one is among them. */
  locales: Readonly<Record<string, TemplateLocale>>
}

/** A version that another one has replaced. */
export interface TemplateVersion extends Template {
  replacedAt: Date
}

export interface TemplateKey {
  accountId: string
  slug: string
}

const columns = {
  accountId: 'text',
  slug: 'text',
  text: 'text',
  channels: 'jsonb',
  category: 'text',
  version: 'int',
  defaultLocale: 'text',
  locales: 'jsonb',
  updatedAt: 'timestamptz',
  updatedBy: 'text',
} as const
const templates = toRows<TemplateRow>('template', columns)
const versions = toRows<TemplateRow & { replacedAt: Date }>('template_version', {
  ...columns,
  replacedAt: 'timestamptz',
})

function templateOf<Row extends TemplateRow>({ text, channels, locales, ...row }: Row) {
  return { ...row, locales: { [row.defaultLocale]: { text, channels }, ...locales } }
}

function toRow({ locales, ...row }: Template): TemplateRow {
  const { [row.defaultLocale]: own, ...others } = locales
  return { ...row, ...own!, locales: others }
}

const upsert = write(`${templates.insert}
  on conflict (account_id, slug) do update set text = excluded.text, channels = excluded.channels, category = excluded.category,
    version = excluded.version, default_locale = excluded.default_locale, locales = excluded.locales,
    updated_at = excluded.updated_at, updated_by = excluded.updated_by`)

/** Adds each template, or makes the one with its slug the new one. */
export async function upsertTemplates(tx: Tx, list: readonly Template[]): Promise<void> {
  await Promise.all(list.map((row) => tx.run(upsert, templates.valuesOf(toRow(row)))))
}

const g = batch<TemplateKey>('g', { ...accountId, slug: ['text', (row) => row.slug] })

const found = read<Raw<TemplateRow> & { n: number }>(`
  select g.n::int as n, ${templates.columns('t')} from ${g.numbered}
  join template t on t.account_id = g.account_id and t.slug = g.slug`)

/** Each template; undefined where there is none. */
export async function findTemplates(reader: Reader, keys: readonly TemplateKey[]): Promise<(Template | undefined)[]> {
  const rows = await reader.run(found, g.valuesOf(keys))
  return inPlaces(keys, rows).map((row) => row && templateOf(templates.rowOf(row)))
}

const ofAccount = read<Raw<TemplateRow>>(`
  select ${templates.columns('t')} from template t where t.account_id = $1 and ($2::text is null or t.slug = $2) order by t.slug`)

/** By their slugs. @param slug of the only one that is asked for */
export async function findTemplatesOf(reader: Reader, accountId: string, slug?: string): Promise<Template[]> {
  return (await reader.run(ofAccount, [accountId, slug ?? null])).map((row) => templateOf(templates.rowOf(row)))
}

const behind = read<Raw<TemplateRow>>(`
  select ${templates.columns('t')} from template t where t.account_id = $1 and t.slug > $2 order by t.slug limit $3`)

/** By their slugs, those behind a slug. */
export async function findTemplatesBehind(
  reader: Reader,
  { accountId, slug }: TemplateKey,
  count: number,
): Promise<Template[]> {
  return (await reader.run(behind, [accountId, slug, count])).map((row) => templateOf(templates.rowOf(row)))
}

const dropped = write<{ version: number }>(
  'delete from template where account_id = $1 and slug = $2 returning version::int as version',
)

/** @returns its version; undefined where there was none */
export async function dropTemplate(tx: Tx, { accountId, slug }: TemplateKey): Promise<number | undefined> {
  return (await tx.run(dropped, [accountId, slug]))[0]?.version
}

/** Versions of one template that are kept when they are replaced. */
const versionsMax = 100

const names = Object.keys(columns).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const replace = write(`
  with replaced as (
    insert into template_version (${names.join(', ')}, replaced_at)
    select ${names.map((name) => `t.${name}`).join(', ')}, $3::text::timestamptz from template t
    where t.account_id = $1 and t.slug = $2
    on conflict do nothing
    returning account_id, slug, version
  )
  delete from template_version v using replaced r
  where v.account_id = r.account_id and v.slug = r.slug and v.version <= r.version - ${versionsMax}`)

/** Keeps each template as it stands, before it is changed or deleted. */
export async function keepVersions(tx: Tx, keys: readonly TemplateKey[], at: Date): Promise<void> {
  await Promise.all(keys.map(({ accountId, slug }) => tx.run(replace, [accountId, slug, at.toISOString()])))
}

const latest = read<{ n: number; version: number }>(`
  select g.n::int as n, max(v.version)::int as version from ${g.numbered}
  join template_version v on v.account_id = g.account_id and v.slug = g.slug group by g.n`)

/** The latest version of each that was replaced; 0 where there is none. A template that was deleted goes on behind its last one. */
export async function findLatestVersions(reader: Reader, keys: readonly TemplateKey[]): Promise<number[]> {
  return inPlaces(keys, await reader.run(latest, g.valuesOf(keys))).map((row) => row?.version ?? 0)
}

const ofTemplate = read<Raw<TemplateRow & { replacedAt: Date }>>(`
  select ${versions.columns('v')} from template_version v where v.account_id = $1 and v.slug = $2 order by v.version desc`)

/** The versions of a template that were replaced and are kept, the latest first. */
export async function listVersions(reader: Reader, { accountId, slug }: TemplateKey): Promise<TemplateVersion[]> {
  return (await reader.run(ofTemplate, [accountId, slug])).map((row) => templateOf(versions.rowOf(row)))
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
