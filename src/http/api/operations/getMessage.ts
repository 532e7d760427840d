import type { Reply } from '../../../contract/operation.ts'
import type { ToldMessage } from '../../../domain/sending/message.ts'
import type { Handler } from '../handler.ts'
import { wholeMessage } from './forms/told.ts'

export const getMessage: Handler<'getMessage', ToldMessage> = {
  act: ({ path: { id }, caller }, { messages }) => messages.get(caller, id),

  reply: (message): Reply<'getMessage'> => ({ status: 200, data: wholeMessage(message) }),
}
