/** How many requests a key may send, and how many keys that nobody has may come from one address. */
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller, Strangers } from '../../domain/access/authentication.ts'
import { Problem } from '../../kit/problem.ts'
import { networkOf } from '../address.ts'

/** Seconds over which the burst beyond the rate is given out again. */
const burstWindowSeconds = 10

/** Whose request is counted. */
export type CountedKey = Pick<Caller, 'keyId' | 'mode'>

/** Counts one request of a key. @returns whether it may pass */
export type CountRequest = (key: CountedKey) => Promise<boolean>

/** In a second, and in one second of every ten. */
export interface KeyRates {
  keyRatePerSecond: number
  keyBurst: number
  testKeyRatePerSecond: number
  testKeyBurst: number
}

/** @returns counts one request, or throws Problem `rate_limited` */
export function createThrottle(count: CountRequest): (caller: Caller) => Promise<void> {
  return async (caller) => {
    // The rate is given out anew each second, whatever became of the burst.
    if (!(await count(caller))) throw new Problem('rate_limited', { retryAfterSeconds: 1 })
  }
}

export function createRates(rates: KeyRates): CountRequest {
  const counts = {
    live: createRate(rates.keyRatePerSecond, rates.keyBurst),
    test: createRate(rates.testKeyRatePerSecond, rates.testKeyBurst),
  }
  return ({ keyId, mode }) => counts[mode](keyId)
}

/** Lets `perSecond` requests of a key pass each second, and up to `burst` in one of every ten. */
function createRate(perSecond: number, burst: number): (keyId: string) => Promise<boolean> {
  const rate = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const extra = Math.max(0, burst - perSecond)
  const limiter =
    extra === 0
      ? rate
      : new BurstyRateLimiter(
          rate,
          new RateLimiterMemory({ keyPrefix: 'burst', points: extra, duration: burstWindowSeconds }),
        )
  return async (keyId) => {
    try {
      await limiter.consume(keyId)
      return true
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      return false
    }
  }
}

export function createStrangers(perMinute: number): Strangers {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return {
    tooMany: async (address) => {
      const counted = await limiter.get(networkOf(address))
      return counted !== null && counted.consumedPoints >= perMinute
    },
    count: (address) => void limiter.penalty(networkOf(address)),
  }
}
