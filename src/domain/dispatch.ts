/** Hands new messages to the worker: a job for all that were made together, with their ids. */
import type { MessageKey } from '../store/message.ts'
import type { NewJob } from '../store/queue.ts'
import type { Tx } from '../store/session.ts'

/** The data of a job of deliveries. */
export interface Deliveries {
  messages: MessageKey[]
}

interface Addressed extends MessageKey {
  channel: string
}

/** Goes with the commit. @param afterSeconds until they are due; 0 when left out */
export type Dispatch = (tx: Tx, messages: readonly Addressed[], afterSeconds?: number) => Promise<void>

/** The queue of a channel: each has its own, so that a slow one holds up its own messages only. */
export function queueOf(channel: string): string {
  return `deliver-${channel}`
}

export function createDispatch(queue: {
  add: (tx: Tx, name: string, jobs: readonly NewJob[]) => Promise<void>
}): Dispatch {
  return async (tx, messages, afterSeconds) => {
    for (const [channel, list] of Map.groupBy(messages, (message) => message.channel)) {
      const data: Deliveries = { messages: list.map(({ accountId, id }) => ({ accountId, id })) }
      await queue.add(tx, queueOf(channel), [{ data, afterSeconds }])
    }
  }
}
