/**
 * The link that lets the first owner of an account in. Its token is derived from the secret of the service, so each start can show it
 * again, all processes have the same, and no file or table keeps it.
 */
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import { endInvitationsBy, type InvitationRow, listInvitations } from '../../store/people/invitation.ts'
import { findUserByEmail, hasEnabledUsers } from '../../store/people/user.ts'
import type { ActCommit } from '../access/act.ts'
import { firstStart } from '../access/actor.ts'
import type { Secrets } from '../access/secret.ts'
import { emailKey } from './email.ts'
import { createInsert, type Invited } from './invitation.ts'
import { tokenHash } from './token.ts'

export interface FirstInvitations {
  /**
   * Invites the first owner while no user of the account can sign in. An invitation that is open stays as it is; one for another address,
   * or with a token of another secret, ends.
   *
   * @param email whom it is for; null when any user with the link may join
   * @returns the same for all who ask at once; `not needed` when a user can sign in; `email taken` when a user has the address: one
   * of another account, or one who is disabled
   */
  ensure: (accountId: string, email: string | null) => Promise<Pick<Invited, 'token' | 'expiresAt'> | Uninvited>
}

export type Uninvited = 'not needed' | 'email taken'

export interface FirstInvitationParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId'>
  secrets: Secrets
}

export function createFirstInvitations({ commit, runtime, secrets }: FirstInvitationParts): FirstInvitations {
  const tokenOf = ({ id, email }: Pick<InvitationRow, 'id' | 'email'>) =>
    secrets.sign('invitation', id, email ?? '').hmac.toString('base64url')
  const insert = createInsert({ runtime }, tokenOf)

  return {
    ensure: (accountId, email) =>
      commit.as(firstStart).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const isNeeded = !(await hasEnabledUsers(tx, accountId))
        const isTaken = email !== null && (await findUserByEmail(tx, emailKey(email))) !== undefined
        if (isNeeded && !isTaken) {
          const open = await listInvitations(tx, accountId, runtime.now())
          const kept = open.find((row) => row.email === email && row.hash === tokenHash(tokenOf(row)))
          if (kept) return { token: tokenOf(kept), expiresAt: kept.expiresAt }
        }
        const ended = await endInvitationsBy(tx, { accountId, name: firstStart.name }, runtime.now())
        for (const { id: subject } of ended) await note({ accountId, act: 'invitation.ended', subject })
        if (!isNeeded) return 'not needed'
        if (isTaken) return 'email taken'
        return insert({ tx, actor: firstStart, note }, { accountId, role: 'owner', email, userId: null })
      }),
  }
}
