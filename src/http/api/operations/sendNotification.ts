import type { Reply } from '../../../contract/operation.ts'
import type { Handler } from '../handler.ts'

export const sendNotification: Handler<'sendNotification', { id: string }> = {
  act: (
    { body: { phone, template, variables, reference, expires_in: expiresInSeconds }, caller, once },
    { notifications },
  ) => notifications.send({ caller, once, phone, template, variables, reference, expiresInSeconds }),

  reply: ({ id }): Reply<'sendNotification'> => ({ status: 200, data: { request_id: id, status: 'queued' } }),
}
