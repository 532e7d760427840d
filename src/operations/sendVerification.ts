import type { Input, Reply, Services } from '../contract/operation.ts'

export async function sendVerification(
  { body, caller, session }: Input<'sendVerification'>,
  { verifications }: Services,
): Promise<Reply<'sendVerification'>> {
  const { phone, length, brand_name: brandName } = body
  const sent = await verifications.send(session, caller, { phone, length, brandName })
  return { status: 200, data: { request_id: sent.id, status: 'sent', expires_in: sent.expiresInSeconds } }
}
