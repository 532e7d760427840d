/** Templates: a text with `{{name}}` places, and the variables that fill it. */
import { isDeepStrictEqual } from 'node:util'
import { inTurns } from '../../kit/inTurns.ts'
import { isStorable, notStorable } from '../../kit/reading/storable.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import { faultsIn, Refusal } from '../../kit/refusal.ts'
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
import type { ConnectionKind } from '../channels/connectionEntry.ts'
import { leastMessageId } from '../sending/messageId.ts'
import { characters, variablesOf, withoutPlaces } from '../sending/wordings/templateText.ts'
import { type TemplateForm, templateFormsOf } from './templateForm.ts'

/** Milliseconds in which messages are looked through for the templates that were sent. */
const latelyMs = 30 * 24 * 3600 * 1000

export interface NewTemplate {
  slug: string
  text: string
  /** What it says for kinds of connections, by the kind's name. */
  channels?: Readonly<Record<string, unknown>>
}

export interface Templates {
  /** What it can say for kinds of connections. */
  forms: readonly TemplateForm[]
  /**
   * Adds or changes templates, all of them or none.
   *
   * @throws Refusal which names everything that is wrong, Forbidden
   */
  apply: (actor: Actor, accountId: string, list: readonly NewTemplate[]) => Promise<void>
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

type Kinds = Readonly<Record<string, Pick<ConnectionKind, 'template'>>>

export interface TemplateParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now'>
  /** What the contract lets callers name. */
  slugForm: SlugForm
  variablesMax: number
  /** Characters (code points) of a text; of a filled one too. */
  charactersMax: number
  kinds: Kinds
}

/** Of a list that is applied. */
const templatesMax = 5000
/** Templates that are read or written in one go: a few milliseconds' work. */
const partSize = 100

export function createTemplates(parts: TemplateParts): Templates {
  const { commit, runtime, kinds } = parts

  /** @param refuse why it is not to be written, as there is one of the first slug already, or none */
  const write = async (
    actor: Actor,
    accountId: string,
    list: readonly NewTemplate[],
    refuse?: (isThere: boolean) => string | false,
  ) => {
    requireRole(actor, 'developer', accountId)
    const rows = await readTemplates(accountId, list, parts)
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

/** @throws Refusal which names everything that is wrong */
async function readTemplates(
  accountId: string,
  list: readonly NewTemplate[],
  { runtime, slugForm, variablesMax, charactersMax, kinds }: TemplateParts,
): Promise<TemplateRow[]> {
  if (list.length > templatesMax)
    throw new Refusal(`there are ${list.length} templates, and ${templatesMax} is the most`)
  const updatedAt = runtime.now()
  const rows: TemplateRow[] = []
  const faults: string[] = []
  const slugs = new Set<string>()
  for await (const part of inTurns(list, partSize)) {
    for (const { slug, text, channels: given = {} } of part) {
      const isNamed = slugForm.pattern.test(slug) && slug.length <= slugForm.maxLength
      const { channels, faults: ofChannels } = readChannels(text, given, kinds)
      rows.push({ accountId, slug, text, channels, updatedAt })
      if (!isNamed) faults.push(`"${slug}" is no slug: 1 to ${slugForm.maxLength} lower-case letters, digits, - and _`)
      if (slugs.has(slug)) faults.push(`"${slug}" is there twice`)
      slugs.add(slug)
      const own = [lengthFaultOf(text, charactersMax) ?? templateFaultOf(text, variablesMax) ?? [], ofChannels].flat()
      faults.push(...own.map((fault) => `"${slug}": ${fault}`))
    }
  }
  if (faults.length > 0) throw faultsIn('', faults)
  return rows
}

function lengthFaultOf(text: string, charactersMax: number): string | undefined {
  if (text.trim() === '') return 'it has no text'
  return characters(text) > charactersMax ? `its text has more than ${charactersMax} characters` : undefined
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

interface SlugForm {
  pattern: RegExp
  maxLength: number
}

/**
 * What is wrong with a template's text, for the person who wrote it; undefined when nothing is.
 */
export function templateFaultOf(text: string, variablesMax: number): string | undefined {
  if (!isStorable(text)) return notStorable
  const stray = withoutPlaces(text).match(/\{\{[^}\n]*\}?\}?|\}\}/)
  if (stray) {
    return `"${stray[0]}" is no variable: write {{name}}, with a name of lower-case letters, digits and _, beginning with a letter`
  }
  if (variablesOf(text).length > variablesMax) return `it has more than ${variablesMax} variables`
  return undefined
}

/**
 * What a template says for kinds of connections, as the kinds take it. Where it has `parameters`, they name variables of
 * the text.
 */
function readChannels(text: string, given: Readonly<Record<string, unknown>>, kinds: Kinds) {
  const variables = variablesOf(text)
  const channels: Record<string, unknown> = {}
  const faults: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const form = Object.hasOwn(kinds, name) ? kinds[name]?.template : undefined
    if (!form) {
      faults.push(`a template says nothing for "${name}"`)
      continue
    }
    const { data, error } = form.safeParse(value, { error: schemaWords })
    channels[name] = data
    if (!isStorable(value)) faults.push(`${name}: ${notStorable}`)
    faults.push(
      ...(error?.issues ?? []).map(({ path, message }) => `${[name, ...path.map(String)].join('.')}: ${message}`),
    )
    const { parameters } = (value ?? {}) as { parameters?: unknown }
    const strangers = [parameters]
      .flat()
      .filter((parameter) => typeof parameter === 'string' && !variables.includes(parameter))
    faults.push(...strangers.map((parameter) => `${name}.parameters: "${parameter}" is no variable of the text`))
  }
  return { channels, faults }
}
