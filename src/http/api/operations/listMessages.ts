import type { Reply } from '../../../contract/operation.ts'
import type { ToldPage } from '../../../domain/sending/message.ts'
import type { Handler } from '../handler.ts'
import { listedMessage } from './forms/told.ts'

export const listMessages: Handler<'listMessages', ToldPage> = {
  act: ({ query, caller }, { messages }) => messages.list(caller, query),

  reply: ({ messages, after }): Reply<'listMessages'> => ({
    status: 200,
    data: { messages: messages.map(listedMessage), next: after ?? null },
  }),
}
