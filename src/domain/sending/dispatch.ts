/** Hands messages to the worker: jobs for all that are due together, with their ids, and how far each is on its route. */

import type { Condition, NewJob } from '../../store/engine/queue.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { DeliveryKey } from '../../store/sending/delivery.ts'
import { areSome } from '../../store/sending/message.ts'

/** The data of a job of deliveries: messages of one lane. */
export interface Deliveries {
  messages: DeliveryKey[]
}

/** A message and the connection of its route that is to be asked; which it never was when `attempts` is left out. */
export interface Addressed extends DeliveryKey {
  mode: Mode
  /** Its recipient waits for it: it holds a code. */
  isUrgent: boolean
  connection: string
  /** Whether the route ends there. */
  isLast: boolean
}

/** Goes with the commit. */
export type Dispatch = (tx: Tx, messages: readonly Addressed[], options?: DispatchOptions) => Promise<void>

export interface DispatchOptions {
  /** Until they are due; 0 when left out. */
  afterSeconds?: number
  /** Of the messages there may be some only, or none: whoever does the job, does it for those that there are. */
  mayBeMissing?: boolean
}

/** Messages of a job: a connection whose share is used up goes beyond it by one job at most. */
const messagesMax = 64

/** The queue of a kind of connections: each has its own, so that a slow one holds up its own messages only. */
export function queueOf(kind: string): string {
  return `deliver-${kind}`
}

/**
 * Who shares what may be under way: the messages of an account for one connection. Those that can go on to another connection
 * have a lane of their own: they are not to wait behind those that cannot.
 */
export function laneOf({
  accountId,
  connection,
  isLast,
}: Pick<Addressed, 'accountId' | 'connection' | 'isLast'>): string {
  return `${accountId} ${connection}${isLast ? '' : ' first'}`
}

/** @returns the account of a lane */
export function accountOf(lane: string): string {
  return lane.slice(0, lane.indexOf(' '))
}

export interface DispatchParts {
  queue: { add: (tx: Tx, name: string, jobs: readonly NewJob[], when?: Condition) => Promise<void> }
  /** The kind of a connection; any, when there is no such connection any more: every loop finds that out. */
  kindOf: (message: Pick<Addressed, 'accountId' | 'mode' | 'connection'>) => string
}

export function createDispatch({ queue, kindOf }: DispatchParts): Dispatch {
  return async (tx, messages, { afterSeconds, mayBeMissing = false } = {}) => {
    for (const [kind, list] of Map.groupBy(messages, kindOf)) {
      const jobs = createJobs(list).map((job) => ({ ...job, afterSeconds }))
      await queue.add(tx, queueOf(kind), jobs, mayBeMissing ? areSome(list) : undefined)
    }
  }
}

/** What is urgent goes before all else, whoever's it is. */
function createJobs(list: readonly Addressed[]): NewJob[] {
  return [...Map.groupBy(list, (one) => `${one.isUrgent} ${laneOf(one)}`).values()].flatMap((together) => {
    const [{ isUrgent, ...first }] = together as [Addressed]
    const about = { lane: laneOf(first), isUrgent }
    return splitChunks(together).map((part) => {
      const data: Deliveries = {
        messages: part.map(({ accountId, id, leg, attempts = 0 }) => ({ accountId, id, leg, attempts })),
      }
      return { data, ...about }
    })
  })
}

function splitChunks<One>(list: readonly One[]): One[][] {
  const count = Math.ceil(list.length / messagesMax)
  return Array.from({ length: count }, (_chunk, index) => list.slice(index * messagesMax, (index + 1) * messagesMax))
}
