import type { Reply } from '../../../contract/operation.ts'
import type { DeletedTemplate } from '../../../domain/templates/templateChange.ts'
import type { Handler } from '../handler.ts'

export const deleteTemplate: Handler<'deleteTemplate', DeletedTemplate> = {
  act: ({ path: { slug }, caller }, { templateChanges }) => templateChanges.remove(caller, slug),

  reply: ({ slug, version }): Reply<'deleteTemplate'> => ({ status: 200, data: { slug, version } }),
}
