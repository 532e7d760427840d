/** What stories are drawn from, and what each of them needs. */
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
    { weight: 2, arbitrary: fc.constant('scheduled' as const) },
    { weight: 1, arbitrary: fc.constant('withdrawn' as const) },
    { weight: 1, arbitrary: fc.constant('stopped' as const) },
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
  /** Until a scheduled notification is to go. */
  seconds: fc.integer({ min: 3, max: 60 }),
})
export type Story = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** Stories that are drawn; then they come again, with other phones. */
const drawnCount = 5000
/** Milliseconds that a person waits for a message. */
export const waitMs = 45_000

export interface StoryParts {
  client: Client
  ledger: Ledger
  mailbox: Mailbox
  /** Answers a message, as a person does. @returns whether the service has taken it */
  reply: (messageId: string, text: string) => Promise<boolean>
  findings: Findings
}

export function drawStories(seed: number): (index: number) => Story {
  const drawn = fc.sample(story, { numRuns: drawnCount, seed })
  return (index) => drawn[index % drawn.length]!
}

/** @returns undefined where it came to nothing */
export async function sendCode(
  { length, signals }: Pick<Story, 'length' | 'signals'>,
  phone: string,
  { client, ledger }: Pick<StoryParts, 'client' | 'ledger'>,
) {
  ledger.sending(phone)
  const body = { phone, length, ...(signals && { signals }) }
  const sent = await client.ask('sendVerification', { path: '/v1/verify/send', body })
  if (sent) ledger.acknowledge(sent.request_id, { phone, kind: 'verification' })
  return sent
}

export async function findInList(phone: string, id: string, { client, findings }: StoryParts): Promise<void> {
  const page = await client.ask('listMessages', { path: `/v1/messages?phone=${encodeURIComponent(phone)}` })
  if (page && !page.messages.some((message) => message.id === id)) findings.add('a message is not in its list', id)
}
