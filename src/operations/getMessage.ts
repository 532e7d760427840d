import type { Operation } from '../contract/operation.ts'
import { deliveryErrors } from '../domain/status.ts'

export const getMessage: Operation<'getMessage'> = async ({ path, caller, session }, { messages }) => {
  const { id, status, at, errorCode } = await messages.get(session, caller, path.id)
  const data = { id, status, timestamp: at.toISOString() }
  if (errorCode === null) return { status: 200, data }
  return { status: 200, data: { ...data, error: { code: errorCode, message: deliveryErrors[errorCode] } } }
}
