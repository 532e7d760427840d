/** Reads a request by the template that it was made from: what stands at the places of the placeholders. */
import {
  isPlaceholder,
  type Placeholder,
  splitTextParts,
  type TextPart,
} from '../../delivery/channels/sms/placeholder.ts'

/** By name: `to`, `text`, `report_url`, `s.auth_token`; `national` in place of a `to` without its country, and `calling_code`. A value whose filter cannot be undone is not here. */
export type Found = Record<string, string>

/** Reads a value by its template. Members that the template has and the value has not are left out. */
export type Reader = (template: unknown, value: unknown) => Found | undefined

/** @returns a reader that answers undefined where a value does not fit its template */
export function createReader(settings: ReadonlySet<string>): Reader {
  const read: Reader = (template, value) => {
    if (value === undefined) return {}
    if (typeof template === 'string') return readText(splitTextParts(template, settings), value)
    if (typeof template !== 'object' || template === null) return String(template) === String(value) ? {} : undefined
    if (typeof value !== 'object' || value === null) return undefined
    const found: Found = {}
    for (const [name, member] of Object.entries(template)) {
      const inner = read(member, (value as Record<string, unknown>)[name])
      if (!inner) return undefined
      Object.assign(found, inner)
    }
    return found
  }
  return read
}

/** @returns a reader of paths for the template of a URL, of which scheme, host and port may be others */
export function createPathReader(url: string, settings: ReadonlySet<string>): (path: string) => Found | undefined {
  const parts = pathParts(splitTextParts(url, settings))
  const form = formOf(parts, '([^/]+)')
  return (path) => listValues(parts, form.exec(path), decodeURIComponent)
}

function readText(parts: ReturnType<typeof splitTextParts>, value: unknown): Found | undefined {
  if ('fault' in parts) return undefined
  return listValues(parts, formOf(parts, '([^]*)').exec(String(value)), (text) => text)
}

/** Without what is before the path, and without the query. */
function pathParts(parts: ReturnType<typeof splitTextParts>): TextPart[] {
  if ('fault' in parts) return []
  const marked = parts.map((part, index) => (isPlaceholder(part) ? `\u0000${index}\u0000` : part)).join('')
  const path = marked.replace(/^(?:https?:\/\/)?[^/]*/, '').replace(/\?.*$/s, '')
  return path.split('\u0000').map((piece, index) => (index % 2 === 0 ? piece : parts[Number(piece)]!))
}

function formOf(parts: readonly TextPart[], any: string): RegExp {
  return new RegExp(`^${parts.map((part) => (isPlaceholder(part) ? any : literal(part))).join('')}$`)
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function listValues(
  parts: readonly TextPart[],
  match: RegExpExecArray | null,
  decode: (text: string) => string,
): Found | undefined {
  if (!match) return undefined
  const found: Found = {}
  for (const [index, placeholder] of parts.filter(isPlaceholder).entries()) {
    const value = undone(placeholder, decode(match[index + 1] ?? ''))
    if (value !== undefined) found[findName(placeholder)] = value
  }
  return found
}

function findName({ value, setting, filters: [filter] }: Placeholder): string {
  if (filter?.name === 'calling_code') return 'calling_code'
  if (filter?.name === 'national' || filter?.name === 'significant') return 'national'
  return value ?? `s.${setting}`
}

const undo: Partial<Record<Placeholder['filters'][number]['name'], (text: string) => string>> = {
  digits: (text) => text,
  as: (text) => text,
  national: (text) => text,
  significant: (text) => text,
  calling_code: (text) => text,
  base64: (text) => Buffer.from(text, 'base64').toString(),
  hex: (text) => Buffer.from(text, 'hex').toString(),
  json: (text) => String(JSON.parse(text)),
  gsm7: (text) => text,
  ucs2: (text) => Buffer.from(text, 'hex').swap16().toString('utf16le'),
}

/** @returns the value before its filters; undefined where they keep too little of it */
function undone({ filters }: Placeholder, text: string): string | undefined {
  try {
    return filters.reduceRight<string | undefined>(
      (value, { name }) => (value === undefined ? undefined : undo[name]?.(value)),
      text,
    )
  } catch {
    return undefined
  }
}
