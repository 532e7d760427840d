import type { Reply } from '../../../contract/operation.ts'
import type { Sent } from '../../../domain/sending/verification.ts'
import type { Handler } from '../handler.ts'

export const sendVerification: Handler<'sendVerification', Sent> = {
  act: ({ body, caller, once }, { verifications }) => {
    const { phone, code, length, brand_name: brandName, locale, autofill } = body
    const wanted = autofill && { domain: autofill.domain, appHash: autofill.app_hash }
    return verifications.send({ caller, once, phone, code, length, brandName, locale, autofill: wanted })
  },

  reply: ({ id, expiresInSeconds }): Reply<'sendVerification'> => ({
    status: 200,
    data: { request_id: id, status: 'sent', expires_in: expiresInSeconds },
  }),
}
