/** Wrong proofs from one network, counted in this process. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { NetworkLimit } from '../../domain/people/signIn.ts'
import { networkOf } from '../address.ts'

const wrongMax = 20
const windowSeconds = 15 * 60

export function createNetworkLimit(): NetworkLimit {
  const limiter = new RateLimiterMemory({ points: wrongMax, duration: windowSeconds })
  return {
    take: async (address) => {
      try {
        await limiter.consume(networkOf(address))
        return 0
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      }
    },
    giveBack: async (address) => void (await limiter.reward(networkOf(address))),
  }
}
