/** Whether what is configured is good, as WhatsApp sees it: the token, the number, and each template. */
import { z } from 'zod'
import type { CheckedTemplate, Finding } from '../../channel.ts'
import {
  buttonKindOf,
  findTemplate,
  type GraphParts,
  type MetaTemplate,
  placesIn,
  toGraphAnswer,
} from './metaTemplates.ts'
import type { CodeTemplate } from './request.ts'
import { buttonsOf, headerOf, type TemplateReference, type TemplateSettings, templateSettings } from './template.ts'

/** Codes live that long at the most. */
const codeSecondsMax = 600
/** Questions to WhatsApp at once. */
const atOnceMax = 4

export interface WhatsappCheckParts extends GraphParts {
  phoneNumberId: string
  codeTemplate: CodeTemplate
}

export async function check(parts: WhatsappCheckParts, templates: readonly CheckedTemplate[]): Promise<Finding[]> {
  const { name, language } = parts.codeTemplate
  const found = await askAll([
    () => checkPhone(parts),
    ...[language]
      .flat()
      .map((one) => () => checkTemplate(parts, 'codes', { name, language: one }, faultsOfCodeTemplate)),
    ...templates.map(
      ({ slug, settings }) =>
        () =>
          checkSettings(parts, slug, settings),
    ),
  ])
  return found.flat()
}

/** Some of them at once. @returns what each found, in their order */
async function askAll<Answered>(questions: readonly (() => Promise<Answered>)[]): Promise<Answered[]> {
  const answers: Answered[] = []
  const left = questions.entries()
  const askNext = async () => {
    for (const [index, ask] of left) answers[index] = await ask()
  }
  await Promise.all(Array.from({ length: atOnceMax }, askNext))
  return answers
}

const phoneForm = z.object({
  verified_name: z.string().max(200).optional().catch(undefined),
  quality_rating: z.string().max(50).optional().catch(undefined),
})

async function checkPhone({ phoneNumberId, get }: WhatsappCheckParts): Promise<Finding[]> {
  const what = `phone number ${phoneNumberId}`
  const { found, fault } = toGraphAnswer(await get(`${phoneNumberId}?fields=verified_name,quality_rating`), phoneForm)
  if (!found) return [bad(`${what}: ${fault}`)]
  const { verified_name: name = 'without a name', quality_rating: quality = 'UNKNOWN' } = found
  const text = `${what}: ${name}, quality ${quality}`
  return [quality === 'RED' ? warning(`${text}: WhatsApp may limit it`) : good(text)]
}

async function checkSettings(parts: WhatsappCheckParts, slug: string, settings: unknown): Promise<Finding[]> {
  const { data } = templateSettings.safeParse(settings)
  const findings = data
    ? await checkTemplate(parts, `template ${slug}`, data, (found) => faultsOfTemplate(found, data))
    : [bad(`template ${slug}: what it says for WhatsApp is not of the form that it must have`)]
  return findings.map((finding) => ({ ...finding, template: slug }))
}

async function checkTemplate(
  parts: WhatsappCheckParts,
  whose: string,
  { name, language }: TemplateReference,
  faultsOf: (template: MetaTemplate) => Finding[],
): Promise<Finding[]> {
  const what = `${whose}: WhatsApp's template ${name} (${language})`
  const { found, fault } = await findTemplate(parts, name, language)
  if (!found) return [bad(`${what} ${fault}`)]
  const notApproved = found.status === 'APPROVED' ? [] : [bad(`is ${found.status}, not APPROVED`)]
  const findings = [...notApproved, ...faultsOf(found)]
  const all = findings.some(({ level }) => level === 'bad') ? findings : [good('is approved'), ...findings]
  return all.map(({ level, text }) => ({ level, text: `${what} ${text}` }))
}

function faultsOfCodeTemplate({ category, message_send_ttl_seconds: ttlSeconds }: MetaTemplate): Finding[] {
  if (category !== 'AUTHENTICATION') return [bad(`is of the category ${category}, not AUTHENTICATION`)]
  if (ttlSeconds === undefined) {
    return [
      warning(
        'has no message_send_ttl_seconds: if it was made before 23 October 2024, a code may be delivered for 30 days; ' +
          `set one of ${codeSecondsMax} or less`,
      ),
    ]
  }
  const isLong = ttlSeconds < 0 || ttlSeconds > codeSecondsMax
  return isLong
    ? [warning(`delivers for longer than a code lives: set its message_send_ttl_seconds to ${codeSecondsMax} or less`)]
    : []
}

/** Place by place: what the template has to be filled, and what fills it. */
export function faultsOfTemplate(found: MetaTemplate, settings: TemplateSettings): Finding[] {
  return [...headerFaults(found, settings), ...bodyFaults(found, settings), ...buttonFaults(found, settings)]
}

function headerFaults({ components }: MetaTemplate, settings: TemplateSettings): Finding[] {
  const header = components.find(({ type }) => type === 'HEADER')
  const format = (header?.format ?? 'TEXT').toLowerCase()
  const wanted = format !== 'text' || placesIn(header?.text).length > 0 ? format : undefined
  const given = headerOf(settings)?.kind
  if (wanted === given) return wanted === 'text' ? headerNameFaults(placesIn(header?.text)[0]!, settings) : []
  if (wanted === undefined) return [bad(`has no header to be filled, and ${withArticle(given!)} is given`)]
  const has = `has a header to be filled with ${withArticle(wanted)}`
  return [bad(`${has}, and ${given === undefined ? 'nothing' : withArticle(given)} is given`)]
}

function headerNameFaults(wanted: string, { header }: TemplateSettings): Finding[] {
  const name = /^\d+$/.test(wanted) ? undefined : wanted
  if (name === header?.parameter) return []
  return [bad(name ? `has a header whose parameter is named ${name}` : 'has a header whose parameter has no name')]
}

function withArticle(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function bodyFaults({ parameter_format: format, components }: MetaTemplate, settings: TemplateSettings): Finding[] {
  const { parameters, body = parameters } = settings
  const wanted = placesIn(components.find(({ type }) => type === 'BODY')?.text)
  const given = Array.isArray(body) ? body.length : Object.keys(body)
  const isNamed = format === 'NAMED' || wanted.some((place) => !/^\d+$/.test(place))
  if (typeof given === 'number') {
    if (isNamed && wanted.length > 0) return [bad(`has named parameters, ${wanted.join(', ')}: name each in the body`)]
    return wanted.length === given ? [] : [bad(`has ${wanted.length} parameters, and ${given} are given`)]
  }
  if (!isNamed && wanted.length > 0) return [bad('has parameters without names: list the variables in order')]
  const missing = wanted.filter((place) => !given.includes(place))
  const unknown = given.filter((place) => !wanted.includes(place))
  return [
    ...(missing.length > 0 ? [bad(`has parameters that nothing fills: ${missing.join(', ')}`)] : []),
    ...(unknown.length > 0 ? [bad(`has no parameters of these names: ${unknown.join(', ')}`)] : []),
  ]
}

function buttonFaults({ components }: MetaTemplate, settings: TemplateSettings): Finding[] {
  const buttons = components.flatMap((one) => one.buttons ?? [])
  const given = buttonsOf(settings)
  return Array.from({ length: Math.max(buttons.length, given.length) }, (_, index) => {
    const kind = given[index]?.kind
    const { type, url } = buttons[index] ?? {}
    if (type === undefined) return kind && `has ${counted(buttons.length)}, and button ${index + 1} is filled`
    const named = `has button ${index + 1} (${type})`
    // What a quick reply brings back can be left out.
    const isNeeded = type === 'COPY_CODE' || (type === 'URL' && placesIn(url).length > 0)
    if (kind === undefined) return isNeeded ? `${named}, which nothing fills` : undefined
    if (buttonKindOf[type] !== kind) return `${named}, which ${kind} does not fill`
    return type === 'URL' && !isNeeded ? `${named} without a place, and ${kind} is given` : undefined
  }).flatMap((text) => (text ? [bad(text)] : []))
}

function counted(buttons: number): string {
  return buttons === 1 ? 'one button' : `${buttons || 'no'} buttons`
}

function good(text: string): Finding {
  return { level: 'good', text }
}

function warning(text: string): Finding {
  return { level: 'warning', text }
}

function bad(text: string): Finding {
  return { level: 'bad', text }
}
