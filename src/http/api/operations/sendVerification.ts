import type { Reply } from '../../../contract/operation.ts'
import type { Sent } from '../../../domain/sending/verification.ts'
import type { Handler } from '../handler.ts'

export const sendVerification: Handler<'sendVerification', Sent> = {
  act: ({ body: { phone, length, brand_name: brandName }, caller, once }, { verifications }) =>
    verifications.send({ caller, once, phone, length, brandName }),

  reply: ({ id, expiresInSeconds }): Reply<'sendVerification'> => ({
    status: 200,
    data: { request_id: id, status: 'sent', expires_in: expiresInSeconds },
  }),
}
