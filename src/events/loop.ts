/** The loop that brings events to endpoints: it takes what is due and has places, sends it, and settles it. */
import { setImmediate } from 'node:timers/promises'
import { type Alarm, createFailures } from '../kit/loop.ts'
import type { Log } from '../kit/runtime.ts'
import type { ClaimedEvent } from '../store/webhooks/event.ts'
import type { Claims } from './claim.ts'
import type { EndpointPace, EndpointPlaces } from './places.ts'

export interface Loop {
  start: () => void
  /** Sends what is due now, as much as has places, and settles it. @returns how many that was */
  runOnce: () => Promise<number>
  /** Looks for events now: a hint, for when this process knows of some. */
  wake: () => void
  /** Claims no more, and resolves when what was claimed is settled. */
  stop: () => Promise<void>
}

export interface LoopParts {
  claims: Claims
  alarm: Alarm
  places: Pick<EndpointPlaces, 'take'>
  /** @returns the pace of the answer; undefined when it was called off. @throws when it could not be settled */
  send: (delivery: ClaimedEvent) => Promise<EndpointPace | undefined>
  log: Log
}

/** Milliseconds between two looks without a hint. */
const pollMs = 500

/** @returns has the loop look for events now */
export function createWake({ claims, alarm }: Pick<LoopParts, 'claims' | 'alarm'>): Loop['wake'] {
  return () => {
    claims.hint()
    alarm.ring()
  }
}

export function createLoop({ claims, alarm, places, send, log }: LoopParts): Loop {
  const underWay = createUnderWay()
  const [taking, sending] = [createFailures(log, 'events'), createFailures(log, 'events: settle')]
  const holding = createFailures(log, 'events: disabled endpoints')
  let running: Promise<void> | undefined
  let stopping = false

  const begin = (delivery: ClaimedEvent): void => {
    const free = places.take(delivery)
    // What could not be settled is found again when its claim runs out.
    const sent = send(delivery).then(sending.over, sending.note)
    const ended = sent.then((pace) => {
      free(pace)
      alarm.ring()
    })
    underWay.add(ended)
  }
  const turn = async (): Promise<number> => {
    const taken = await claims.take()
    for (const delivery of taken) begin(delivery)
    // Nobody who is to be told something waits for it.
    const puttingAway = claims.putAway()
    if (puttingAway) underWay.add(puttingAway.then(holding.over, holding.note))
    return taken.length
  }
  const run = async (): Promise<void> => {
    while (!stopping) {
      alarm.set()
      const count = await turn().then(taking.over, taking.note)
      // The embedded database works in this thread and gives no turn away: others get theirs here.
      await setImmediate()
      if (!count && !stopping) await alarm.rings(pollMs)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    runOnce: async () => {
      claims.hint()
      const count = await turn()
      await underWay.over()
      return count
    },
    wake: createWake({ claims, alarm }),
    stop: async () => {
      stopping = true
      alarm.ring()
      await running
      await underWay.over()
    },
  }
}

/** Work that nobody waits for but who stops. It never fails. */
function createUnderWay() {
  const all = new Set<Promise<void>>()
  return {
    add: (work: Promise<void>): void => {
      const end = work.then(() => void all.delete(end))
      all.add(end)
    },
    over: () => Promise.all(all),
  }
}
