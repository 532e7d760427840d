import type { Reply } from '../../../contract/operation.ts'
import type { SentNotification } from '../../../domain/sending/notifications/sentNotification.ts'
import type { Handler } from '../handler.ts'

export const sendNotification: Handler<'sendNotification', SentNotification> = {
  act: ({ body, caller, once }, { notifications }) => {
    const {
      phone,
      template,
      variables,
      locale,
      reference,
      send_at: sendAt,
      expires_in: expiresInSeconds,
      channels,
    } = body
    const named = { locale, reference, sendAt, expiresInSeconds, channels }
    return notifications.send({ caller, once, phone, template, variables, ...named })
  },

  reply: ({ id, template }): Reply<'sendNotification'> => ({
    status: 200,
    data: { request_id: id, status: 'queued', template },
  }),
}
