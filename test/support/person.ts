/** People of an account, as actors. */
import type { Role, UserActor } from '../../src/domain/actor.ts'

export function person(role: Role, accountId = 'acct_default'): UserActor {
  return { kind: 'user', accountId, id: `user_${role}`, name: `a ${role}`, role, address: '127.0.0.1' }
}
