/** What a service answers to an order of its supervisor. */
import type { ChildProcess } from 'node:child_process'
import type { Order, Told } from './service.ts'

/** Milliseconds for a service to open everything, or to take the ports. */
const standardMs = 60_000
/** Parts of that time, each counted when it is over: a machine that sleeps loses one of them, however long it sleeps. */
const parts = 60

/**
 * @param answerMs of time in which this process runs; a service that has not answered by then is killed
 * @returns the answer; rejects with what the service wrote to stderr when it ends instead
 */
export function sendOrder<What extends Told['is']>(
  child: ChildProcess,
  order: Order,
  what: What,
  answerMs = standardMs,
): Promise<Told & { is: What }> {
  return new Promise((resolve, reject) => {
    let errors = ''
    const hear = (chunk: Buffer) => {
      errors += chunk
    }
    let left = parts
    const deadline = setInterval(() => {
      left -= 1
      if (left > 0) return
      clearInterval(deadline)
      errors += `The service was not ${what} within ${answerMs / 1000} s.`
      child.kill('SIGKILL')
    }, answerMs / parts)
    const settle = (done: () => void) => {
      clearInterval(deadline)
      child.off('message', listen).off('close', end)
      child.stderr?.off('data', hear)
      done()
    }
    const listen = (message: Told) => {
      if (message.is === what) settle(() => resolve(message as Told & { is: What }))
    }
    const end = (code: number | null, signal: string | null) =>
      settle(() =>
        reject(new Error(errors.trim() || `The service ended without a word (${signal ?? `code ${code}`}).`)),
      )
    child.stderr?.on('data', hear)
    child.on('message', listen).once('close', end)
    // It may have ended without this process knowing yet: that is told by `close`.
    if (child.connected) child.send(order, () => {})
    else end(child.exitCode, child.signalCode)
  })
}
