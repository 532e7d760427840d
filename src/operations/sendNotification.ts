import type { Input, Reply, Services } from '../contract/operation.ts'

export async function sendNotification(
  { body, caller, session }: Input<'sendNotification'>,
  { notifications }: Services,
): Promise<Reply<'sendNotification'>> {
  const { phone, template, variables } = body
  const { id } = await notifications.send(session, caller, { phone, template, variables })
  return { status: 200, data: { request_id: id, status: 'queued' } }
}
