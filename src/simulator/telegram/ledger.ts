/** What Telegram keeps of its customer: the requests that were paid for, and what is left of the money. */
import { randomInt } from 'node:crypto'
import type { HandOver } from '../phones.ts'

/** In US dollars. */
const cost = 0.01
const balanceFirst = 1_000_000
const requestsMax = 200_000

export interface Ledger {
  /** Pays for a request about a phone. @returns its id */
  open: (phone: string) => string
  /** Whose request that is; undefined when there is none. */
  phoneOf: (id: string) => string | undefined
  refund: () => void
  /** A `RequestStatus`, before a code is sent or after. */
  statusOf: (id: string, message?: HandOver) => object
}

export function createLedger(): Ledger {
  const requests = new Map<string, string>()
  let balance = balanceFirst
  // Another one at each start, so that no id comes twice where the sender remembers and this does not.
  let serial = randomInt(1_000_000_000) * 1_000_000

  return {
    open: (phone) => {
      const id = String(++serial)
      balance -= cost
      requests.set(id, phone)
      if (requests.size > requestsMax) for (const oldest of requests.keys().take(1)) requests.delete(oldest)
      return id
    },
    phoneOf: (id) => requests.get(id),
    refund: () => {
      balance += cost
    },
    statusOf: (id, message) => ({
      request_id: id,
      phone_number: (requests.get(id) ?? message?.phone ?? '').slice(1),
      request_cost: cost,
      is_refunded: message?.statuses.some(({ status }) => status === 'expired') ?? false,
      remaining_balance: Math.round(balance * 100) / 100,
      ...(message && told(message)),
    }),
  }
}

function told({ at, statuses, verification, reference, content }: HandOver) {
  const last = statuses.at(-1) ?? { status: 'sent', at }
  return {
    delivery_status: { status: last.status, updated_at: secondsOf(last.at) },
    ...(verification && {
      verification_status: { status: verification, updated_at: secondsOf(last.at), code_entered: content.code },
    }),
    ...(reference !== undefined && { payload: reference }),
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
