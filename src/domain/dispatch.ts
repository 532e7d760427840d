/** Hands messages to the worker: a job for all that are due together, with their ids, and how far each is on its route. */
import type { DeliveryKey } from '../store/delivery.ts'
import { areSome } from '../store/message.ts'
import type { Condition, NewJob } from '../store/queue.ts'
import type { Mode } from '../store/schema.ts'
import type { Tx } from '../store/session.ts'

/** The data of a job of deliveries. */
export interface Deliveries {
  messages: DeliveryKey[]
}

/** A message and the connection of its route that is to be asked; which it never was when `attempts` is left out. */
export interface Addressed extends DeliveryKey {
  mode: Mode
  connection: string
}

/** Goes with the commit. */
export type Dispatch = (tx: Tx, messages: readonly Addressed[], options?: DispatchOptions) => Promise<void>

export interface DispatchOptions {
  /** Until they are due; 0 when left out. */
  afterSeconds?: number
  /** Of the messages there may be some only, or none: whoever does the job, does it for those that there are. */
  mayBeMissing?: boolean
}

/** The queue of a kind of connections: each has its own, so that a slow one holds up its own messages only. */
export function queueOf(kind: string): string {
  return `deliver-${kind}`
}

export interface DispatchParts {
  queue: { add: (tx: Tx, name: string, jobs: readonly NewJob[], when?: Condition) => Promise<void> }
  /** The kind of a connection; any, when there is no such connection any more: every loop finds that out. */
  kindOf: (message: Pick<Addressed, 'accountId' | 'mode' | 'connection'>) => string
}

export function createDispatch({ queue, kindOf }: DispatchParts): Dispatch {
  return async (tx, messages, { afterSeconds, mayBeMissing = false } = {}) => {
    for (const [kind, list] of Map.groupBy(messages, kindOf)) {
      const data: Deliveries = {
        messages: list.map(({ accountId, id, leg, attempts = 0 }) => ({ accountId, id, leg, attempts })),
      }
      await queue.add(tx, queueOf(kind), [{ data, afterSeconds }], mayBeMissing ? areSome(list) : undefined)
    }
  }
}
