/** Placeholders in the texts of a provider file, as they are written: `{{name|filter|filter}}`. */
import { type FilterName, filterBy, filterNames } from './filters.ts'

/** What a message gives. `variables.<name>` and `s.<setting>` come beside. */
export const messageNames = [
  'to',
  'text',
  'code',
  'brand',
  'locale',
  'expires_at',
  'ttl',
  'ttl_ms',
  'reference',
  'report_url',
  'template',
  'segments',
  'time',
  'signature',
  'token',
] as const
/** Those that are there without a message, too. */
export const ofRequest: ReadonlySet<string> = new Set(['time', 'signature', 'token', 'body'])
/** Those that every message has. */
export const surelyThere: ReadonlySet<string> = new Set(['to', 'text', 'reference', 'segments', ...ofRequest])

export interface Placeholder {
  /** Of `messageNames`, or `variables.<name>`; undefined with `setting`. */
  value?: string
  setting?: string
  filters: { name: FilterName; words: string[] }[]
}

/** What stands between placeholders is text. */
export type TextPart = string | Placeholder

const form = /\{\{([^{}]{0,200})\}\}/
const filterForm = /^[a-z0-9_]+(?::([A-Za-z0-9_-]{1,32})(?:,([A-Za-z0-9_-]{1,32}))?)?$/
const variableForm = /^variables\.[a-z][a-z0-9_]{0,63}$/

/** @returns the parts of a text in their order, or what is wrong with it, without quoting more than a name of the language */
export function splitTextParts(text: string, settings: ReadonlySet<string>): TextPart[] | { fault: string } {
  const parts: TextPart[] = []
  // `split` keeps what the brackets of the form hold: every second piece is a placeholder.
  for (const [index, piece] of text.split(new RegExp(form, 'g')).entries()) {
    if (index % 2 === 0) {
      if (piece.includes('{{') || piece.includes('}}'))
        return { fault: 'has "{{" or "}}" that belongs to no placeholder' }
      if (piece !== '') parts.push(piece)
      continue
    }
    const placeholder = readPlaceholder(piece, settings)
    if ('fault' in placeholder) return placeholder
    parts.push(placeholder)
  }
  return parts
}

export function isPlaceholder(part: TextPart): part is Placeholder {
  return typeof part !== 'string'
}

function readPlaceholder(text: string, settings: ReadonlySet<string>): Placeholder | { fault: string } {
  const [name = '', ...written] = text.split('|').map((piece) => piece.trim())
  const filters: Placeholder['filters'] = []
  for (const one of written) {
    const known = filterNames.find((candidate) => candidate === /^\w*/.exec(one)?.[0])
    if (!known) return { fault: `has a placeholder with an unknown filter; there are ${filterNames.join(', ')}` }
    const given = filterForm
      .exec(one)
      ?.slice(1)
      .filter((word) => word !== undefined)
    if (!given || !areWords(known, given))
      return { fault: `has a filter that is to be written ${describeWords(known)}` }
    filters.push({ name: known, words: given })
  }
  if (filters.slice(0, -1).some((one) => one.name === 'as'))
    return { fault: 'has a filter behind as: that is the last' }
  for (const one of filters) {
    const { only } = filterBy(one.name)
    if (only && !only.includes(name)) return { fault: `has ${one.name} behind another name than ${only.join(', ')}` }
  }
  if (name.startsWith('s.')) {
    const setting = name.slice(2)
    return settings.has(setting)
      ? { setting, filters }
      : { fault: 'has a placeholder for a setting that is not declared' }
  }
  const isKnown = [...messageNames, 'body'].includes(name) || variableForm.test(name)
  if (isKnown) return { value: name, filters }
  return {
    fault: `has an unknown placeholder; there are ${[...messageNames, 'variables.<name>', 's.<setting>'].join(', ')}`,
  }
}

function areWords(filter: FilterName, given: readonly string[]): boolean {
  const { words } = filterBy(filter)
  if (words === undefined) return given.length === 0
  if (words === 'two of your own') return given.length === 0 || given.length === 2
  return given.length <= 1 && words.includes(given[0] ?? '')
}

function describeWords(filter: FilterName): string {
  const { words } = filterBy(filter)
  if (words === undefined) return `${filter}, without words behind it`
  return words === 'two of your own'
    ? `${filter}, or ${filter}:text,unicode`
    : words.map((word) => `${filter}:${word}`).join(' or ')
}
