/** Who did what, as an owner of the account may read it. */
import { type AuditRow, listAudit } from '../../store/access/audit.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { type Actor, requireRole } from './actor.ts'

/**
 * The latest first.
 *
 * @param before the id of the last one of the page before; from the beginning when left out
 * @throws Forbidden
 */
export type ListAudit = (
  actor: Actor,
  accountId: string,
  page: { before?: string | undefined; count: number },
) => Promise<AuditRow[]>

export function createListAudit({ commit }: { commit: Pick<Commit, 'reader'> }): ListAudit {
  return async (actor, accountId, { before, count }) => {
    requireRole(actor, 'owner', accountId)
    return listAudit(commit.reader, accountId, { before, count })
  }
}
