/** A template of the account that is made of one of Meta's, so that it fills every place of it. */

import { languageIn } from '../../../domain/sending/wordings/language.ts'
import type { MadeTemplate, ProviderTemplate } from '../../../domain/templates/providerTemplate.ts'
import { faultsOfTemplate } from './check.ts'
import {
  buttonKindOf,
  type GraphParts,
  listMetaTemplates,
  type MetaTemplate,
  placesIn,
  withVariables,
} from './metaTemplates.ts'
import { templateSettings } from './template.ts'

export async function listForImport(parts: GraphParts): Promise<{ templates: ProviderTemplate[] } | { fault: string }> {
  const { found, fault } = await listMetaTemplates(parts)
  if (!found) return { fault }
  const distinct = new Map(found.map((one) => [`${one.name} ${one.language}`, one]))
  const templates = [...distinct.values()].map((template) => {
    const { name, language, category, status, quality_score: quality } = template
    const { places, made } = read(template)
    const faultsOf = (said: unknown) => faultsFor(template, said)
    return { name, language, category, status, quality: quality?.score, places, made, faultsOf }
  })
  return { templates: templates.toSorted((one, other) => compare(one.name, other.name)) }
}

function faultsFor(template: MetaTemplate, said: unknown): string[] | undefined {
  const { data } = templateSettings.safeParse(said)
  if (data?.name !== template.name || data.language !== template.language) return undefined
  return faultsOfTemplate(template, data).map(({ text }) => text)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** What people call its places, with the name of the variable that fills each. */
interface Part {
  places: { place: string; variable: string }[]
  /** What other channels say in its place. */
  text: string
  /** Its member of what the account's template says for WhatsApp. */
  member: Record<string, unknown>
}

const nothing: Part = { places: [], text: '', member: {} }
const fillable = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'])
const media: Readonly<Record<string, string>> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' }

function read(template: MetaTemplate): Pick<ProviderTemplate, 'places' | 'made'> {
  const parts = [readHeader(template), readBody(template), footerOf(template), readButtons(template)]
  const places = parts.flatMap((part) => part.places)
  const unfit = findUnfit(template, places)
  const locale = languageIn(template.language)
  const shown = places.map(({ place }) => place)
  if (unfit !== undefined) return { places: shown, made: { unfit } }
  if (locale === undefined)
    return { places: shown, made: { unfit: `is in ${template.language}, which is no language` } }
  const { name, language } = template
  const made: MadeTemplate = {
    locale,
    category: template.category === 'MARKETING' ? 'marketing' : 'utility',
    said: {
      text: parts.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n'),
      channels: { whatsapp: Object.assign({ name, language }, ...parts.map(({ member }) => member)) },
    },
  }
  return { places: shown, made }
}

/** @returns why nothing of the account can fill it, as the end of a sentence */
function findUnfit({ category, components }: MetaTemplate, places: Part['places']): string | undefined {
  if (category === 'AUTHENTICATION') return 'is for codes'
  const strange = components.find(({ type, format }) => !fillable.has(type) || format === 'LOCATION')
  if (strange) return `has a part that is not filled here: ${strange.format ?? strange.type}`
  const misnamed = places.find(({ variable }) => !/^[a-z][a-z0-9_]{0,63}$/.test(variable))
  return misnamed && `has a parameter whose name is no name of a variable: ${misnamed.place}`
}

function readHeader({ components }: MetaTemplate): Part {
  const header = components.find(({ type }) => type === 'HEADER')
  if (!header) return nothing
  const kind = media[header.format ?? '']
  if (kind !== undefined) {
    const variable = `header_${kind}`
    return {
      places: [{ place: `header: ${kind}`, variable }],
      text: `{{${variable}}}`,
      member: { header: { [kind]: `{{${variable}}}` } },
    }
  }
  const { text = '' } = header
  const [place] = placesIn(text)
  if (place === undefined) return { ...nothing, text }
  const variable = isNumber(place) ? 'header' : place
  const filled = `{{${variable}}}`
  return {
    places: [{ place: 'header: text', variable }],
    text: withVariables(text, () => variable),
    member: { header: { text: filled, ...(!isNumber(place) && { parameter: place }) } },
  }
}

function readBody({ components }: MetaTemplate): Part {
  const text = components.find(({ type }) => type === 'BODY')?.text ?? ''
  const found = placesIn(text)
  const isNamed = found.some((place) => !isNumber(place))
  const variableOf = (place: string) => (isNumber(place) ? `v${place}` : place)
  // WhatsApp fills {{1}} first, wherever it stands.
  const places = isNamed ? found : found.toSorted((one, other) => Number(one) - Number(other))
  const variables = places.map(variableOf)
  const body = isNamed ? Object.fromEntries(places.map((place) => [place, place])) : variables
  return {
    places: places.map((place) => ({ place, variable: variableOf(place) })),
    text: withVariables(text, variableOf),
    member: places.length === 0 ? {} : { body },
  }
}

function footerOf({ components }: MetaTemplate): Part {
  return { ...nothing, text: components.find(({ type }) => type === 'FOOTER')?.text ?? '' }
}

function readButtons({ components }: MetaTemplate): Part {
  const parts = components
    .flatMap(({ buttons = [] }) => buttons)
    .map(({ type, text = '', url = '' }, index) => {
      const variable = `button_${index + 1}`
      const filled = `{{${variable}}}`
      const kind = type === 'COPY_CODE' || (type === 'URL' && placesIn(url).length > 0) ? buttonKindOf[type] : undefined
      const shown = type === 'URL' ? withVariables(url, () => variable) : filled
      return {
        places: kind === undefined ? [] : [{ place: `button ${index + 1}: ${kind}`, variable }],
        text: type === 'URL' || kind !== undefined ? `${text}: ${shown}` : '',
        button: kind === undefined ? {} : { [kind]: filled },
      }
    })
  const isFilled = parts.some(({ places }) => places.length > 0)
  return {
    places: parts.flatMap(({ places }) => places),
    text: parts.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n'),
    member: isFilled ? { buttons: parts.map(({ button }) => button) } : {},
  }
}

function isNumber(place: string): boolean {
  return /^\d+$/.test(place)
}
