/** What became of a message, as an operator may see it: nothing of what is in it, and of its phone no more than a log holds. */
import type { Commit } from '../store/commit.ts'
import { findHistory } from '../store/history.ts'
import type { DeliveryErrorCode, MessageStatus, Mode, Step } from '../store/schema.ts'
import { maskPhone } from './phone.ts'
import { Refusal } from './refusal.ts'

export interface History {
  id: string
  /** Its name. */
  account: string
  mode: Mode
  kind: 'verification' | 'notification'
  /** Masked. */
  phone: string
  status: MessageStatus
  statusAt: Date
  /** Of a message that has failed. */
  errorCode: DeliveryErrorCode | null
  createdAt: Date
  expiresAt: Date | null
  verifiedAt: Date | null
  /** The connections of its route, in their order. */
  legs: Leg[]
  /** Oldest first. */
  timeline: readonly Step[]
}

interface Leg {
  connection: string
  /** `current` is the one that is asked now, or was asked last. */
  state: 'past' | 'current' | 'ahead'
  /** How often it was asked; known of the current one. */
  attempts: number | undefined
  /** Its provider's own id; undefined when that has not taken it. */
  providerMessageId: string | undefined
}

/** @throws Refusal when there is no such message */
export async function historyOf({ reader }: Pick<Commit, 'reader'>, id: string): Promise<History> {
  const found = await findHistory(reader, id)
  if (!found) throw new Refusal(`There is no message ${id}.`)
  const { accountId: _accountId, phone, route, leg: current, attempts, taken, ...rest } = found
  const legs = route.map((connection, index): Leg => {
    const state = index + 1 < current ? 'past' : index + 1 > current ? 'ahead' : 'current'
    return {
      connection,
      state,
      attempts: state === 'current' ? attempts : undefined,
      providerMessageId: taken.find((hand) => hand.connection === connection)?.providerMessageId,
    }
  })
  // That of a leg stands in the timeline.
  const errorCode = rest.status === 'failed' ? rest.errorCode : null
  return { ...rest, errorCode, phone: maskPhone(phone), legs }
}
