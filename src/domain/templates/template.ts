/** Templates: a text with `{{name}}` places, and the variables that fill it. */
import { isDeepStrictEqual } from 'node:util'
import { inTurns } from '../../kit/inTurns.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import {
  deleteTemplate,
  findSentLast,
  findTemplates,
  listTemplates,
  type TemplateRow,
  type TemplateText,
  upsertTemplates,
} from '../../store/template.ts'
import type { ActCommit, WriteNote } from '../access/act.ts'
import { type Actor, requireRole, sees } from '../access/actor.ts'
import { leastMessageId } from '../sending/messageId.ts'
import { type NewTemplate, readTemplates, type TemplateRules } from './templateEntry.ts'
import { type TemplateForm, templateFormsOf } from './templateForm.ts'

/** Milliseconds in which messages are looked through for the templates that were sent. */
const latelyMs = 30 * 24 * 3600 * 1000

export interface Templates {
  /** What it can say for kinds of connections. */
  forms: readonly TemplateForm[]
  /**
   * Adds or changes templates, all of them or none.
   *
   * @param list of `NewTemplate`, as it was written by hand: each may be anything
   * @throws Refusal which names everything that is wrong, Forbidden
   */
  apply: (actor: Actor, accountId: string, list: readonly unknown[]) => Promise<void>
  /** @throws Refusal which names everything that is wrong, or when there is one of that slug, Forbidden */
  add: (actor: Actor, accountId: string, template: NewTemplate) => Promise<void>
  /** @throws Refusal which names everything that is wrong, or when there is none of that slug, Forbidden */
  change: (actor: Actor, accountId: string, template: NewTemplate) => Promise<void>
  /** Sends with it are answered `unknown_template` from then on. @throws Refusal when there is none, Forbidden */
  remove: (actor: Actor, accountId: string, slug: string) => Promise<void>
  /** By their slugs. */
  list: (actor: Actor, accountId: string) => Promise<TemplateRow[]>
  /** When each was sent last, by slug; those that were not in 30 days, or are not among the latest messages, are missing. */
  sentLast: (actor: Actor, accountId: string) => Promise<ReadonlyMap<string, Date>>
  /** @throws Refusal when there is none */
  find: (actor: Actor, accountId: string, slug: string) => Promise<TemplateRow>
}

export interface TemplateParts extends TemplateRules {
  commit: ActCommit
  runtime: Pick<Runtime, 'now'>
}

/** Templates that are read or written in one go: a few milliseconds' work. */
const partSize = 100

export function createTemplates(parts: TemplateParts): Templates {
  const { commit, runtime, kinds } = parts

  /** @param refuse why it is not to be written, as there is one of the first slug already, or none */
  const write = async (
    actor: Actor,
    accountId: string,
    list: readonly unknown[],
    refuse?: (isThere: boolean) => string | false,
  ) => {
    requireRole(actor, 'developer', accountId)
    const updatedAt = runtime.now()
    const rows = (await readTemplates(list, parts)).map((template) => ({ accountId, ...template, updatedAt }))
    await commit.as(actor).transaction(async (tx, note) => {
      // Two who write the same template come one after the other.
      await lockAccount(tx, accountId)
      for await (const part of inTurns(rows, partSize)) {
        const before = await findTemplates(tx, part)
        const refused = refuse?.(before[0] !== undefined)
        if (refused) throw new Refusal(refused)
        await upsertTemplates(tx, part)
        await noteChanges(note, { rows: part, before })
      }
    })
  }

  const visible = async (actor: Actor, accountId: string, slug: string): Promise<TemplateRow> => {
    const row = sees(actor, accountId) ? (await listTemplates(commit.reader, accountId, slug))[0] : undefined
    if (!row) throw missing(slug)
    return row
  }

  return {
    forms: templateFormsOf(kinds),
    apply: (actor, accountId, list) => write(actor, accountId, list),
    add: (actor, accountId, template) =>
      write(actor, accountId, [template], (isThere) => isThere && `There is a template ${template.slug} already.`),
    change: (actor, accountId, template) =>
      write(actor, accountId, [template], (isThere) => !isThere && missing(template.slug).message),
    remove: async (actor, accountId, slug) => {
      await visible(actor, accountId, slug)
      requireRole(actor, 'developer', accountId)
      await commit.as(actor).transaction(async (tx, note) => {
        if (!(await deleteTemplate(tx, { accountId, slug }))) throw missing(slug)
        await note({ accountId, act: 'template.deleted', subject: slug })
      })
    },
    list: async (actor, accountId) => (sees(actor, accountId) ? listTemplates(commit.reader, accountId) : []),
    sentLast: async (actor, accountId) => {
      const after = leastMessageId(new Date(runtime.now().getTime() - latelyMs))
      return new Map(sees(actor, accountId) ? await findSentLast(commit.reader, accountId, after) : [])
    },
    find: visible,
  }
}

function missing(slug: string): Refusal {
  return new Refusal(`There is no template ${slug}.`)
}

/** What is written as it was before, was not changed. */
async function noteChanges(
  note: WriteNote,
  { rows, before }: { rows: readonly TemplateRow[]; before: readonly (TemplateText | undefined)[] },
): Promise<void> {
  for (const [index, { accountId, slug, text, channels }] of rows.entries()) {
    const old = before[index]
    if (!old) await note({ accountId, act: 'template.added', subject: slug })
    const kinds = old ? [...new Set([...Object.keys(old.channels), ...Object.keys(channels)])] : []
    const changed = [
      ...(old && old.text !== text ? ['text'] : []),
      ...kinds.filter((kind) => !isDeepStrictEqual(old?.channels[kind], channels[kind])),
    ]
    if (changed.length > 0) await note({ accountId, act: 'template.changed', subject: slug, detail: { changed } })
  }
}
