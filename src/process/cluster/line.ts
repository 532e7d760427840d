/** What the processes of one start ask each other, over the channel that Node keeps between them. */
import type { Worker } from 'node:cluster'
import type { Ports } from '../../app/app.ts'
import type { OperationsView } from '../../app/operationsView.ts'
import type { CountedKey } from '../../http/api/throttle.ts'
import { inTime } from '../../kit/inTime.ts'
import { describeError } from '../../kit/runtime.ts'

/** What the primary asks of a member. */
export interface MemberCalls {
  checkReady: OperationsView['checkReady']
  sandboxMessages: OperationsView['sandboxMessages']
  snapshot: OperationsView['metrics']['snapshot']
  /** Is answered by a process that does anything at all. */
  beat: () => void
}

/** What a member asks of the primary. */
export interface PrimaryCalls {
  serving: (ports: Ports) => void
  /** Whether each may pass. */
  countRequests: (keys: CountedKey[]) => Promise<boolean[]>
  /** The metrics of all. */
  renderMetrics: () => Promise<string>
}

type Call = (value: never) => unknown

/**
 * @param withinMs for an answer; two seconds when left out
 * @throws Error when the other could not, or has not answered in time, or has gone
 */
export type AskProcess<Calls> = <Name extends keyof Calls & string>(
  name: Name,
  value: Calls[Name] extends (value: infer Value) => unknown ? Value : undefined,
  withinMs?: number,
) => Promise<Calls[Name] extends (value: never) => infer Answer ? Awaited<Answer> : never>

interface Question {
  question: number
  name: string
  value: unknown
}

interface Reply {
  reply: number
  value?: unknown
  /** A kind of error, and its code: the text may hold what a caller sent. */
  failed?: string
}

/** Milliseconds for an answer, where it waits for nothing else. */
const answerMs = 2000

function tooLate(): never {
  throw new Error('a process has not answered in time')
}

/** @param end of the channel to the other process, on either side */
export function createLine<Theirs extends object>(end: Worker, own: object): AskProcess<Theirs> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  // Without a listener for what became of it, a message to a process that has just gone would be an error of this one.
  const send = (message: Question | Reply) => end.isConnected() && end.send(message, () => {})

  end.on('message', async (message: Question | Reply) => {
    if ('reply' in message) {
      const { resolve, reject } = waiting.get(message.reply) ?? {}
      if (message.failed === undefined) resolve?.(message.value)
      else reject?.(new Error(`a process could not do it: ${message.failed}`))
      return
    }
    const { question, name, value } = message
    try {
      send({ reply: question, value: await (own as Record<string, Call>)[name]!(value as never) })
    } catch (error) {
      const { type, code = '' } = describeError(error) as { type: string; code?: unknown }
      send({ reply: question, failed: `${type} ${code}` })
    }
  })
  end.once('disconnect', () => {
    for (const { reject } of waiting.values()) reject(new Error('a process has gone'))
  })

  return async (name, value, withinMs = answerMs) => {
    const id = asked++
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    try {
      send({ question: id, name, value })
      return (await inTime(answer.promise, withinMs, tooLate)) as never
    } finally {
      waiting.delete(id)
    }
  }
}
