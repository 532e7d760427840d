import type { Reply } from '../../../contract/operation.ts'
import type { Checked } from '../../../domain/sending/checks/verificationAttempt.ts'
import type { Handler } from '../handler.ts'

export const confirmVerification: Handler<'confirmVerification', Checked> = {
  act: ({ body: { request_id: id, phone }, caller, once }, { verifications }) =>
    verifications.confirm({ caller, once, id, phone }),

  reply: (checked): Reply<'confirmVerification'> => {
    const { id: request_id, verified: confirmed } = checked
    const data = { request_id, confirmed, timestamp: checked.at.toISOString() }
    return { status: 200, data: 'wasOver' in checked ? { ...data, reason: checked.reason } : data }
  },
}
