/** The templates that Meta has approved, paused or refused. */
import { z } from 'zod'
import type { Reply } from '../reply.ts'

export const templateForm = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and _'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'must be a language as Meta writes it: en, en_US')
    .default('en_US'),
  category: z.enum(['AUTHENTICATION', 'UTILITY', 'MARKETING']).default('UTILITY'),
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED']).default('APPROVED'),
  /** With {{1}}, {{2}} for the parameters, or {{name}} if they are named. Of AUTHENTICATION it is WhatsApp's own. */
  body: z.string().min(1).max(1024).optional(),
  header: z
    .strictObject({
      format: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']),
      /** Of TEXT; with at most one parameter. */
      text: z.string().min(1).max(60).optional(),
    })
    .optional(),
  buttons: z
    .array(
      z.strictObject({
        type: z.enum(['URL', 'QUICK_REPLY', 'COPY_CODE', 'PHONE_NUMBER']),
        text: z.string().min(1).max(25).default('Open'),
        /** Of URL; with {{1}} at its end where it takes a parameter. */
        url: z.string().max(2000).optional(),
      }),
    )
    .max(10)
    .optional(),
})

/** What Meta does to a template that it has. */
export const templateChangeForm = z.strictObject({
  name: templateForm.shape.name,
  language: templateForm.shape.language,
  status: templateForm.shape.status.unwrap().optional(),
  category: templateForm.shape.category.unwrap().optional(),
})
export type TemplateChange = z.infer<typeof templateChangeForm>

export type Template = z.infer<typeof templateForm>
export type TemplateInput = z.input<typeof templateForm>

export const standardTemplates: readonly TemplateInput[] = [
  { name: 'auth_copy_code', category: 'AUTHENTICATION' },
  { name: 'welcome', body: 'Welcome, {{1}}!' },
  {
    name: 'parcel_shipped',
    header: { format: 'IMAGE' },
    body: 'Hello {{customer}}, order {{number}} is on its way.',
    buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/orders/{{1}}' }],
  },
]

const codeBody = '*{{1}}* is your verification code. For your security, do not share this code.'
/** What Meta gives a template for codes that was made without one. */
const codeSeconds = 600
const pageSizeMax = 100

export interface Templates {
  /** Adds one, or puts it in the place of the one of its name and language. @throws ZodError */
  put: (template: TemplateInput) => void
  list: () => Template[]
  find: (name: string, language: string) => Template | undefined
  /** A page of them, as the Graph API gives it. @param query `name`, `limit`, `after` */
  page: (query: URLSearchParams) => Reply
}

export function createTemplates(first: readonly TemplateInput[]): Templates {
  const known = new Map<string, Template>()
  const put: Templates['put'] = (input) => {
    const template = templateForm.parse(input)
    known.set(`${template.name} ${template.language}`, template)
  }
  for (const template of first) put(template)

  return {
    put,
    list: () => [...known.values()],
    find: (name, language) => known.get(`${name} ${language}`),
    page: (query) => {
      const name = query.get('name')
      const fitting = [...known.values()].filter((template) => name === null || template.name === name)
      const begin = placeOf(query.get('after'))
      const size = Math.min(pageSizeMax, Math.max(1, Number(query.get('limit') ?? 25) || 25))
      const shown = fitting.slice(begin, begin + size)
      const end = begin + shown.length
      const cursors = { before: cursorOf(begin), after: cursorOf(end) }
      const paging = end < fitting.length ? { cursors, next: `?after=${cursors.after}` } : { cursors }
      // The Graph API names no page after the last one, but gives a cursor all the same.
      return { status: 200, value: { data: shown.map(told), ...(shown.length > 0 && { paging }) } }
    },
  }
}

/** The different places of a text, in their order: numbers, or names. */
export function placeNames(text = ''): string[] {
  return [...new Set(Array.from(text.matchAll(place), ([, name]) => name!))]
}

/** @param values by the names of the places */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll('*', '').replaceAll(place, (whole, name: string) => values[name] ?? whole)
}

const place = /\{\{([a-z0-9_]+)\}\}/g

export function bodyOf({ category, body }: Template): string {
  return category === 'AUTHENTICATION' ? codeBody : (body ?? '')
}

function told(template: Template) {
  const { name, language, status, category, header, buttons } = template
  const copy = {
    type: 'URL',
    text: 'Copy code',
    url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
  }
  const about = { id: toId(`${name} ${language}`), name, language, status, category, quality_score: { score: 'GREEN' } }
  const body = { type: 'BODY', text: bodyOf(template) }
  if (category !== 'AUTHENTICATION') {
    const isNamed = [body.text, header?.text].some((text) => placeNames(text).some((name) => !/^\d+$/.test(name)))
    const components = [
      ...(header ? [{ type: 'HEADER', ...header }] : []),
      body,
      ...(buttons ? [{ type: 'BUTTONS', buttons }] : []),
    ]
    return { ...about, parameter_format: isNamed ? 'NAMED' : 'POSITIONAL', components }
  }
  const components = [body, { type: 'BUTTONS', buttons: [copy] }]
  return { ...about, components, message_send_ttl_seconds: codeSeconds }
}

/** The same digits for the same template. */
export function toId(text: string): string {
  let number = 7
  for (const character of text) number = (number * 31 + character.codePointAt(0)!) % 1e15
  return String(1e15 + number)
}

function cursorOf(place: number): string {
  return Buffer.from(`place ${place}`).toString('base64url')
}

function placeOf(cursor: string | null): number {
  return Number(/^place (\d{1,6})$/.exec(Buffer.from(cursor ?? '', 'base64url').toString())?.[1] ?? 0)
}
