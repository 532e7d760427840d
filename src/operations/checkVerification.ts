import type { Operation } from '../contract/operation.ts'

export const checkVerification: Operation<'checkVerification'> = async (
  { body, caller, session },
  { verifications },
) => {
  const outcome = await verifications.check(session, caller, body.request_id, body.code)
  const timestamp = outcome.at.toISOString()
  if (outcome.verified) return { status: 200, data: { verified: true, timestamp } }
  const { reason, attemptsRemaining: attempts_remaining } = outcome
  return { status: 200, data: { verified: false, timestamp, reason, attempts_remaining } }
}
