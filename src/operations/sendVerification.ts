import type { Operation } from '../contract/operation.ts'

export const sendVerification: Operation<'sendVerification'> = async ({ body, caller, session }, { verifications }) => {
  const { phone, length, brand_name: brandName } = body
  const sent = await verifications.send(session, caller, { phone, length, brandName })
  return { status: 200, data: { request_id: sent.id, status: 'sent', expires_in: sent.expiresInSeconds } }
}
