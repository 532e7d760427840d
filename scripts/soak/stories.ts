/**
 * What callers do, each with a phone of its own: a code is sent and checked, rightly or wrongly; an auth system posts a code of its
 * own. What is done with notifications is in `notifications.ts`.
 */
import { type NotificationFate, notificationStories } from './notifications.ts'
import { findInList, type Story, type StoryParts, sendCode, waitMs } from './story.ts'

const attemptsMax = 5

/** Resolves when there is nothing more to do; what is wrong is in the findings. */
export async function live(drawn: Story, phone: string, parts: StoryParts): Promise<void> {
  const { client, mailbox } = parts
  if (drawn.fate in notificationStories) return notificationStories[drawn.fate as NotificationFate](drawn, phone, parts)
  if (drawn.fate === 'posted') return post(drawn, phone, parts)
  const askedAt = Date.now()
  const sent = await sendCode(drawn, phone, parts)
  if (!sent) return
  const id = sent.request_id
  if (drawn.fate === 'left') return
  if (drawn.fate === 'cancelled') return cancel(id, parts)
  const code = await mailbox.codeFor(phone, waitMs)
  if (drawn.gets) await client.ask('getMessage', { path: `/v1/messages/${id}` })
  if (drawn.lists) await findInList(phone, id, parts)
  if (code === undefined) return
  const wrong = drawn.fate === 'exhausted' ? attemptsMax : drawn.wrong
  const byPhone = drawn.byPhone && drawn.fate === 'verified'
  for (let count = 0; count < wrong; count++) await check({ id, phone, byPhone, code: otherThan(code) }, parts)
  const endsAt = askedAt + sent.expires_in * 1000
  await checkRight(drawn, { id, phone, code, byPhone, endsAt }, parts)
}

async function cancel(id: string, { client, ledger, findings }: StoryParts): Promise<void> {
  const answer = await client.ask('cancelVerification', { path: '/v1/verify/cancel', body: { request_id: id } })
  if (!answer) return
  ledger.conclude(id, 'cancelled')
  const after = await client.ask('cancelVerification', { path: '/v1/verify/cancel', body: { request_id: id } })
  if (after?.cancelled) findings.add('a code was cancelled twice', id)
}

/** The auth system checks the code itself: here, it only has to come as it was posted. */
async function post({ code, gets }: Story, phone: string, { client, ledger, mailbox, findings }: StoryParts) {
  ledger.sending(phone)
  if (!(await client.post({ phone, code, key: phone }))) return
  ledger.posted(phone)
  if (!gets) return
  const come = await mailbox.codeFor(phone, waitMs)
  if (come !== undefined && come !== code) findings.add('a phone got other digits than were posted', phone)
}

interface Typed {
  id: string
  phone: string
  code: string
  byPhone: boolean
}

function check({ id, phone, code, byPhone }: Typed, { client }: StoryParts) {
  if (byPhone)
    return client.ask('checkVerificationByPhone', {
      ...{ path: '/v1/verify/check-by-phone', body: { phone, code }, mayBe: '404 verification_not_found' },
    })
  return client.ask('checkVerification', { path: '/v1/verify/check', body: { request_id: id, code } })
}

/** The right code is accepted while it is in time and attempts are left, and that once. */
async function checkRight(
  { fate, again }: Story,
  { endsAt, ...typed }: Typed & { endsAt: number },
  parts: StoryParts,
): Promise<void> {
  const { ledger, findings } = parts
  const { id } = typed
  const answer = await check(typed, parts)
  const isInTime = Date.now() < endsAt
  if (answer === null && isInTime) findings.add('a code that was in time was not found by its phone', id)
  if (!answer) return ledger.conclude(id, answer === null ? 'open' : 'unclear')
  if (fate === 'exhausted') {
    if (answer.verified) findings.add('a right code was accepted after five wrong ones', id)
    return ledger.conclude(id, 'exhausted')
  }
  if (!answer.verified) {
    if (isInTime) findings.add('a right code that was in time was refused', `${id} ${JSON.stringify(answer)}`)
    return
  }
  ledger.conclude(id, 'verified')
  if (!again) return
  // By its phone, a code that was right is no longer there.
  const second = await check({ ...typed, byPhone: false }, parts)
  if (second?.verified) findings.add('a right code was accepted twice', id)
}

function otherThan(code: string): string {
  return code.replace(/.$/, (last) => String((Number(last) + 1) % 10))
}
