/** A template, as the contract writes it. */
import type { components } from '../../../../../generated/types.ts'
import type { ToldTemplate } from '../../../../domain/templates/toldTemplate.ts'

type Schemas = components['schemas']

export function wholeTemplate(template: ToldTemplate): Schemas['Template'] {
  const { slug, category, version, defaultLocale, locales, variables, updatedAt } = template
  return {
    ...{ slug, category, version, default_locale: defaultLocale },
    locales: Object.fromEntries(Object.entries(locales).map(([locale, said]) => [locale, toLocale(said)])),
    variables: variables.map(({ name, kinds }) => ({ name, kinds: kinds as Schemas['ChannelKind'][] })),
    updated_at: updatedAt.toISOString(),
  }
}

function toLocale({ text, channels }: ToldTemplate['locales'][string]): Schemas['TemplateLocale'] {
  const { whatsapp } = channels
  return { text, ...(whatsapp !== undefined && { whatsapp: toWhatsapp(whatsapp as WrittenForWhatsapp) }) }
}

type WrittenForWhatsapp = Omit<Schemas['WhatsappTemplate'], 'parameters' | 'body'> & {
  parameters?: string[]
  body?: string[] | Record<string, string>
}

/** A list in `body` is what `parameters` says too. */
function toWhatsapp({ name, language, header, buttons, ...written }: WrittenForWhatsapp): Schemas['WhatsappTemplate'] {
  const { parameters = [], body = parameters } = written
  return {
    ...{ name, language },
    ...(Array.isArray(body) ? body.length > 0 && { parameters: body } : { body }),
    ...(header && { header }),
    ...(buttons && { buttons }),
  }
}
