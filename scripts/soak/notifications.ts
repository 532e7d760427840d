/** What callers do with notifications: they go at once, later or never, and to a person who answers STOP, no more. */
import { findInList, type Story, type StoryParts, sendCode, waitMs } from './story.ts'

const path = '/v1/notifications/send'
/** Seconds that nothing waits for: who withdraws a notification does it long before its time. */
const farSeconds = 3600

type Live = (story: Story, phone: string, parts: StoryParts) => Promise<void>

export const notificationStories = {
  notified: async ({ gets, lists }, phone, parts) => {
    const id = await notify(phone, parts)
    if (id === undefined) return
    if (gets) await parts.client.ask('getMessage', { path: `/v1/messages/${id}` })
    if (lists) await findInList(phone, id, parts)
  },
  scheduled: async ({ seconds }, phone, parts) => {
    await notify(phone, parts, seconds)
  },
  withdrawn: async (_story, phone, parts) => {
    const id = await notify(phone, parts, farSeconds)
    if (id !== undefined) await withdraw(id, parts)
  },
  stopped: async (story, phone, parts) => {
    const { client, mailbox, reply, findings, ledger } = parts
    if ((await notify(phone, parts)) === undefined) return
    const messageId = await mailbox.notificationFor(phone, waitMs)
    // Only what the service has taken is to be held to: some providers hand on no replies.
    if (messageId === undefined || !(await reply(messageId, 'STOP'))) return
    const found = await client.ask('findOptOut', { path: '/v1/opt-outs/find', body: { phone } })
    if (found && !found.opted_out) findings.add('a STOP that was taken is lost', phone)
    ledger.sending(phone)
    const again = await client.ask('sendNotification', { path, body: bodyFor(phone), mayBe: '403 opted_out' })
    if (again) findings.add('a notification was taken for a phone that had opted out', phone)
    // Codes are another matter.
    if (again === null && (await sendCode(story, phone, parts))) await mailbox.codeFor(phone, waitMs)
  },
} satisfies Record<string, Live>
export type NotificationFate = keyof typeof notificationStories

/** @returns its id; undefined where it came to nothing */
async function notify(
  phone: string,
  { client, ledger }: Pick<StoryParts, 'client' | 'ledger'>,
  seconds?: number,
): Promise<string | undefined> {
  ledger.sending(phone)
  const at = seconds && { send_at: new Date(Date.now() + seconds * 1000).toISOString(), reference: `later-${seconds}` }
  const queued = await client.ask('sendNotification', { path, body: { ...bodyFor(phone), ...at } })
  if (queued) ledger.acknowledge(queued.request_id, { phone, kind: 'notification' })
  return queued?.request_id
}

function bodyFor(phone: string): object {
  return { phone, template: 'welcome', variables: { name: 'Ada' } }
}

async function withdraw(id: string, { client, ledger, findings }: StoryParts): Promise<void> {
  const asked = { path: '/v1/notifications/cancel', body: { request_id: id } }
  const answer = await client.ask('cancelNotification', asked)
  if (!answer) return ledger.conclude(id, 'unclear')
  if (!answer.cancelled) findings.add('a notification could not be cancelled long before its time', id)
  ledger.conclude(id, 'cancelled')
  const after = await client.ask('cancelNotification', asked)
  if (after?.cancelled) findings.add('a notification was cancelled twice', id)
}
