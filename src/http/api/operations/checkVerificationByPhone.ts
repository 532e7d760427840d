import type { Reply } from '../../../contract/operation.ts'
import type { CheckedByPhone } from '../../../domain/sending/checks/checkSteps.ts'
import type { Handler } from '../handler.ts'
import { receiptFields } from '../receipt.ts'

export const checkVerificationByPhone: Handler<'checkVerificationByPhone', CheckedByPhone> = {
  act: ({ body: { phone, code, receipt }, caller, once }, { verifications }) =>
    verifications.checkByPhone({ caller, once, phone, code, receipt }),

  reply: (checked): Reply<'checkVerificationByPhone'> => {
    const { id: request_id } = checked
    const timestamp = checked.at.toISOString()
    if (checked.verified) {
      const data = { request_id, result: 'verified', verified: true, timestamp, ...receiptFields(checked) } as const
      return { status: 200, data }
    }
    const { reason, attemptsRemaining: attempts_remaining } = checked
    return {
      status: 200,
      data: { request_id, result: 'not_verified', verified: false, timestamp, reason, attempts_remaining },
    }
  },
}
