/** Answers of the database that are shared by all who ask, and not waited for longer than they are of use. */
import { setTimeout } from 'node:timers/promises'
import { inTime } from '../../kit/inTime.ts'

/** @throws Error when it takes too long: a database that hangs is not there */
export function answered<Value>(answer: Promise<Value>, withinMs: number): Promise<Value> {
  return inTime(answer, withinMs, () => {
    throw new Error('no answer in time')
  })
}

/** A read that is given up in time. Until it has ended all the same, whoever asks waits for that one: none is begun beside it. */
export function createRead<Value>(read: () => Promise<Value>, withinMs: number): () => Promise<Value> {
  let pending: Promise<Value> | undefined
  return () => {
    pending ??= read().finally(() => {
      pending = undefined
    })
    return answered(pending, withinMs)
  }
}

/** The part of a process's time that one kind of work may take, as a rest behind it: so many times what it took, up to a limit. */
const [restTimes, restMaxMs] = [4, 500]

/**
 * Work that is done once for all who ask while it is done. Who comes after its end waits until it has rested: however many ask, and
 * however often, they take a fifth of a process.
 */
export function createShared<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined
  let restsUntil = 0
  const begin = async (): Promise<Value> => {
    const restMs = restsUntil - performance.now()
    if (restMs > 0) await setTimeout(restMs)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const endedAt = performance.now()
      restsUntil = endedAt + Math.min(restTimes * (endedAt - startedAt), restMaxMs)
      pending = undefined
    }
  }
  return () => {
    pending ??= begin()
    return pending
  }
}
