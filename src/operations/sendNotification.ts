import type { Operation } from '../contract/operation.ts'

export const sendNotification: Operation<'sendNotification'> = async ({ body, caller, session }, { notifications }) => {
  const { phone, template, variables } = body
  const { id } = await notifications.send(session, caller, { phone, template, variables })
  return { status: 200, data: { request_id: id, status: 'queued' } }
}
