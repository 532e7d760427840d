/** Takes back that a phone has opted out: its owner wants notifications again, or the provider was wrong. */
import { Refusal } from '../../../kit/refusal.ts'
import { deleteOptOuts } from '../../../store/sending/optOut.ts'
import type { ActCommit } from '../../access/act.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import { findLookupKey } from '../../access/keyring.ts'
import type { Secrets } from '../../access/secret.ts'
import { maskPhone } from '../phone.ts'
import { optOutKeyOf } from './optOut.ts'
import { requirePhone } from './typedPhone.ts'

export interface OptOutRemoval {
  /**
   * In both modes of the account.
   *
   * @returns whether the phone had opted out
   * @throws Refusal when it is no phone number, or the secret of the service is not known here; Forbidden
   */
  remove: (actor: Actor, accountId: string, phone: string) => Promise<boolean>
}

export interface OptOutRemovalParts {
  commit: ActCommit
  /** Undefined: they are not known here. */
  secrets: Secrets | undefined
}

export function createOptOutRemoval({ commit, secrets }: OptOutRemovalParts): OptOutRemoval {
  return {
    remove: async (actor, accountId, typed) => {
      requireRole(actor, 'owner', accountId)
      const phone = requirePhone(typed)
      if (!secrets) {
        throw new Refusal(
          'Phones that opted out are kept as hashes under the secret of the service: set WATCHWORD_SECRET to the same value as the service.',
        )
      }
      const key = await findLookupKey(commit.reader, secrets)
      if (!key) return false
      const keys = (['live', 'test'] as const).map((mode) => optOutKeyOf(key, { accountId, mode, phone }))
      return commit.as(actor).transaction(async (tx, note) => {
        const wasOptedOut = (await deleteOptOuts(tx, keys)) > 0
        if (wasOptedOut) await note({ accountId, act: 'opt-out.removed', subject: maskPhone(phone) })
        return wasOptedOut
      })
    },
  }
}
