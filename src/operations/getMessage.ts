import type { Input, Reply, Services } from '../contract/operation.ts'
import { deliveryErrors } from '../domain/status.ts'

export async function getMessage(
  { path, caller, session }: Input<'getMessage'>,
  { messages }: Services,
): Promise<Reply<'getMessage'>> {
  const { id, status, at, errorCode } = await messages.get(session, caller, path.id)
  const data = { id, status, timestamp: at.toISOString() }
  if (errorCode === null) return { status: 200, data }
  return { status: 200, data: { ...data, error: { code: errorCode, message: deliveryErrors[errorCode] } } }
}
