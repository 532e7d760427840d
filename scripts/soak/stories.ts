/**
 * What callers do, each with a phone of its own: a code is sent and checked, rightly or wrongly; a notification is sent; a
 * auth system posts a code of its own.
 */
import fc from 'fast-check'
import type { Client } from './client.ts'
import type { Findings } from './findings.ts'
import type { Ledger } from './ledger.ts'
import type { Mailbox } from './mailbox.ts'

const story = fc.record({
  fate: fc.oneof(
    { weight: 12, arbitrary: fc.constant('verified' as const) },
    { weight: 1, arbitrary: fc.constant('left' as const) },
    { weight: 1, arbitrary: fc.constant('cancelled' as const) },
    { weight: 1, arbitrary: fc.constant('exhausted' as const) },
    { weight: 4, arbitrary: fc.constant('notified' as const) },
    { weight: 3, arbitrary: fc.constant('posted' as const) },
  ),
  wrong: fc.integer({ min: 0, max: 2 }),
  gets: fc.boolean(),
  lists: fc.boolean(),
  again: fc.boolean(),
  /** A code that is to be verified is checked by its phone, and not by its id. */
  byPhone: fc.boolean(),
  /** Says who asks for the code, from one of a few thousand addresses. */
  signals: fc.option(
    fc.record({ ip: fc.nat({ max: 9999 }).map((n) => `10.${n % 7}.${n >> 8}.${n & 255}`), user_id: fc.uuid() }),
  ),
  code: fc.stringMatching(/^[0-9]{6}$/),
  length: fc.integer({ min: 6, max: 8 }),
})
export type Story = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** Stories that are drawn; then they come again, with other phones. */
const drawnCount = 5000
/** Milliseconds that somebody waits for a code. */
const codeWaitMs = 45_000
const attemptsMax = 5

export interface StoryParts {
  client: Client
  ledger: Ledger
  mailbox: Mailbox
  findings: Findings
}

export function drawStories(seed: number): (index: number) => Story {
  const drawn = fc.sample(story, { numRuns: drawnCount, seed })
  return (index) => drawn[index % drawn.length]!
}

/** Resolves when there is nothing more to do; what is wrong is in the findings. */
export async function live(drawn: Story, phone: string, parts: StoryParts): Promise<void> {
  const { client, ledger, mailbox } = parts
  if (drawn.fate === 'notified') return notify(drawn, phone, parts)
  if (drawn.fate === 'posted') return post(drawn, phone, parts)
  const askedAt = Date.now()
  const body = { phone, length: drawn.length, ...(drawn.signals && { signals: drawn.signals }) }
  const sent = await client.ask('sendVerification', { path: '/v1/verify/send', body })
  if (!sent) return
  const id = sent.request_id
  ledger.acknowledge(id, { phone, kind: 'verification' })
  if (drawn.fate === 'left') return
  if (drawn.fate === 'cancelled') return cancel(id, parts)
  const code = await mailbox.codeFor(phone, codeWaitMs)
  if (drawn.gets) await client.ask('getMessage', { path: `/v1/messages/${id}` })
  if (drawn.lists) await listOf(phone, id, parts)
  if (code === undefined) return
  const wrong = drawn.fate === 'exhausted' ? attemptsMax : drawn.wrong
  const byPhone = drawn.byPhone && drawn.fate === 'verified'
  for (let count = 0; count < wrong; count++) await check({ id, phone, byPhone, code: otherThan(code) }, parts)
  const endsAt = askedAt + sent.expires_in * 1000
  await checkRight(drawn, { id, phone, code, byPhone, endsAt }, parts)
}

async function notify({ gets, lists }: Story, phone: string, { client, ledger, findings, mailbox }: StoryParts) {
  const body = { phone, template: 'welcome', variables: { name: 'Ada' } }
  const queued = await client.ask('sendNotification', { path: '/v1/notifications/send', body })
  if (!queued) return
  ledger.acknowledge(queued.request_id, { phone, kind: 'notification' })
  if (gets) await client.ask('getMessage', { path: `/v1/messages/${queued.request_id}` })
  if (lists) await listOf(phone, queued.request_id, { client, findings, ledger, mailbox })
}

async function cancel(id: string, { client, ledger, findings }: StoryParts): Promise<void> {
  const answer = await client.ask('cancelVerification', { path: '/v1/verify/cancel', body: { request_id: id } })
  if (!answer) return
  ledger.conclude(id, 'cancelled')
  const after = await client.ask('cancelVerification', { path: '/v1/verify/cancel', body: { request_id: id } })
  if (after?.cancelled) findings.add('a code was cancelled twice', id)
}

async function listOf(phone: string, id: string, { client, findings }: StoryParts): Promise<void> {
  const page = await client.ask('listMessages', { path: `/v1/messages?phone=${encodeURIComponent(phone)}` })
  if (page && !page.messages.some((message) => message.id === id)) findings.add('a message is not in its list', id)
}

/** The auth system checks the code itself: here, it only has to come as it was posted. */
async function post({ code, gets }: Story, phone: string, { client, ledger, mailbox, findings }: StoryParts) {
  if (!(await client.post({ phone, code, key: phone }))) return
  ledger.posted(phone)
  if (!gets) return
  const come = await mailbox.codeFor(phone, codeWaitMs)
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
