import type { Reply } from '../../../contract/operation.ts'
import type { TemplatePage } from '../../../domain/templates/toldTemplate.ts'
import type { Handler } from '../handler.ts'
import { wholeTemplate } from './forms/toldTemplate.ts'

export const listTemplates: Handler<'listTemplates', TemplatePage> = {
  act: ({ query: { limit, after }, caller }, { templates }) => templates.list(caller, { limit, after }),

  reply: ({ templates, next }): Reply<'listTemplates'> => ({
    status: 200,
    data: { templates: templates.map(wholeTemplate), next: next ?? null },
  }),
}
