/** Texts with placeholders, made to functions once: what a message costs is what it fills in. */
import { filterBy, textOfFilled } from './filters.ts'
import { isPlaceholder, type Placeholder, splitTextParts, type TextPart } from './placeholder.ts'

/** What a message gives, by the names of the language. Undefined is what it does not have. */
export interface MessageValues {
  to: string
  text: string
  code: string | undefined
  brand: string | undefined
  locale: string | undefined
  expires_at: Date | undefined
  ttl: number | undefined
  ttl_ms: number | undefined
  reference: string
  report_url: string | undefined
  template: string | undefined
  segments: number
  /** Of the request, in seconds of Unix time. */
  time: number
  /** Of the request itself, where its file says how it is signed. */
  signature?: string
  /** What was fetched before. */
  token?: string
  /** As it is sent; for its signature. */
  body?: string
  variables: Readonly<Record<string, string>>
  /** The sender for the country of this message. */
  from: string | undefined
}

/** By their names; the first counts where there are two. */
export type SettingValues = Readonly<Record<string, readonly string[]>>

/** Undefined takes the member away that it stands in. */
export type Fill = (values: MessageValues) => unknown

/** @param place what is done to each value by its place in the text */
export function createFill(
  text: string,
  settings: SettingValues,
  declared: ReadonlySet<string>,
  place?: (value: string) => string,
): Fill {
  const parts = splitTextParts(text, declared)
  if ('fault' in parts) throw new Error('a placeholder of a provider file was not judged before')
  const [first] = parts
  if (first === undefined) return () => text
  if (parts.length === 1 && !place) return typeof first === 'string' ? () => first : filledBy(first, settings)
  return joined(parts, settings, place)
}

/** A list or an object as a whole: what becomes empty, goes with what emptied it. */
export function fillTree(value: unknown, settings: SettingValues, declared: ReadonlySet<string>): Fill {
  if (typeof value === 'string') return createFill(value, settings, declared)
  if (typeof value !== 'object' || value === null) return () => value
  if (Array.isArray(value)) {
    const fills = value.map((one) => fillTree(one, settings, declared))
    if (fills.length === 0) return () => []
    return (values) => {
      const filled = fills.map((fill) => fill(values)).filter((one) => one !== undefined)
      return filled.length > 0 ? filled : undefined
    }
  }
  const members = Object.entries(value).map(([name, one]) => [name, fillTree(one, settings, declared)] as const)
  if (members.length === 0) return () => ({})
  return (values) => {
    const filled: Record<string, unknown> = {}
    let isEmpty = true
    for (const [name, fill] of members) {
      const one = fill(values)
      if (one === undefined) continue
      filled[name] = one
      isEmpty = false
    }
    return isEmpty ? undefined : filled
  }
}

function joined(
  parts: readonly TextPart[],
  settings: SettingValues,
  place: (value: string) => string = (value) => value,
): Fill {
  const fills = parts.map((part): Fill => {
    if (!isPlaceholder(part)) return () => part
    const fill = filledBy(part, settings)
    return (values) => {
      const value = fill(values)
      return value === undefined ? undefined : place(textOfFilled(value))
    }
  })
  return (values) => {
    let text = ''
    for (const fill of fills) {
      const piece = fill(values)
      if (piece === undefined) return undefined
      text += piece as string
    }
    return text
  }
}

function filledBy({ value, setting, filters }: Placeholder, settings: SettingValues): Fill {
  const through = filters.map(({ name, words }) => filterBy(name).make(words))
  const filtered = (given: unknown) =>
    through.reduce<unknown>((one, filter) => (one === undefined ? undefined : filter(one)), given)
  const plain = createRawFill(value, setting, settings)
  return through.length === 0 ? plain : (values) => filtered(plain(values))
}

function createRawFill(value: string | undefined, setting: string | undefined, settings: SettingValues): Fill {
  if (setting === 'from') return ({ from }) => from
  if (setting !== undefined) {
    const [own] = settings[setting] ?? []
    return () => own
  }
  if (value?.startsWith('variables.')) {
    const name = value.slice('variables.'.length)
    return ({ variables }) => (Object.hasOwn(variables, name) ? variables[name] : undefined)
  }
  const member = value as Exclude<keyof MessageValues, 'variables'>
  return member === 'expires_at' ? ({ expires_at }) => expires_at?.toISOString() : (values) => values[member]
}
