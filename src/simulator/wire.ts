/** A provider as the rest of the simulator knows it: what it answers, in its own words, and how it reports. */
import type { Manner, Status } from './faults.ts'
import type { HandOver } from './phones.ts'
import type { Posted } from './poster.ts'
import type { Incoming, Reply } from './reply.ts'

export interface Wire {
  /** @returns undefined for a path that is not of this provider */
  answer: (incoming: Incoming) => Reply | undefined
  report: Report
  /** Left out where nothing can be answered. */
  reply?: ReplyTo
}

/** Posts what a person answers to a message. @returns undefined where its provider hands on no replies, or there is nowhere to */
export type ReplyTo = (message: HandOver, text: string) => Promise<Posted | undefined>

/** Posts what became of a message. @returns undefined when there is nowhere to post it to */
export type Report = (message: HandOver, change: Change) => Promise<Posted | undefined>

export interface Change {
  status: Status
  /** With `failed`. */
  code?: string | undefined
  manner?: Manner | undefined
  /** Times that it is posted at most; as many as is usual when left out. */
  attemptsMax?: number
}

/** What a provider says of a hand-over. */
export interface Voice {
  /** @param status of HTTP, in place of the code's own */
  refuse: (code: string, status?: number) => Reply
  accept: (message: HandOver) => Reply
  report: Report
}
