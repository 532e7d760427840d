/** What WhatsApp is asked to send: a template of its own, and what fills its places. */
import { z } from 'zod'
import { canonicalize, chooseLanguage } from '../../../domain/sending/wordings/language.ts'
import type { Outgoing } from '../../channel.ts'
import { buildComponents, buttonComponent, textParameter, type Unfit } from './components.ts'
import { language, type TemplateReference, templateName, templateSettings } from './template.ts'

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

export type CodeTemplate = z.infer<typeof codeTemplate>

/** A body, and the name of the template that it asks for; or why WhatsApp need not be asked. */
export type Asking = { template: string; body: string } | Unfit

export function buildAsking(message: Outgoing, { name, language }: CodeTemplate): Asking {
  const { content } = message
  if (content.kind === 'verification') {
    const template = { name, language: languageFor(content.locale, [language].flat()) }
    return asking(message, template, codeComponents(content.code))
  }
  const settings = templateSettings.safeParse(content.channels.whatsapp).data
  if (!settings) return { refused: 'the template says nothing for WhatsApp' }
  const components = buildComponents(settings, content.variables)
  return Array.isArray(components) ? asking(message, settings, components) : components
}

/** The language that serves the locale best, or else the first. */
function languageFor(locale: string | undefined, languages: readonly string[]): string {
  const tags = languages.map((language) => canonicalize(language.replaceAll('_', '-')) ?? language)
  const chosen = locale === undefined ? undefined : chooseLanguage(locale, tags)
  return languages[chosen ? tags.indexOf(chosen.language) : 0]!
}

/** The order of the members is that of WhatsApp's documentation. */
function asking(message: Outgoing, template: TemplateReference, components: readonly object[]): Asking {
  const body = JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.phone,
    type: 'template',
    biz_opaque_callback_data: `${message.accountId}/${message.id}/${message.leg}`,
    template: {
      name: template.name,
      language: { policy: 'deterministic', code: template.language },
      ...(components.length > 0 && { components }),
    },
  })
  return { template: template.name, body }
}

/** Copy-code buttons go under the type of those that open an address. */
function codeComponents(code: string): object[] {
  return [{ type: 'body', parameters: [textParameter(code)] }, buttonComponent('url', 0, code)]
}
