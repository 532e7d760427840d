import type { Reply } from '../../../contract/operation.ts'
import type { MessagePage } from '../../../domain/sending/messageSearch.ts'
import type { Handler } from '../handler.ts'

export const listMessages: Handler<'listMessages', MessagePage> = {
  act: ({ query, caller }, { messages }) => messages.list(caller, query),

  reply: ({ messages, after }): Reply<'listMessages'> => ({
    status: 200,
    data: {
      messages: messages.map(({ id, kind, status, at, reference, sendAt, findings }) => ({
        ...{ id, kind, status, timestamp: at.toISOString() },
        ...(findings && { findings: [...findings] }),
        ...(reference !== null && { reference }),
        ...(sendAt && { send_at: sendAt.toISOString() }),
      })),
      next: after ?? null,
    },
  }),
}
