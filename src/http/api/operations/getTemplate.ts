import type { Reply } from '../../../contract/operation.ts'
import type { ToldTemplate } from '../../../domain/templates/toldTemplate.ts'
import type { Handler } from '../handler.ts'
import { wholeTemplate } from './forms/toldTemplate.ts'

export const getTemplate: Handler<'getTemplate', ToldTemplate> = {
  act: ({ path: { slug }, caller }, { templates }) => templates.get(caller, slug),

  reply: (template): Reply<'getTemplate'> => ({ status: 200, data: wholeTemplate(template) }),
}
