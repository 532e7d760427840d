import type { components } from '../../../../generated/types.ts'
import type { Reply } from '../../../contract/operation.ts'
import type { PutTemplate, TemplateDraft } from '../../../domain/templates/templateChange.ts'
import type { Handler } from '../handler.ts'

type Schemas = components['schemas']

export const putTemplate: Handler<'putTemplate', PutTemplate> = {
  act: (
    { path: { slug }, body: { category = 'utility', default_locale: defaultLocale, locales }, caller },
    { templateChanges },
  ) => templateChanges.put(caller, { slug, category, defaultLocale, locales: localesIn(locales) }),

  reply: ({ slug, version, result, warnings }): Reply<'putTemplate'> => ({
    status: 200,
    data: { slug, version, result, warnings },
  }),
}

function localesIn(locales: Schemas['PutTemplateRequest']['locales']): TemplateDraft['locales'] {
  return Object.fromEntries(
    Object.entries(locales).map(([tag, { text, ...channels }]) => [tag, { text, channels }] as const),
  )
}
