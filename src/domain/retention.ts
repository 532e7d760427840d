/** How long things are kept, and how a phone is forgotten. */
import type { Runtime } from '../runtime.ts'
import { inBatches } from '../store/batch.ts'
import { type Session, transaction } from '../store/connect.ts'
import { type Erased, erasePhone, purgeIdempotency, purgeMessages, purgeSandboxMessages } from '../store/retention.ts'
import { idempotencyKeptMs } from './idempotency.ts'
import { isPhone } from './phone.ts'
import { Refusal } from './refusal.ts'

const dayMs = 24 * 3600 * 1000

export interface Purged {
  messages: number
  sandboxMessages: number
  idempotencyKeys: number
}

/** @returns erases what is past its time, batch after batch until nothing is */
export function createPurge(
  session: Session,
  runtime: Pick<Runtime, 'now'>,
  retentionDays: number,
): () => Promise<Purged> {
  return async () => {
    const now = runtime.now().getTime()
    const old = new Date(now - retentionDays * dayMs)
    return {
      messages: await inBatches((count) => purgeMessages(session, old, count)),
      sandboxMessages: await inBatches((count) => purgeSandboxMessages(session, old, count)),
      idempotencyKeys: await inBatches((count) =>
        purgeIdempotency(session, new Date(now - Math.min(retentionDays * dayMs, idempotencyKeptMs)), count),
      ),
    }
  }
}

/**
 * Erases all that is held about a phone, in every account: messages, timelines, sandbox texts, limits, pending codes. What
 * waits to be sent to it is not sent.
 *
 * @throws Refusal when it is no phone number
 */
export async function forgetPhone(session: Session, phone: string): Promise<Erased> {
  // Also one that would not be sent to any more: what is held about it was written before.
  if (!isPhone(phone)) {
    throw new Refusal('Give the phone in E.164 form: a plus sign, the country code and the number, no spaces.')
  }
  return transaction(session, (tx) => erasePhone(tx, phone))
}
