import type { Reply } from '../../../contract/operation.ts'
import type { CheckedByPhone } from '../../../domain/sending/verificationCheckByPhone.ts'
import type { Handler } from '../handler.ts'

export const checkVerificationByPhone: Handler<'checkVerificationByPhone', CheckedByPhone> = {
  act: ({ body: { phone, code, receipt }, caller, once }, { verifications }) =>
    verifications.checkByPhone({ caller, once, phone, code, receipt }),

  reply: (checked): Reply<'checkVerificationByPhone'> => {
    const { id: request_id } = checked
    const timestamp = checked.at.toISOString()
    if (checked.verified) {
      const { receipt } = checked
      const data = { request_id, result: 'verified', verified: true, timestamp } as const
      return { status: 200, data: receipt === undefined ? data : { ...data, receipt } }
    }
    const { reason, attemptsRemaining: attempts_remaining } = checked
    return {
      status: 200,
      data: { request_id, result: 'not_verified', verified: false, timestamp, reason, attempts_remaining },
    }
  },
}
