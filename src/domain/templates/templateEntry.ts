/** Lists of templates as people write them: what is wrong with one, and what is kept of it. */
import { inTurns } from '../../kit/inTurns.ts'
import type { PlacedFault } from '../../kit/reading/formFaults.ts'
import { isStorable, notStorable } from '../../kit/reading/storable.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import { placedRefusal, Refusal } from '../../kit/refusal.ts'
import type { ConnectionKind } from '../channels/connectionEntry.ts'
import { characters, variablesOf, withoutPlaces } from '../sending/wordings/templateText.ts'

export interface NewTemplate {
  slug: string
  text: string
  /** What it says for kinds of connections, by the kind's name. */
  channels?: Readonly<Record<string, unknown>>
}

type Kinds = Readonly<Record<string, Pick<ConnectionKind, 'template'>>>

export interface TemplateRules {
  /** What the contract lets callers name. */
  slugForm: SlugForm
  variablesMax: number
  /** Characters (code points) of a text; of a filled one too. */
  charactersMax: number
  kinds: Kinds
}

interface SlugForm {
  pattern: RegExp
  maxLength: number
}

/** Of the places in one text that are no variables. */
const straysShown = 5
/** Of a list that is applied. */
const templatesMax = 5000
/** Templates that are read in one go: a few milliseconds' work. */
const partSize = 100

/**
 * @param list each may be anything
 * @throws Refusal which names everything that is wrong; the places of faults are those of a file, in which what a template says
 *   for kinds stands beside its text
 */
export async function readTemplates(list: readonly unknown[], rules: TemplateRules): Promise<Required<NewTemplate>[]> {
  if (list.length > templatesMax)
    throw new Refusal(`there are ${list.length} templates, and ${templatesMax} is the most`)
  const read: Required<NewTemplate>[] = []
  const faults: PlacedFault[] = []
  const slugs = new Set<string>()
  for await (const part of inTurns([...list.entries()], partSize)) {
    for (const [index, written] of part) {
      const { template, faults: own } = readTemplate(written, rules)
      read.push(template)
      if (template.slug !== '' && slugs.has(template.slug)) own.push({ path: ['slug'], fault: 'is there twice' })
      slugs.add(template.slug)
      faults.push(...own.map(({ path, fault }) => ({ path: [index, ...path], fault })))
    }
  }
  if (faults.length > 0) throw placedRefusal(faults, (fault) => templateFaultText(fault, list))
  return read
}

/** @returns the template, of use only where there is no fault */
function readTemplate(written: unknown, { slugForm, variablesMax, charactersMax, kinds }: TemplateRules) {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    const template = { slug: '', text: '', channels: {} }
    return { template, faults: [{ path: [], fault: 'must be a mapping with slug and text' }] as PlacedFault[] }
  }
  const { slug, text, channels: given } = written as Partial<Record<keyof NewTemplate, unknown>>
  const body = typeof text === 'string' ? text : ''
  const { channels, faults: ofChannels } = readChannels(body, (given ?? {}) as Record<string, unknown>, kinds)
  const slugFault = textFaultOf(slug) ?? slugFaultOf(slug as string, slugForm)
  const textFault = textFaultOf(text) ?? lengthFaultOf(body, charactersMax) ?? templateFaultOf(body, variablesMax)
  const faults: PlacedFault[] = [
    ...(slugFault === undefined ? [] : [{ path: ['slug'], fault: slugFault }]),
    ...(textFault === undefined ? [] : [{ path: ['text'], fault: textFault }]),
    // Which variables there are, only a text tells.
    ...ofChannels.filter(({ path }) => typeof text === 'string' || path[1] !== 'parameters'),
  ]
  return { template: { slug: typeof slug === 'string' ? slug : '', text: body, channels }, faults }
}

/** A fault as it is told where there is no file. */
function templateFaultText({ path: [index, ...path], fault }: PlacedFault, list: readonly unknown[]): string {
  if (index === undefined) return fault
  const { slug } = (list[Number(index)] ?? {}) as { slug?: unknown }
  const label = typeof slug === 'string' ? `"${slug}"` : `template ${Number(index) + 1}`
  if (path[0] === 'slug' && typeof slug === 'string') return `${label} ${fault}`
  const place =
    path.length === 0 || (typeof slug === 'string' && path[0] === 'text') ? [] : [path.map(String).join('.')]
  return [label, ...place, fault].join(': ')
}

function textFaultOf(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined
  return value === undefined || value === null ? 'is missing' : 'must be a text, in quotes if it is a number'
}

function slugFaultOf(slug: string, { pattern, maxLength }: SlugForm): string | undefined {
  if (pattern.test(slug) && slug.length <= maxLength) return undefined
  return `is no slug: 1 to ${maxLength} lower-case letters, digits, - and _`
}

function lengthFaultOf(text: string, charactersMax: number): string | undefined {
  if (text.trim() === '') return 'it has no text'
  return characters(text) > charactersMax ? `its text has more than ${charactersMax} characters` : undefined
}

/**
 * What is wrong with a template's text, for the person who wrote it; undefined when nothing is.
 */
export function templateFaultOf(text: string, variablesMax: number): string | undefined {
  if (!isStorable(text)) return notStorable
  // To where the next one begins: of two that are not closed, each is named.
  const strays = [...new Set(withoutPlaces(text).match(/\{\{(?:(?!\{\{)[^}\n])*\}?\}?|\}\}/g))]
  if (strays.length > 0) {
    const more = strays.length > straysShown ? ` and ${strays.length - straysShown} more` : ''
    const shown = strays.slice(0, straysShown).map((stray) => `"${stray}"`)
    return `${shown.join(', ')}${more} ${strays.length === 1 ? 'is no variable' : 'are no variables'}: write {{name}}, with a name of lower-case letters, digits and _, beginning with a letter`
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
  const faults: PlacedFault[] = []
  for (const [name, value] of Object.entries(given)) {
    const form = Object.hasOwn(kinds, name) ? kinds[name]?.template : undefined
    if (!form) {
      faults.push({ path: [name], fault: 'is not known: a template says nothing for it' })
      continue
    }
    const { data, error } = form.safeParse(value, { error: schemaWords })
    channels[name] = data
    if (!isStorable(value)) faults.push({ path: [name], fault: notStorable })
    faults.push(...(error?.issues ?? []).map(({ path, message }) => ({ path: [name, ...path], fault: message })))
    const { parameters } = (value ?? {}) as { parameters?: unknown }
    const strangers = [parameters]
      .flat()
      .filter((parameter) => typeof parameter === 'string' && !variables.includes(parameter))
    faults.push(
      ...strangers.map((parameter) => ({
        path: [name, 'parameters'],
        fault: `"${parameter}" is no variable of the text`,
      })),
    )
  }
  return { channels, faults }
}
