import type { Reply } from '../../../contract/operation.ts'
import type { SentNotification } from '../../../domain/sending/notifications/sentNotification.ts'
import type { Handler } from '../handler.ts'
import { askedNotification } from './forms/askedNotification.ts'

export const sendNotification: Handler<'sendNotification', SentNotification> = {
  act: ({ body, caller, once }, { notifications }) => notifications.send({ caller, once, ...askedNotification(body) }),

  reply: ({ id, template }): Reply<'sendNotification'> => ({
    status: 200,
    data: { request_id: id, status: 'queued', template },
  }),
}
