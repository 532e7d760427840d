/** Templates: a text with `{{name}}` places, and the variables that fill it. */
import { isDeepStrictEqual } from 'node:util'
import { inTurns } from '../../kit/inTurns.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import type { Tx } from '../../store/engine/session.ts'
import {
  dropTemplate,
  findLatestVersions,
  findSentLast,
  findTemplates,
  findTemplatesOf,
  keepVersions,
  listVersions,
  type Template,
  type TemplateLocale,
  type TemplateVersion,
  upsertTemplates,
} from '../../store/template.ts'
import type { ActCommit, WriteNote } from '../access/act.ts'
import { type Actor, requireRole, sees } from '../access/actor.ts'
import { leastMessageId } from '../sending/messageId.ts'
import { type NewTemplate, noLocale, type ReadTemplate, readTemplates, type TemplateRules } from './templateEntry.ts'
import { createTemplateForms, type TemplateForm } from './templateForm.ts'

/** Milliseconds in which messages are looked through for the templates that were sent. */
const latelyMs = 30 * 24 * 3600 * 1000

export interface Templates {
  /** What it can say for kinds of connections. */
  forms: readonly TemplateForm[]
  /**
   * Adds or changes templates, all of them or none. A template that is as it was before makes no version.
   *
   * @param list of `NewTemplate`, as it was written by hand: each may be anything
   * @throws Refusal which names everything that is wrong, Forbidden
   */
  apply: (actor: Actor, accountId: string, list: readonly unknown[]) => Promise<void>
  /** @throws Refusal which names everything that is wrong, or when there is one of that slug, Forbidden */
  add: (actor: Actor, accountId: string, template: NewTemplate) => Promise<void>
  /** @throws Refusal which names everything that is wrong, or when there is none of that slug, Forbidden */
  change: (actor: Actor, accountId: string, template: NewTemplate) => Promise<void>
  /** Adds or changes a template, as `apply` does. @throws Refusal which names everything that is wrong, Forbidden */
  put: (actor: Actor, accountId: string, template: NewTemplate) => Promise<WrittenTemplate>
  /**
   * Sends with it are answered `unknown_template` from then on.
   *
   * @returns its last version
   * @throws MissingTemplate, Forbidden
   */
  remove: (actor: Actor, accountId: string, slug: string) => Promise<number>
  /** By their slugs. */
  list: (actor: Actor, accountId: string) => Promise<Template[]>
  /**
   * The versions of one that were replaced, the latest first: those of the days for which messages are kept, a hundred at most.
   *
   * @throws Refusal when there is none of that slug
   */
  versions: (actor: Actor, accountId: string, slug: string) => Promise<TemplateVersion[]>
  /** Makes a version that was replaced the newest one. @throws Refusal when it is not kept, Forbidden */
  putBack: (actor: Actor, accountId: string, slug: string, version: number) => Promise<void>
  /** When each was sent last, by slug; those that were not in 30 days, or are not among the latest messages, are missing. */
  sentLast: (actor: Actor, accountId: string) => Promise<ReadonlyMap<string, Date>>
  /** @throws Refusal when there is none */
  find: (actor: Actor, accountId: string, slug: string) => Promise<Template>
}

/** What came of a template that was written. */
export interface WrittenTemplate {
  slug: string
  /** That there is now. */
  version: number
  result: 'created' | 'changed' | 'unchanged'
}

export interface TemplateParts extends TemplateRules {
  commit: ActCommit
  runtime: Pick<Runtime, 'now'>
}

/** Templates that are read or written in one go: a few milliseconds' work. */
const partSize = 100

export function createTemplates(parts: TemplateParts): Templates {
  const { commit, runtime, kinds } = parts
  const write = createWrite(parts)

  const visible = async (actor: Actor, accountId: string, slug: string): Promise<Template> => {
    const row = sees(actor, accountId) ? (await findTemplatesOf(commit.reader, accountId, slug))[0] : undefined
    if (!row) throw missing(slug)
    return row
  }

  return {
    forms: createTemplateForms(kinds),
    apply: async (actor, accountId, list) => {
      await write(actor, accountId, list)
    },
    add: async (actor, accountId, template) => {
      await write(actor, accountId, [template], (isThere) => isThere && `There is a template ${template.slug} already.`)
    },
    change: async (actor, accountId, template) => {
      await write(actor, accountId, [template], (isThere) => !isThere && missing(template.slug).message)
    },
    put: async (actor, accountId, template) => (await write(actor, accountId, [template]))[0]!,
    remove: async (actor, accountId, slug) => {
      await visible(actor, accountId, slug)
      requireRole(actor, 'developer', accountId)
      return commit.as(actor).transaction(async (tx, note) => {
        await keepVersions(tx, [{ accountId, slug }], runtime.now())
        const version = await dropTemplate(tx, { accountId, slug })
        if (version === undefined) throw missing(slug)
        await note({ accountId, act: 'template.deleted', subject: slug })
        return version
      })
    },
    versions: async (actor, accountId, slug) => {
      await visible(actor, accountId, slug)
      return listVersions(commit.reader, { accountId, slug })
    },
    putBack: async (actor, accountId, slug, version) => {
      const kept = sees(actor, accountId) ? await listVersions(commit.reader, { accountId, slug }) : []
      const found = kept.find((one) => one.version === version)
      if (!found) throw new Refusal(`Version ${version} of ${slug} is not kept.`)
      await write(actor, accountId, [toWritten(found)], (isThere) => !isThere && missing(slug).message)
    },
    list: async (actor, accountId) => (sees(actor, accountId) ? findTemplatesOf(commit.reader, accountId) : []),
    sentLast: async (actor, accountId) => {
      const after = leastMessageId(new Date(runtime.now().getTime() - latelyMs))
      return new Map(sees(actor, accountId) ? await findSentLast(commit.reader, accountId, after) : [])
    },
    find: visible,
  }
}

/** @returns writes templates, all or none of them. `refuse`: why it is not to be written, as there is one of the first slug already, or none */
function createWrite(parts: TemplateParts) {
  const { commit, runtime } = parts
  return async (
    actor: Actor,
    accountId: string,
    list: readonly unknown[],
    refuse?: (isThere: boolean) => string | false,
  ) => {
    requireRole(actor, 'developer', accountId)
    const read = await readTemplates(list, parts)
    return commit.as(actor).transaction(async (tx, note) => {
      const written: WrittenTemplate[] = []
      // Two who write the same template come one after the other.
      await lockAccount(tx, accountId)
      for await (const part of inTurns(read, partSize)) {
        const before = await findTemplates(
          tx,
          part.map(({ slug }) => ({ accountId, slug })),
        )
        const refused = refuse?.(before[0] !== undefined)
        if (refused) throw new Refusal(refused)
        written.push(...(await putTemplates(tx, note, { accountId, part, before, by: actor.name, at: runtime.now() })))
      }
      return written
    })
  }
}

export class MissingTemplate extends Refusal {}

function missing(slug: string): MissingTemplate {
  return new MissingTemplate(`There is no template ${slug}.`)
}

/** What a template says in its default language. */
export function defaultText({ locales, defaultLocale }: Pick<Template, 'locales' | 'defaultLocale'>): TemplateLocale {
  return locales[defaultLocale]!
}

/** As it would be written. */
export function toWritten({ slug, category, defaultLocale, locales }: ReadTemplate): NewTemplate {
  const { [defaultLocale]: own, ...others } = locales
  return { slug, category, ...(defaultLocale !== noLocale && { defaultLocale }), ...own!, locales: others }
}

interface Put {
  accountId: string
  part: readonly ReadTemplate[]
  before: readonly (Template | undefined)[]
  by: string
  at: Date
}

/** What is written as it was before, was not changed. */
async function putTemplates(
  tx: Tx,
  note: WriteNote,
  { accountId, part, before, by, at }: Put,
): Promise<WrittenTemplate[]> {
  const changes = part.map((template, index) => ({ template, old: before[index] }))
  const [added, changed] = [
    changes.filter(({ old }) => !old),
    changes.flatMap(({ template, old }) => {
      const what = old ? changesBetween(old, template) : []
      return old && what.length > 0 ? [{ template, old, what }] : []
    }),
  ]
  const keyOf = ({ template: { slug } }: { template: ReadTemplate }) => ({ accountId, slug })
  await keepVersions(tx, changed.map(keyOf), at)
  const latest = await findLatestVersions(tx, added.map(keyOf))
  const made = { accountId, updatedAt: at, updatedBy: by }
  const rows = [
    ...added.map(({ template }, index) => ({ ...made, ...template, version: latest[index]! + 1 })),
    ...changed.map(({ template, old }) => ({ ...made, ...template, version: old.version + 1 })),
  ]
  await upsertTemplates(tx, rows)
  for (const { template } of added) await note({ accountId, act: 'template.added', subject: template.slug })
  for (const { template, what } of changed)
    await note({ accountId, act: 'template.changed', subject: template.slug, detail: { changed: what } })
  const versions = new Map(rows.map(({ slug, version }) => [slug, version]))
  return changes.map(({ template: { slug }, old }): WrittenTemplate => {
    const version = versions.get(slug)
    if (version === undefined) return { slug, version: old!.version, result: 'unchanged' }
    return { slug, version, result: old ? 'changed' : 'created' }
  })
}

/** What is another thing in the later one: `text` and names of kinds in the only language, or else the languages. */
export function changesBetween(old: ReadTemplate, late: ReadTemplate): string[] {
  const tags = [...new Set([...Object.keys(old.locales), ...Object.keys(late.locales)])]
  const isOne = tags.length === 1
  return [
    ...(old.category === late.category ? [] : ['category']),
    ...(old.defaultLocale === late.defaultLocale ? [] : ['default_locale']),
    ...tags.flatMap((tag) => {
      const changed = partsChanged(old.locales[tag], late.locales[tag])
      return isOne || changed.length === 0 ? changed : [tag]
    }),
  ]
}

function partsChanged(old: TemplateLocale | undefined, late: TemplateLocale | undefined): string[] {
  const kinds = new Set([...Object.keys(old?.channels ?? {}), ...Object.keys(late?.channels ?? {})])
  return [
    ...(old?.text === late?.text ? [] : ['text']),
    ...[...kinds].filter((kind) => !isDeepStrictEqual(old?.channels[kind], late?.channels[kind])),
  ]
}
