/** What becomes of a request that hangs on a secret which this process does not have: it is told nothing that may be false. */
import { type Problem, unavailable } from '../../kit/problem.ts'
import type { Log } from '../../kit/runtime.ts'

/** Key ids that a process remembers to have told of. */
const toldMax = 1000

/** Refuses what a key with that id is needed for, and tells the operator once of each id. */
export type MissingSecret = (keyId: string) => Problem<'service_unavailable'>

export function createMissingSecret(log: Log): MissingSecret {
  const told = new Set<string>()
  return (keyId) => {
    if (!told.has(keyId) && told.size < toldMax) {
      told.add(keyId)
      log.error({ key_id: keyId }, 'a secret is missing that another process signs with: set it here too')
    }
    return unavailable()
  }
}
