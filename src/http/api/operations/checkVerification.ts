import type { Reply } from '../../../contract/operation.ts'
import type { Checked } from '../../../domain/sending/verificationCheck.ts'
import type { Handler } from '../handler.ts'

export const checkVerification: Handler<'checkVerification', Checked> = {
  act: ({ body: { request_id: id, code }, caller, once }, { verifications }) =>
    verifications.check({ caller, once, id, code }),

  reply: (checked): Reply<'checkVerification'> => {
    const timestamp = checked.at.toISOString()
    if (checked.verified) return { status: 200, data: { result: 'verified', verified: true, timestamp } }
    const { reason, attemptsRemaining: attempts_remaining } = checked
    return { status: 200, data: { result: 'not_verified', verified: false, timestamp, reason, attempts_remaining } }
  },
}
