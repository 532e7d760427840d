/** Errors of the service itself, where it works with the servers of others: told as its own, and never as an outage of theirs. */
import type { pino } from 'pino'

/** Where they happen: to hand a message over, to ask what became of one, to send what is due, … */
export const internalErrorPlaces = [
  'open',
  'send',
  'ask',
  'confirm',
  'check',
  'due',
  'event',
  'sign-in',
  'traces',
] as const

export type InternalErrorPlace = (typeof internalErrorPlaces)[number]

type Facts = Readonly<Record<string, unknown>>

interface Guarded<Value> {
  work: () => Promise<Value> | Value
  instead: () => Value
}

export interface InternalErrors {
  /** Writes it to the log and counts it. @param facts which message or connection it was: nothing that is secret */
  note: (place: InternalErrorPlace, error: unknown, facts?: Facts) => void
  /** @returns what the work comes to; where it throws, that is noted, and this is what `instead` gives */
  guard: <Value>(place: InternalErrorPlace, facts: Facts, work: Guarded<Value>) => Promise<Value>
  /** How many there were since the start. */
  count: (place: InternalErrorPlace) => number
}

export function createInternalErrors(log: Pick<pino.Logger, 'error'>): InternalErrors {
  const counts = new Map<InternalErrorPlace, number>()
  const count = (place: InternalErrorPlace) => counts.get(place) ?? 0
  const note: InternalErrors['note'] = (place, error, facts = {}) => {
    counts.set(place, count(place) + 1)
    log.error({ place, ...facts, error: describeInternal(error) }, 'an error of this service')
  }
  return {
    count,
    note,
    guard: async (place, facts, { work, instead }) => {
      try {
        return await work()
      } catch (error) {
        note(place, error, facts)
        return instead()
      }
    },
  }
}

/** The type and the stack of each: a message could quote what it was about, and that may be a code or a key. */
function describeInternal(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name: type, stack = '', message, cause } = error
  const { code } = error as { code?: unknown }
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n')
  return {
    type,
    code,
    frames: frames.flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : [])).slice(0, 8),
    ...(cause !== undefined && { cause: describeInternal(cause) }),
  }
}
