import type { Reply } from '../../../contract/operation.ts'
import type { Handler } from '../handler.ts'

export const sendNotification: Handler<'sendNotification', { id: string }> = {
  act: ({ body, caller, once }, { notifications }) => {
    const { phone, template, variables, reference, send_at: sendAt, expires_in: expiresInSeconds, channels } = body
    const named = { reference, sendAt, expiresInSeconds, channels }
    return notifications.send({ caller, once, phone, template, variables, ...named })
  },

  reply: ({ id }): Reply<'sendNotification'> => ({ status: 200, data: { request_id: id, status: 'queued' } }),
}
