import type { Reply } from '../../../contract/operation.ts'
import type { CheckedByPhone } from '../../../domain/sending/verificationCheckByPhone.ts'
import type { Handler } from '../handler.ts'

export const checkVerificationByPhone: Handler<'checkVerificationByPhone', CheckedByPhone> = {
  act: ({ body: { phone, code }, caller, once }, { verifications }) =>
    verifications.checkByPhone({ caller, once, phone, code }),

  reply: (checked): Reply<'checkVerificationByPhone'> => {
    const { id: request_id } = checked
    const timestamp = checked.at.toISOString()
    if (checked.verified) return { status: 200, data: { request_id, result: 'verified', verified: true, timestamp } }
    const { reason, attemptsRemaining: attempts_remaining } = checked
    return {
      status: 200,
      data: { request_id, result: 'not_verified', verified: false, timestamp, reason, attempts_remaining },
    }
  },
}
