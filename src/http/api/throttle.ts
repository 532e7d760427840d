/** How many requests a key may send, and how many keys that nobody has may come from one address. */
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller, Strangers } from '../../domain/authentication.ts'
import { Problem } from '../../problem.ts'
import { networkOf } from '../address.ts'

/** Seconds over which the burst beyond the rate is given out again. */
const burstWindowSeconds = 10

/** Counts one request of a key. @returns whether it may pass */
export type CountRequest = (keyId: string) => Promise<boolean>

/** @returns counts one request, or throws Problem `rate_limited`; test keys have no limit */
export function createThrottle(count: CountRequest): (caller: Caller) => Promise<void> | undefined {
  const consume = async (keyId: string) => {
    // The rate is given out anew each second, whatever became of the burst.
    if (!(await count(keyId))) throw new Problem('rate_limited', { retryAfterSeconds: 1 })
  }
  return ({ mode, keyId }) => (mode === 'test' ? undefined : consume(keyId))
}

/** Lets `perSecond` requests of a key pass each second, and up to `burst` in one of every ten. */
export function createRate(perSecond: number, burst: number): CountRequest {
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
