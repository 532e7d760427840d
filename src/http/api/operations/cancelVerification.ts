import type { Reply } from '../../../contract/operation.ts'
import type { Cancelled } from '../../../domain/sending/checks/verificationCheck.ts'
import type { Handler } from '../handler.ts'

export const cancelVerification: Handler<'cancelVerification', Cancelled> = {
  act: ({ body: { request_id: id }, caller, once }, { verifications }) => verifications.cancel({ caller, once, id }),

  reply: ({ id, cancelled }): Reply<'cancelVerification'> => ({ status: 200, data: { request_id: id, cancelled } }),
}
