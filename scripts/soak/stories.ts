/** What callers do, each with a phone of its own: a code is sent and checked, rightly or wrongly; a notification is sent. */
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
  ),
  wrong: fc.integer({ min: 0, max: 2 }),
  gets: fc.boolean(),
  lists: fc.boolean(),
  again: fc.boolean(),
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
  const askedAt = Date.now()
  const sent = await client.ask('sendVerification', { path: '/v1/verify/send', body: { phone, length: drawn.length } })
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
  for (let count = 0; count < wrong; count++) await check(id, otherThan(code), parts)
  const endsAt = askedAt + sent.expires_in * 1000
  await checkRight(drawn, { id, code, endsAt }, parts)
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

function check(id: string, code: string, { client }: StoryParts) {
  return client.ask('checkVerification', { path: '/v1/verify/check', body: { request_id: id, code } })
}

/** The right code is accepted while it is in time and attempts are left, and that once. */
async function checkRight(
  { fate, again }: Story,
  { id, code, endsAt }: { id: string; code: string; endsAt: number },
  parts: StoryParts,
): Promise<void> {
  const { ledger, findings } = parts
  const answer = await check(id, code, parts)
  if (!answer) return ledger.conclude(id, 'unclear')
  const isInTime = Date.now() < endsAt
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
  const second = await check(id, code, parts)
  if (second?.verified) findings.add('a right code was accepted twice', id)
}

function otherThan(code: string): string {
  return code.replace(/.$/, (last) => String((Number(last) + 1) % 10))
}
