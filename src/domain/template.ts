/** Templates: a text with `{{name}}` places, and the variables that fill it. */
import { type ErrorDetail, escapePointer, Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import { listTemplates, type TemplateRow, upsertTemplates } from '../store/template.ts'
import type { ConnectionKind } from './connectionEntry.ts'
import { faultsIn } from './refusal.ts'
import { isStorable, notStorable } from './storable.ts'

/** A variable's name. */
const place = /\{\{\s*([a-z][a-z0-9_]{0,63})\s*\}\}/g
const variablesMax = 50

/** The variables that a text names, each once, in order. */
export function variablesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(place), (match) => match[1]!))]
}

export interface NewTemplate {
  slug: string
  text: string
  /** What it says for kinds of connections, by the kind's name. */
  channels?: Readonly<Record<string, unknown>>
}

export interface Templates {
  /**
   * Adds or changes templates, all of them or none.
   *
   * @throws Refusal which names everything that is wrong
   */
  apply: (accountId: string, list: readonly NewTemplate[]) => Promise<void>
  list: (accountId: string) => Promise<TemplateRow[]>
}

type Kinds = Readonly<Record<string, Pick<ConnectionKind, 'template'>>>

export interface TemplateParts {
  commit: Commit
  runtime: Pick<Runtime, 'now'>
  /** What the contract lets callers name. */
  slugForm: SlugForm
  kinds: Kinds
}

export function createTemplates({ commit, runtime, slugForm, kinds }: TemplateParts): Templates {
  return {
    apply: async (accountId, list) => {
      const updatedAt = runtime.now()
      const rows: TemplateRow[] = []
      const faults = list.flatMap(({ slug, text, channels: given = {} }, index) => {
        const named = slugForm.pattern.test(slug) && slug.length <= slugForm.maxLength
        const twice = list.findIndex((other) => other.slug === slug) < index
        const { channels, faults } = readChannels(text, given, kinds)
        rows.push({ accountId, slug, text, channels, updatedAt })
        return [
          ...(named ? [] : [`"${slug}" is no slug: 1 to ${slugForm.maxLength} lower-case letters, digits, - and _`]),
          ...(twice ? [`"${slug}" is there twice`] : []),
          ...[faultOf(text) ?? [], faults].flat().map((fault) => `"${slug}": ${fault}`),
        ]
      })
      if (faults.length > 0) throw faultsIn('', faults)
      await commit.transaction((tx) => upsertTemplates(tx, rows))
    },
    list: (accountId) => listTemplates(commit.reader, accountId),
  }
}

interface SlugForm {
  pattern: RegExp
  maxLength: number
}

/**
 * What is wrong with a template's text, for the person who wrote it; undefined when nothing is.
 */
export function faultOf(text: string): string | undefined {
  if (!isStorable(text)) return notStorable
  const stray = text.replace(place, '').match(/\{\{[^}\n]*\}?\}?|\}\}/)
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
    const { data, error } = form.safeParse(value)
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

/**
 * Fills every place. Numbers and booleans become what JSON writes for them; a value is never looked into for places.
 *
 * @param charactersMax code points that the filled text may have; a longer one is never made
 * @returns or Problem `invalid_variables`, which names every variable that is missing and every one that is unknown, or
 * says that the text is too long
 */
export function fillTemplate(
  text: string,
  values: Readonly<Record<string, string | number | boolean>>,
  charactersMax: number,
): { variables: Record<string, string>; text: string } | Problem {
  const names = variablesOf(text)
  const known = new Set(names)
  const details = [
    ...names
      .filter((name) => !Object.hasOwn(values, name))
      .map((name) => detail(name, 'missing', 'is required by the template')),
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map((name) => detail(name, 'unknown', 'is not a variable of the template')),
  ]
  if (details.length > 0) return new Problem('invalid_variables', { details })
  const variables = Object.fromEntries(names.map((name) => [name, String(values[name])]))
  if (filledLength(text, variables) > charactersMax) {
    const message = `must fill the template to at most ${charactersMax} characters`
    return new Problem('invalid_variables', {
      message: 'The variables fill the template to a text that is too long.',
      details: [{ field: '/variables', code: 'too_long', message }],
    })
  }
  return { variables, text: text.replace(place, (_place, name: string) => variables[name]!) }
}

function filledLength(text: string, variables: Record<string, string>): number {
  const lengths = new Map(Object.entries(variables).map(([name, value]) => [name, characters(value)]))
  const fixed = characters(text.replace(place, ''))
  return Array.from(text.matchAll(place)).reduce((sum, [, name]) => sum + lengths.get(name!)!, fixed)
}

function characters(text: string): number {
  return Array.from(text).length
}

function detail(name: string, code: ErrorDetail['code'], message: string): ErrorDetail {
  return { field: `/variables/${escapePointer(name)}`, code, message }
}
