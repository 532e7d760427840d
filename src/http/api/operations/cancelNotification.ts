import type { Reply } from '../../../contract/operation.ts'
import type { CancelledNotification } from '../../../domain/sending/notifications/schedule.ts'
import type { Handler } from '../handler.ts'

export const cancelNotification: Handler<'cancelNotification', CancelledNotification> = {
  act: ({ body: { request_id: id }, caller, once }, { notifications }) => notifications.cancel({ caller, once, id }),

  reply: ({ id, cancelled, status }): Reply<'cancelNotification'> => ({
    status: 200,
    data: { request_id: id, cancelled, status },
  }),
}
