import type { Input, Reply, Services } from '../contract/operation.ts'

export async function checkVerification(
  { body, caller, session }: Input<'checkVerification'>,
  { verifications }: Services,
): Promise<Reply<'checkVerification'>> {
  const outcome = await verifications.check(session, caller, body.request_id, body.code)
  const timestamp = outcome.at.toISOString()
  if (outcome.verified) return { status: 200, data: { verified: true, timestamp } }
  const { reason, attemptsRemaining: attempts_remaining } = outcome
  return { status: 200, data: { verified: false, timestamp, reason, attempts_remaining } }
}
