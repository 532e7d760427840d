import type { Reply } from '../../../contract/operation.ts'
import type { MessageState } from '../../../domain/sending/status.ts'
import { deliveryErrors } from '../../../domain/webhooks/deliveryError.ts'
import type { Handler } from '../handler.ts'

export const getMessage: Handler<'getMessage', MessageState> = {
  act: ({ path: { id }, caller }, { messages }) => messages.get(caller, id),

  reply: ({ id, status, at, errorCode, reference, sendAt, findings }): Reply<'getMessage'> => {
    const data = {
      ...{ id, status, timestamp: at.toISOString() },
      ...(findings && { findings: [...findings] }),
      ...(reference !== null && { reference }),
      ...(sendAt && { send_at: sendAt.toISOString() }),
    }
    if (errorCode === null) return { status: 200, data }
    return { status: 200, data: { ...data, error: { code: errorCode, message: deliveryErrors[errorCode] } } }
  },
}
