/** What a template of the account says for WhatsApp: which template of Meta's, and what fills its header, body and buttons. */
import { z } from 'zod'
import type { FilledTemplate } from '../../../domain/sending/route.ts'
import { partsOf, variablesOf } from '../../../domain/sending/wordings/templateText.ts'

export const templateName = text(
  /^[a-z0-9_]{1,512}$/,
  'must be the name of a WhatsApp template: lower-case letters, digits and _',
)
export const language = text(
  /^[A-Za-z]{2,3}(_[A-Za-z0-9]{2,8}){0,2}$/,
  'must be a language as WhatsApp writes it, like en or en_US',
)

const variable = text(/^[a-z][a-z0-9_]{0,63}$/, 'must be the name of a variable of the template')
const place = text(
  /^[a-z][a-z0-9_]{0,63}$/,
  'must be named as at WhatsApp: lower-case letters, digits and _, beginning with a letter',
)
/** Characters that WhatsApp takes for an address, and more than it takes for anything else. */
const valueMax = 2000
const value = z
  .string('must be a text, in quotes if it begins with {')
  .min(1, 'must not be empty')
  .max(valueMax, `must have at most ${valueMax} characters`)
/** Of the body. */
const placesMax = 50
/** WhatsApp has so many. */
const buttonsMax = 10

const oneKind = (kinds: readonly string[]) => (given: object) => kinds.filter((kind) => kind in given).length === 1
const headerKinds = ['text', 'image', 'video', 'document'] as const
const buttonKinds = ['url', 'quick_reply', 'copy_code'] as const

const header = z
  .strictObject(
    {
      text: value.optional(),
      image: value.optional(),
      video: value.optional(),
      document: value.optional(),
      filename: value.optional(),
      parameter: place.optional(),
    },
    'must say what it is and what fills it, like image: "{{photo}}"',
  )
  .refine(oneKind(headerKinds), `must be one of ${headerKinds.join(', ')}`)
  .refine((given) => !('filename' in given) || 'document' in given, 'has a filename, which only a document has')
  .refine((given) => !('parameter' in given) || 'text' in given, 'names a parameter, which only a text has')

/** One that has nothing to fill keeps the place of those behind it. */
const button = z
  .strictObject(
    { url: value.optional(), quick_reply: value.optional(), copy_code: value.optional() },
    'must say what it is and what fills it, like url: "{{order}}"',
  )
  .refine(
    (given) => Object.keys(given).length === 0 || oneKind(buttonKinds)(given),
    `must be one of ${buttonKinds.join(', ')}`,
  )

/** What a template of the account says for this kind. */
export const templateSettings = z
  .strictObject({
    name: templateName.meta({
      title: 'Name',
      description: 'The same as in WhatsApp Manager.',
      examples: ['order_shipped'],
    }),
    language: language.meta({
      title: 'Language',
      description: 'As WhatsApp writes it: en, en_US, ar.',
      examples: ['en_US'],
    }),
    /** Variables in the order of {{1}}, {{2}}: the older name of a `body` that is a list. */
    parameters: z
      .array(variable)
      .max(placesMax)
      .default([])
      .meta({
        title: 'Variables in order',
        description: 'Which of this template’s variables fill {{1}}, {{2}} and so on, separated by commas.',
        examples: [['name', 'order']],
      }),
    body: z
      .union(
        [z.array(variable).max(placesMax), z.record(place, variable)],
        'must be a list of variables, or a mapping from WhatsApp’s names to variables',
      )
      .refine((given) => Object.keys(given).length <= placesMax, `must have at most ${placesMax} places`)
      .optional()
      .meta({
        title: 'Variables by name',
        description:
          'For a template with named variables: WhatsApp’s name, a colon, and the variable of this template; each on a line of its own.',
        examples: ['customer: name'],
      }),
    header: header.optional().meta({
      title: 'Header',
      description:
        'text, image, video or document, a colon, and what fills it. An image, video or document is an https address or the id of an upload. A document can have a second line: filename: and its name; a text with a name at WhatsApp: parameter: and that name.',
      examples: ['image: {{photo}}'],
    }),
    buttons: z
      .array(button)
      .max(buttonsMax)
      .optional()
      .meta({
        title: 'Buttons',
        description:
          'Each on a line of its own, in WhatsApp’s order: url, quick_reply or copy_code, a colon, and what fills it. A line with only a hyphen is a button that has nothing to fill.',
        examples: ['url: {{order}}'],
      }),
  })
  .refine(({ body, parameters }) => body === undefined || parameters.length === 0, {
    path: ['body'],
    error: 'says the same as parameters: give one of them',
  })
  .meta({
    description:
      'WhatsApp sends its own text, which Meta has approved. Without a name here, this template is not sent through WhatsApp.',
  })

export type TemplateSettings = z.infer<typeof templateSettings>
/** A template of WhatsApp's in one language. */
export type TemplateReference = Pick<TemplateSettings, 'name' | 'language'>
export type HeaderKind = (typeof headerKinds)[number]
export type ButtonKind = (typeof buttonKinds)[number]

/** What can be read of settings that are not of the form: each member by itself. */
const readable = z.object({
  parameters: templateSettings.shape.parameters.catch([]),
  body: templateSettings.shape.body.catch(undefined),
  header: z.record(z.string(), z.string()).optional().catch(undefined),
  buttons: z.array(z.record(z.string(), z.string())).optional().catch(undefined),
})

/** With their places in the settings, which may be anything. */
export function variablesIn(settings: unknown): { path: PropertyKey[]; variable: string }[] {
  const { parameters = [], body = [], header: top = {}, buttons = [] } = readable.safeParse(settings).data ?? {}
  const placesIn = (path: PropertyKey[], given: Readonly<Record<string, string>>) =>
    Object.entries(given).flatMap(([kind, said]) =>
      variablesOf(said).map((name) => ({ path: [...path, kind], variable: name })),
    )
  const named = (member: string, list: readonly string[]) => list.map((name) => ({ path: [member], variable: name }))
  return [
    ...named('parameters', parameters),
    ...(Array.isArray(body)
      ? named('body', body)
      : Object.entries(body).map(([key, name]) => ({ path: ['body', key], variable: name }))),
    ...placesIn(['header'], top),
    ...buttons.flatMap((one, index) => placesIn(['buttons', index], one)),
  ]
}

export function headerOf({ header: top }: TemplateSettings): { kind: HeaderKind; text: string } | undefined {
  const kind = headerKinds.find((one) => top?.[one] !== undefined)
  return kind && { kind, text: top![kind]! }
}

export function buttonsOf({ buttons = [] }: TemplateSettings): ({ kind: ButtonKind; text: string } | undefined)[] {
  return buttons.map((one) => {
    const kind = buttonKinds.find((name) => one[name] !== undefined)
    return kind && { kind, text: one[kind]! }
  })
}

/** Why WhatsApp need not be asked; with the template's name, it is a fault of the template. */
export interface Unfit {
  refused: string
  template?: string
}

/** The components of a message, in the order of WhatsApp's documentation; or why there are none. */
export function componentsOf(
  settings: TemplateSettings,
  variables: Readonly<Record<string, string>>,
): object[] | Unfit {
  const missing = variablesIn(settings).find(({ variable: name }) => !Object.hasOwn(variables, name))
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
  const components = componentsOf(settings, variables)
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
  const source = sourceOf(filled)
  if (!source) return { refused: `its ${kind} must be an https address, or the id of an upload to WhatsApp` }
  const filename = kind === 'document' ? settings.header!.filename : undefined
  const media = { ...source, ...(filename !== undefined && { filename: onOneLine(fill(filename, values)) }) }
  return { type: 'header', parameters: [{ type: kind, [kind]: media }] }
}

function sourceOf(filled: string): { link: string } | { id: string } | undefined {
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
  return partsOf(given)
    .map((part) => ('text' in part ? part.text : values[part.variable]!))
    .join('')
}

/** WhatsApp refuses a text with a line break, a tab or more than four spaces in a row, as a fault of the template. */
function onOneLine(given: string): string {
  return given
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(/ {5,}/g, '    ')
    .trim()
}

/** What is wrong with another one is said in the same words, whatever it is, and without its value. */
export function text(form: RegExp, error: string): z.ZodString {
  return z.string({ error }).regex(form, error)
}
