import type { Reply } from '../../../contract/operation.ts'
import type { Checked } from '../../../domain/sending/checks/verificationAttempt.ts'
import type { Handler } from '../handler.ts'
import { receiptFields } from '../receipt.ts'

export const checkVerification: Handler<'checkVerification', Checked> = {
  act: ({ body: { request_id: id, code, receipt }, caller, once }, { verifications }) =>
    verifications.check({ caller, once, id, code, receipt }),

  reply: (checked): Reply<'checkVerification'> => {
    const timestamp = checked.at.toISOString()
    if (checked.verified) {
      const data = { result: 'verified', verified: true, timestamp, ...receiptFields(checked) } as const
      return { status: 200, data }
    }
    const { reason, attemptsRemaining: attempts_remaining } = checked
    return { status: 200, data: { result: 'not_verified', verified: false, timestamp, reason, attempts_remaining } }
  },
}
