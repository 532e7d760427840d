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
  /** How its value is entered: a list of texts; members, each on a line; or a list of such, each on a line. */
  entry: 'text' | 'list' | 'members' | 'lines'
}

/** In the order of the kinds; a kind for which nothing can be said has none. */
export function createTemplateForms(
  kinds: Readonly<Record<string, Pick<ConnectionKind, 'template' | 'words'>>>,
): TemplateForm[] {
  return Object.entries(kinds).flatMap(([kind, { template, words }]) => {
    if (!template) return []
    const { properties = {}, description = '' } = z.toJSONSchema(template, { io: 'input', unrepresentable: 'any' })
    const fields = Object.entries(properties).map(([name, schema]) => toField(name, schema))
    return { kind, title: words?.title ?? kind, help: description, fields }
  })
}

function toField(name: string, schema: z.core.JSONSchema._JSONSchema): TemplateField {
  const known = typeof schema === 'boolean' ? {} : schema
  const { title = name, description = '', examples = [] } = known
  return {
    name,
    title,
    help: description,
    placeholder: [examples[0] ?? ''].flat().join(', '),
    entry: toEntry(known),
  }
}

function toEntry({ type, items, anyOf }: z.core.JSONSchema.JSONSchema): TemplateField['entry'] {
  if (type === 'object' || anyOf) return 'members'
  if (type !== 'array') return 'text'
  return (items as z.core.JSONSchema.JSONSchema | undefined)?.type === 'object' ? 'lines' : 'list'
}

/** What people have entered, as the kind takes it. @param read the entry of a field, without spaces at its ends */
export function readSettings(
  { fields }: TemplateForm,
  read: (field: string) => string,
): Record<string, unknown> | undefined {
  const entries = fields.map(({ name, entry }): [string, unknown] => [name, valueIn(entry, read(name))])
  const isEmpty = entries.every(([, value]) => value === '' || (Array.isArray(value) && value.length === 0))
  if (isEmpty) return undefined
  return Object.fromEntries(entries.filter(([, value], index) => value !== '' || fields[index]!.entry === 'text'))
}

function valueIn(entry: TemplateField['entry'], text: string): unknown {
  if (entry === 'text' || (text === '' && entry !== 'list')) return text
  if (entry === 'list') return listIn(text)
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (entry === 'lines') return lines.map((line) => (line === '-' ? {} : (memberIn(line) ?? line)))
  const members = lines.map(memberIn)
  // Without a name, they are in order.
  return members.every((member) => member !== undefined) ? Object.assign({}, ...members) : listIn(text)
}

function listIn(text: string): string[] {
  return text.split(/[\s,]+/u).filter((one) => one !== '')
}

/** @returns the member of a line like `image: {{photo}}`; undefined for one of another form */
function memberIn(line: string): Record<string, string> | undefined {
  const [, name, value] = /^([^\s:]+)\s*:\s*(.*)$/u.exec(line) ?? []
  return name === undefined ? undefined : { [name]: value! }
}

/** What is kept, as people enter it. */
export function readEntered({ fields }: TemplateForm, settings: unknown): Record<string, string> {
  const kept = (settings ?? {}) as Record<string, unknown>
  return Object.fromEntries(fields.map(({ name, entry }) => [name, formatText(entry, kept[name] ?? [])]))
}

function formatText(entry: TemplateField['entry'], value: unknown): string {
  const linesOf = (members: object) => Object.entries(members).map(([name, one]) => `${name}: ${String(one)}`)
  if (entry === 'lines')
    return [value]
      .flat()
      .map((one) => linesOf(one as object)[0] ?? '-')
      .join('\n')
  if (entry === 'members' && !Array.isArray(value)) return linesOf(value as object).join('\n')
  return [value].flat().map(String).join(', ')
}
