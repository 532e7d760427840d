/** The end of a run that a deployment would draw out for ever. */
import { setTimeout } from 'node:timers/promises'
import { Unusable } from './finding.ts'

export interface Deadline {
  /** Its reason is an `Unusable`. */
  signal: AbortSignal
  /** The run has ended by itself. */
  clear: () => void
}

export function startDeadline(minutes: number): Deadline {
  const controller = new AbortController()
  const words = `The run has not ended within ${minutes} minutes, and was stopped.`
  const timer = globalThis.setTimeout(() => controller.abort(new Unusable(words)), minutes * 60_000)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

/** @throws Unusable, when the run may no longer go on */
export async function waitWithin(signal: AbortSignal, seconds: number): Promise<void> {
  try {
    await setTimeout(seconds * 1000, undefined, { signal })
  } catch {
    throw signal.reason
  }
}
