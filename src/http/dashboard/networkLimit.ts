/** Wrong proofs from one network, counted in this process. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { NetworkLimit } from '../../domain/people/signIn.ts'
import { toNetwork } from '../address.ts'

const wrongMax = 20
const windowSeconds = 15 * 60

export function createNetworkLimit(): NetworkLimit {
  const limiter = new RateLimiterMemory({ points: wrongMax, duration: windowSeconds })
  /** Those that are being looked at, by their networks. */
  const underWay = new Map<string, number>()
  const end = (network: string): void => {
    const left = (underWay.get(network) ?? 0) - 1
    if (left > 0) underWay.set(network, left)
    else underWay.delete(network)
  }
  return {
    take: async (address) => {
      const network = toNetwork(address)
      try {
        await limiter.consume(network)
        underWay.set(network, (underWay.get(network) ?? 0) + 1)
        return 0
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        // It is not looked at, so it is none of the wrong ones.
        await limiter.reward(network)
        const counted = (await limiter.get(network))?.consumedPoints ?? 0
        // Those that are looked at may all be right: then there is room in a moment.
        if (counted - (underWay.get(network) ?? 0) < wrongMax) return 1
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      }
    },
    giveBack: async (address) => {
      end(toNetwork(address))
      await limiter.reward(toNetwork(address))
    },
    keep: (address) => end(toNetwork(address)),
  }
}
