/** What a template of the account says for WhatsApp: which template of Meta's, and what fills its header, body and buttons. */
import { z } from 'zod'
import { variablesOf } from '../../../domain/sending/wordings/templateText.ts'

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

/** @returns undefined for what is not of the form */
export function nameIn(said: unknown): TemplateReference | undefined {
  const { data } = templateSettings.safeParse(said)
  return data && { name: data.name, language: data.language }
}

/** What can be read of settings that are not of the form: each member by itself. */
const readable = z.object({
  parameters: templateSettings.shape.parameters.catch([]),
  body: templateSettings.shape.body.catch(undefined),
  header: z.record(z.string(), z.string()).optional().catch(undefined),
  buttons: z.array(z.record(z.string(), z.string())).optional().catch(undefined),
})

/** With their places in the settings, which may be anything. */
export function variablesIn(settings: unknown): PlacedVariable[] {
  return variablesOfSettings(readable.safeParse(settings).data ?? {})
}

interface PlacedVariable {
  path: PropertyKey[]
  variable: string
}

export function variablesOfSettings({
  parameters = [],
  body = [],
  header: top = {},
  buttons = [],
}: Readable): PlacedVariable[] {
  const placesIn = (path: PropertyKey[], given: Filled) =>
    Object.entries(given).flatMap(([kind, said = '']) =>
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

type Filled = Readonly<Record<string, string | undefined>>
type Readable = Partial<Pick<TemplateSettings, 'parameters' | 'body'>> & {
  header?: Filled | undefined
  buttons?: readonly Filled[] | undefined
}

export function headerOf({ header: top = {} }: TemplateSettings): { kind: HeaderKind; text: string } | undefined {
  return fillPart(headerKinds, top)
}

export function buttonsOf({ buttons = [] }: TemplateSettings): ({ kind: ButtonKind; text: string } | undefined)[] {
  return buttons.map((one) => fillPart(buttonKinds, one))
}

/** The one member that is there of these kinds, if any is. */
function fillPart<Kind extends string>(
  kinds: readonly Kind[],
  members: { readonly [Name in Kind]?: string | undefined },
) {
  const kind = kinds.find((name) => members[name] !== undefined)
  return kind && { kind, text: members[kind]! }
}

/** What is wrong with another one is said in the same words, whatever it is, and without its value. */
export function text(form: RegExp, error: string): z.ZodString {
  return z.string({ error }).regex(form, error)
}
