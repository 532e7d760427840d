/** What WhatsApp is asked to send: a template of its own, and what fills its places. */
import { z } from 'zod'
import { canonicalOf, tagsFor } from '../../../domain/sending/wordings/language.ts'
import type { Outgoing } from '../../channel.ts'

const templateName = text(
  /^[a-z0-9_]{1,512}$/,
  'must be the name of a WhatsApp template: lower-case letters, digits and _',
)
const language = text(
  /^[A-Za-z]{2,3}(_[A-Za-z0-9]{2,8}){0,2}$/,
  'must be a language as WhatsApp writes it, like en or en_US',
)

/** WhatsApp has so many. */
const languagesMax = 100

/** The template for codes. One name has a text for each of its languages: those that are listed may be asked for. */
export const codeTemplate = z.strictObject({
  name: templateName,
  language: z.union(
    [language, z.array(language).min(1).max(languagesMax)],
    'must be a language as WhatsApp writes it, like en or en_US, or a list of some',
  ),
})

/** What a template of the account says for this kind. `parameters`: its variables, in the order of {{1}}, {{2}}. */
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
    parameters: z
      .array(text(/^[a-z][a-z0-9_]{0,63}$/, 'must be the name of a variable of the template'))
      .max(50)
      .default([])
      .meta({
        title: 'Variables in order',
        description: 'Which of this template’s variables fill {{1}}, {{2}} and so on, separated by commas.',
        examples: [['name', 'order']],
      }),
  })
  .meta({
    description:
      'WhatsApp sends its own text, which Meta has approved. Without a name here, this template is not sent through WhatsApp.',
  })

export type CodeTemplate = z.infer<typeof codeTemplate>
/** A template of WhatsApp's in one language. */
export type TemplateReference = Pick<TemplateSettings, 'name' | 'language'>
type TemplateSettings = z.infer<typeof templateSettings>

/** A body, and the name of the template that it asks for; or why WhatsApp need not be asked. */
export type Asking = { template: string; body: string } | { refused: string; template?: string }

export function askingOf(message: Outgoing, { name, language }: CodeTemplate): Asking {
  const { content } = message
  if (content.kind === 'verification') {
    const template = { name, language: languageFor(content.locale, [language].flat()) }
    return asking(message, template, [bodyWith([content.code]), copyButton(content.code)])
  }
  const settings = templateSettings.safeParse(content.channels.whatsapp).data
  if (!settings) return { refused: 'the template says nothing for WhatsApp' }
  const texts = textsOf(settings, content.variables)
  if (!Array.isArray(texts)) return texts
  return asking(message, settings, texts.length > 0 ? [bodyWith(texts)] : undefined)
}

/** The language that serves the locale best, or another variant of it, or else the first. */
function languageFor(locale: string | undefined, languages: readonly string[]): string {
  const tags = locale === undefined ? [] : tagsFor(locale)
  const known = languages.map((language) => ({ language, tag: canonicalOf(language.replaceAll('_', '-')) ?? language }))
  const best = tags.map((tag) => known.find((one) => one.tag === tag)).find((one) => one !== undefined)
  const variant = known.find(({ tag }) => tag.split('-')[0] === tags.at(-1))
  return (best ?? variant ?? known[0]!).language
}

/** The texts of the parameters, or why there are none. */
function textsOf({ name, parameters }: TemplateSettings, variables: Record<string, string>) {
  const missing = parameters.find((parameter) => !Object.hasOwn(variables, parameter))
  if (missing !== undefined) return { refused: `the template has no variable ${missing}`, template: name }
  const texts = parameters.map((parameter) => onOneLine(variables[parameter]!))
  const empty = texts.indexOf('')
  return empty === -1 ? texts : { refused: `variable ${parameters[empty]} is empty, which WhatsApp does not take` }
}

/** WhatsApp refuses a text with a line break, a tab or more than four spaces in a row, as a fault of the template. */
function onOneLine(value: string): string {
  return value
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(/ {5,}/g, '    ')
    .trim()
}

/** The order of the members is that of WhatsApp's documentation. */
function asking(message: Outgoing, template: TemplateReference, components: object[] | undefined): Asking {
  const body = JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.phone,
    type: 'template',
    biz_opaque_callback_data: `${message.accountId}/${message.id}/${message.leg}`,
    template: {
      name: template.name,
      language: { policy: 'deterministic', code: template.language },
      ...(components && { components }),
    },
  })
  return { template: template.name, body }
}

function bodyWith(texts: string[]): object {
  return { type: 'body', parameters: texts.map(textParameter) }
}

/** Copy-code buttons go under the type of those that open an address, and their place is a string. */
function copyButton(code: string): object {
  return { type: 'button', sub_type: 'url', index: '0', parameters: [textParameter(code)] }
}

function textParameter(value: string): object {
  return { type: 'text', text: value }
}

/** What is wrong with another one is said in the same words, whatever it is, and without its value. */
export function text(form: RegExp, error: string): z.ZodString {
  return z.string({ error }).regex(form, error)
}
