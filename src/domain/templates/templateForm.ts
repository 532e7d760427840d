/** What a template can say for a kind of connections, as fields that people fill in: made of the kind's own schema. */
import { z } from 'zod'
import type { ConnectionKind } from '../channels/connectionEntry.ts'

export interface TemplateForm {
  /** Of the connections. */
  kind: string
  /** What people call it. */
  title: string
  /** When it is needed, in a sentence or two. */
  help: string
  fields: readonly TemplateField[]
}

export interface TemplateField {
  /** Of the member. */
  name: string
  title: string
  help: string
  placeholder: string
  /** A list of texts. */
  isList: boolean
}

/** In the order of the kinds; a kind for which nothing can be said has none. */
export function templateFormsOf(
  kinds: Readonly<Record<string, Pick<ConnectionKind, 'template' | 'words'>>>,
): TemplateForm[] {
  return Object.entries(kinds).flatMap(([kind, { template, words }]) => {
    if (!template) return []
    const { properties = {}, description = '' } = z.toJSONSchema(template, { io: 'input', unrepresentable: 'any' })
    const fields = Object.entries(properties).map(([name, schema]) => fieldOf(name, schema))
    return { kind, title: words?.title ?? kind, help: description, fields }
  })
}

function fieldOf(name: string, schema: z.core.JSONSchema._JSONSchema): TemplateField {
  const { title = name, description = '', examples = [], type } = typeof schema === 'boolean' ? {} : schema
  return {
    name,
    title,
    help: description,
    placeholder: [examples[0] ?? ''].flat().join(', '),
    isList: type === 'array',
  }
}

/** What people have entered, as the kind takes it. @param read the entry of a field, without spaces at its ends */
export function settingsOf(
  { fields }: TemplateForm,
  read: (field: string) => string,
): Record<string, unknown> | undefined {
  const entries = fields.map(({ name, isList }): [string, unknown] => {
    const text = read(name)
    return [name, isList ? text.split(/[\s,]+/u).filter((one) => one !== '') : text]
  })
  const isEmpty = entries.every(([, value]) => value === '' || (Array.isArray(value) && value.length === 0))
  return isEmpty ? undefined : Object.fromEntries(entries)
}

/** What is kept, as people enter it. */
export function enteredOf({ fields }: TemplateForm, settings: unknown): Record<string, string> {
  const kept = (settings ?? {}) as Record<string, unknown>
  return Object.fromEntries(fields.map(({ name }) => [name, [kept[name] ?? []].flat().map(String).join(', ')]))
}
