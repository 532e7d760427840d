/** What fills the places of a WhatsApp template: header, body and buttons. */
import type { FilledTemplate } from '../../../domain/sending/route.ts'
import { withValues } from '../../../domain/sending/wordings/templateText.ts'
import {
  type ButtonKind,
  buttonsOf,
  headerOf,
  type TemplateSettings,
  templateSettings,
  variablesOfSettings,
} from './template.ts'

/** Why WhatsApp need not be asked; with the template's name, it is a fault of the template. */
export interface Unfit {
  refused: string
  template?: string
}

/** The components of a message, in the order of WhatsApp's documentation; or why there are none. */
export function buildComponents(
  settings: TemplateSettings,
  variables: Readonly<Record<string, string>>,
): object[] | Unfit {
  const missing = variablesOfSettings(settings).find(({ variable: name }) => !Object.hasOwn(variables, name))
  if (missing) return { refused: `the template has no variable ${missing.variable}`, template: settings.name }
  const parts = [headerComponent(settings, variables), bodyComponent(settings, variables)]
  const all = [...parts, ...buttonComponents(settings, variables)].filter((part) => part !== undefined)
  return all.find(isUnfit) ?? (all as object[])
}

interface Component {
  type: FilledTemplate['places'][number]['part']
  parameters: { parameter_name?: string; type: string; [kind: string]: unknown }[]
}

/** What is sent, for who looks at it before. @param said what the template says for WhatsApp */
export function fillForWhatsapp(said: unknown, variables: Values): FilledTemplate | { refused: string } {
  const settings = templateSettings.safeParse(said).data
  if (!settings) return { refused: 'the template says nothing for WhatsApp' }
  const components = buildComponents(settings, variables)
  if (!Array.isArray(components)) return { refused: components.refused }
  const { name, language: inLanguage } = settings
  const places = (components as Component[]).flatMap(({ type, parameters }) =>
    parameters.map((one) => ({ part: type, name: one.parameter_name, value: filledIn(one) })),
  )
  return { name, language: inLanguage, places }
}

function filledIn(parameter: Component['parameters'][number]): string {
  const filled = parameter[parameter.type]
  if (typeof filled === 'string') return filled
  const { link, id } = filled as { link?: string; id?: string }
  return link ?? id ?? ''
}

function isUnfit(part: object): part is Unfit {
  return 'refused' in part
}

type Values = Readonly<Record<string, string>>

function headerComponent(settings: TemplateSettings, values: Values): object | Unfit | undefined {
  const top = headerOf(settings)
  if (!top) return undefined
  const { kind } = top
  const filled = onOneLine(fill(top.text, values))
  if (filled === '') return { refused: 'its header is empty, which WhatsApp does not take' }
  if (kind === 'text') return { type: 'header', parameters: [textParameter(filled, settings.header!.parameter)] }
  const source = readSource(filled)
  if (!source) return { refused: `its ${kind} must be an https address, or the id of an upload to WhatsApp` }
  const filename = kind === 'document' ? settings.header!.filename : undefined
  const media = { ...source, ...(filename !== undefined && { filename: onOneLine(fill(filename, values)) }) }
  return { type: 'header', parameters: [{ type: kind, [kind]: media }] }
}

function readSource(filled: string): { link: string } | { id: string } | undefined {
  if (/^\d{1,64}$/.test(filled)) return { id: filled }
  return /^https:\/\/\S+$/i.test(filled) && URL.canParse(filled) ? { link: filled } : undefined
}

function bodyComponent({ parameters, body = parameters }: TemplateSettings, values: Values) {
  const entries = Object.entries(body).map(([key, name]) => ({ key, name, text: onOneLine(values[name]!) }))
  if (entries.length === 0) return undefined
  const empty = entries.find(({ text: filled }) => filled === '')
  if (empty) return { refused: `variable ${empty.name} is empty, which WhatsApp does not take` }
  const isNamed = !Array.isArray(body)
  return {
    type: 'body',
    parameters: entries.map(({ key, text: filled }) => textParameter(filled, isNamed ? key : undefined)),
  }
}

function buttonComponents(settings: TemplateSettings, values: Values): (object | Unfit)[] {
  return buttonsOf(settings).flatMap((one, index) => {
    if (!one) return []
    const filled = onOneLine(fill(one.text, values))
    if (filled === '') return [{ refused: `its button ${index + 1} is empty, which WhatsApp does not take` }]
    return [buttonComponent(one.kind, index, filled)]
  })
}

const buttonParameters: Readonly<Record<ButtonKind, (filled: string) => object>> = {
  url: textParameter,
  quick_reply: (payload) => ({ type: 'payload', payload }),
  copy_code: (code) => ({ type: 'coupon_code', coupon_code: code }),
}

/** @param index counts from 0; WhatsApp takes it as a text */
export function buttonComponent(kind: ButtonKind, index: number, filled: string): object {
  return { type: 'button', sub_type: kind, index: String(index), parameters: [buttonParameters[kind](filled)] }
}

export function textParameter(filled: string, name?: string): object {
  return { type: 'text', ...(name !== undefined && { parameter_name: name }), text: filled }
}

function fill(given: string, values: Values): string {
  return withValues(given, (name) => values[name]!)
}

/** WhatsApp refuses a text with a line break, a tab or more than four spaces in a row, as a fault of the template. */
function onOneLine(given: string): string {
  return given
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(/ {5,}/g, '    ')
    .trim()
}
