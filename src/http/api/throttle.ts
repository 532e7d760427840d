/** How many requests a key and an account may send, and how many unknown keys may come from one address. */
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { accountKeys, type Caller, type Strangers } from '../../domain/access/authentication.ts'
import { Problem } from '../../kit/problem.ts'
import { toNetwork } from '../address.ts'

/** Seconds over which the burst beyond the rate is given out again. */
const burstWindowSeconds = 10

/** Whose request is counted. */
export type CountedKey = Pick<Caller, 'accountId' | 'keyId' | 'mode'>

/** Counts one request of a key, and of its account. @returns whether it may pass */
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
    // The rate is given out again each second, whatever became of the burst.
    if (!(await count(caller))) throw new Problem('rate_limited', { retryAfterSeconds: 1 })
  }
}

export function createRates(rates: KeyRates): CountRequest {
  const counts = {
    live: createModeRates(rates.keyRatePerSecond, rates.keyBurst),
    test: createModeRates(rates.testKeyRatePerSecond, rates.testKeyBurst),
  }
  return (key) => counts[key.mode](key)
}

function createModeRates(perSecond: number, burst: number): CountRequest {
  const ofKey = createRate(perSecond, burst)
  const ofAccount = createRate(perSecond * accountKeys, burst * accountKeys)
  return async ({ keyId, accountId }) => (await ofKey(keyId)) && (await ofAccount(accountId))
}

/** Lets `perSecond` requests under a name pass each second, and up to `burst` in one of every ten. */
function createRate(perSecond: number, burst: number): (name: string) => Promise<boolean> {
  const rate = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const extra = Math.max(0, burst - perSecond)
  const limiter =
    extra === 0
      ? rate
      : new BurstyRateLimiter(
          rate,
          new RateLimiterMemory({ keyPrefix: 'burst', points: extra, duration: burstWindowSeconds }),
        )
  return async (name) => {
    try {
      await limiter.consume(name)
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
      const counted = await limiter.get(toNetwork(address))
      return counted !== null && counted.consumedPoints >= perMinute
    },
    count: (address) => void limiter.penalty(toNetwork(address)),
  }
}
