/** The settings of a connection as text in a form, and back. */
import type { ConnectionField } from './connectionField.ts'

/** What people have entered, as members of an entry. @param read the text of a field; empty where nothing is in it */
export function membersFrom(
  fields: readonly ConnectionField[],
  read: (name: string) => string,
): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const field of fields) {
    const value = toMember(field, read(field.name))
    const [member, inner] = splitParts(field)
    if (inner === undefined) {
      if (value !== undefined) members[member] = value
      continue
    }
    // Without any of its parts, what is missing could not be said part by part.
    if (value === undefined && field.optional) continue
    const group = (members[member] ?? {}) as Record<string, unknown>
    members[member] = value === undefined ? group : { ...group, [inner]: value }
  }
  return members
}

/** What is kept, as people enter it. Secrets are never in it. */
export function textsFrom(
  fields: readonly ConnectionField[],
  settings: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const shown = fields.filter(({ secret }) => !secret)
  return Object.fromEntries(shown.map((field) => [field.name, formatText(field, settings)]))
}

function toMember({ form, secret }: ConnectionField, text: string): unknown {
  if (text === '') return undefined
  // What is no number stays text: the schema says what is wrong with it.
  if (form === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (form === 'list' || (form === 'pair' && !secret)) {
    // A key can have spaces and commas in it, but no end of a line.
    const values = form === 'pair' ? splitLines(text) : text.split(/[\s,]+/u).filter((value) => value !== '')
    return values.length === 1 ? values[0] : values
  }
  // Browsers send lines with CRLF.
  return form === 'map' ? parseMap(text) : form === 'long' ? `${text.replaceAll('\r\n', '\n')}\n` : text
}

/** A line each: `DE: Acme`. A key that is there twice has both values: the schema says that it may not. */
function parseMap(text: string): Record<string, string | string[]> {
  const pairs = splitLines(text).map((line) => {
    const [, key = line, value = ''] = /^([^:=]*)[:=](.*)$/.exec(line) ?? []
    return { key: key.trim(), value: value.trim() }
  })
  const byKey = Map.groupBy(pairs, ({ key }) => key)
  return Object.fromEntries(
    [...byKey].map(([key, [first, ...more]]) => [
      key,
      more.length === 0 ? first!.value : [first!, ...more].map(({ value }) => value),
    ]),
  )
}

function splitLines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function formatText(field: ConnectionField, settings: Readonly<Record<string, unknown>>): string {
  const [member, inner] = splitParts(field)
  const value = settings[member]
  const own = inner === undefined ? value : (value as Record<string, unknown> | undefined)?.[inner]
  if (own === undefined || own === null) return ''
  if (typeof own !== 'object') return String(own)
  if (Array.isArray(own)) return own.join(field.form === 'pair' ? '\n' : ', ')
  if (field.form !== 'map') return JSON.stringify(own)
  return Object.entries(own)
    .map(([key, one]) => `${key}: ${one}`)
    .join('\n')
}

function splitParts({ name }: ConnectionField): [member: string, inner?: string] {
  const at = name.indexOf('.')
  return at === -1 ? [name] : [name.slice(0, at), name.slice(at + 1)]
}
