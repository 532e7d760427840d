/** The first steps of an account, and which of them are done. */
import type { Commit } from '../../store/engine/commit.ts'
import { type FirstSteps, findFirstSteps } from '../../store/insight/firstStep.ts'
import { type Actor, requireRole } from '../access/actor.ts'

export type { FirstSteps }

/** @returns undefined once all are done, or messages of live keys flow. @throws Forbidden */
export type FindFirstSteps = (actor: Actor, accountId: string) => Promise<FirstSteps | undefined>

export function createFirstSteps({ commit: { reader } }: { commit: Pick<Commit, 'reader'> }): FindFirstSteps {
  return async (actor, accountId) => {
    requireRole(actor, 'viewer', accountId)
    const { live, ...steps } = await findFirstSteps(reader, accountId)
    // Who has seen a code arrive has sent one, whether or not that is counted yet; and who has sent one has a key.
    const code = steps.code || steps.arrival
    const done = { ...steps, key: steps.key || code, code }
    return live || Object.values(done).every(Boolean) ? undefined : done
  }
}
