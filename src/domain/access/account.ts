/** Accounts: who the keys, templates and messages belong to. */

import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { type AccountRow, findAccount, insertAccount, listAccounts } from '../../store/access/account.ts'
import { upsertConnections } from '../../store/channels/connection.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { nameKey, requireName } from '../people/name.ts'
import { type Actor, requireOperator } from './actor.ts'

/** The account that always exists. */
export const defaultAccount = 'default'

/** For the operator: people know no account but their own. Each function throws Forbidden for them. */
export interface Accounts {
  /** With the connection that it starts with. @throws Refusal when the name is none, or there is one that differs from it in no more than case */
  create: (actor: Actor, name: string) => Promise<AccountRow>
  list: (actor: Actor) => Promise<AccountRow[]>
  /** @param name in any case @throws Refusal when there is no such account */
  require: (actor: Actor, name: string) => Promise<AccountRow>
}

export interface AccountParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'newId'>
  /** What an account sends through until it is told otherwise. It has no settings. */
  firstConnection: { id: string; kind: string }
}

export function createAccounts({ commit, runtime, firstConnection }: AccountParts): Accounts {
  return {
    create: async (actor, text) => {
      requireOperator(actor)
      const name = requireName('An account', text)
      if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u.test(name)) {
        throw new Refusal(
          'An account name is 1 to 64 letters, digits, spaces, ".", "_" and "-", and begins with a letter or digit.',
        )
      }
      const createdAt = runtime.now()
      const row = { id: `acct_${runtime.newId()}`, name, nameKey: nameKey(name), createdAt }
      const connection = {
        ...{ ...firstConnection, accountId: row.id, position: 1, countries: null, failoverSeconds: null },
        ...{ settings: {}, sealed: null, byPerson: false, revision: runtime.newId(), updatedAt: createdAt },
      }
      const isNew = await commit.transaction(async (tx) => {
        const inserted = await insertAccount(tx, row)
        if (inserted) await upsertConnections(tx, [connection])
        return inserted
      })
      if (!isNew) {
        const other = await findAccount(commit.reader, name, row.nameKey)
        throw new Refusal(`There is an account "${other?.name ?? name}" already.`)
      }
      return row
    },
    list: async (actor) => {
      requireOperator(actor)
      return listAccounts(commit.reader)
    },
    require: async (actor, name) => {
      requireOperator(actor)
      const found = await findAccount(commit.reader, name, nameKey(name))
      if (!found) throw new Refusal(`There is no account "${name}".`)
      return found
    },
  }
}
