/** Answers of the database that are not waited for longer than they are of use. */
import { setTimeout } from 'node:timers/promises'

/** @throws Error when it takes too long: a database that hangs is not there */
export async function inTime<Value>(answer: Promise<Value>, withinMs: number): Promise<Value> {
  const timer = new AbortController()
  const late = setTimeout(withinMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('no answer in time')
  })
  return Promise.race([answer, late]).finally(() => timer.abort())
}

/** A read that is given up in time. Until it has ended all the same, whoever asks waits for that one: none is begun beside it. */
export function createRead<Value>(read: () => Promise<Value>, withinMs: number): () => Promise<Value> {
  let pending: Promise<Value> | undefined
  return () => {
    pending ??= read().finally(() => {
      pending = undefined
    })
    return inTime(pending, withinMs)
  }
}
