/** When counts are exchanged with other processes: a quarter of a second after there was something to tell, or to ask. */
import type { Log } from '../../../kit/runtime.ts'

export interface Exchanges {
  /** Once there is something to exchange. */
  schedule: () => void
  /** Now; after the one that is under way. */
  exchange: () => Promise<boolean>
}

interface Exchanging {
  work: () => Promise<void>
  /** Whether the next one does not wait for its time. */
  isDue: () => boolean
  log: Log
}

const restMs = 250

/** One that fails is tried again, and told once. */
export function createExchanges({ work, isDue, log }: Exchanging): Exchanges {
  let timer: NodeJS.Timeout | undefined
  let isHurried = false
  let isFailing = false
  let running: Promise<boolean> | undefined

  function schedule(): void {
    const hurries = isDue() && !isFailing
    if (timer && (isHurried || !hurries)) return
    clearTimeout(timer)
    isHurried = hurries
    timer = setTimeout(() => void exchange(), hurries ? 0 : restMs).unref()
  }

  async function exchange(): Promise<boolean> {
    while (running) await running
    clearTimeout(timer)
    timer = undefined
    running = exchangeOnce()
    return running
  }

  async function exchangeOnce(): Promise<boolean> {
    try {
      await work()
      if (isFailing) log.info('what rules count is exchanged with other processes again')
      isFailing = false
      return true
    } catch (error) {
      const consequence = 'what rules count cannot be exchanged with other processes: each judges by what it knows'
      if (!isFailing) log.error({ err: error }, consequence)
      isFailing = true
      schedule()
      return false
    } finally {
      running = undefined
    }
  }

  return { schedule, exchange }
}
