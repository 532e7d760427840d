/** Accounts: who the keys, templates and messages belong to. */

import { faultsIn, Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import {
  type AccountRow,
  type AccountSettings,
  findAccount,
  findAccountById,
  insertAccount,
  listAccounts,
  lockAccount,
  setAccount,
} from '../../store/access/account.ts'
import { noCaps, upsertConnections } from '../../store/channels/connection.ts'
import type { Reader } from '../../store/engine/session.ts'
import type { ActCommit } from './act.ts'
import { type Actor, requireOperator, requireRole } from './actor.ts'
import { sentBrand } from './brand.ts'
import { nameKey, requireName } from './name.ts'

/** An account, with what its codes go by. */
export type Account = AccountRow

/** The account that always exists. */
export const defaultAccount = 'default'

/** Seconds that an account may set between two codes to one phone. */
export const cooldownRange = { min: 30, max: 600 }

/** For the operator: people know no account but their own. Each function throws Forbidden for them. */
export interface Accounts {
  /** With the connection that it starts with. @throws Refusal when the name is none, or there is one that differs from it in no more than case */
  create: (actor: Actor, name: string) => Promise<AccountRow>
  list: (actor: Actor) => Promise<AccountRow[]>
  /**
   * Sets what its codes go by where they say nothing; what is left out stays, and null is what all accounts have.
   *
   * @throws Refusal which names everything that is wrong, Forbidden: the brand is for developers, the cooldown for owners
   */
  set: (actor: Actor, accountId: string, changes: Partial<AccountSettings>) => Promise<AccountRow>
  /** The own account. @throws Forbidden */
  own: (actor: Actor, accountId: string) => Promise<AccountRow>
  /** @param name in any case @throws Refusal when there is no such account */
  require: (actor: Actor, name: string) => Promise<AccountRow>
}

export interface AccountParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId'>
  /** What an account sends through until it is told otherwise. It has no settings. */
  firstConnection: { id: string; kind: string }
  /** Of the name of an application, as the contract has it. */
  brandForm: { pattern: RegExp; maxLength: number; words: string }
}

export function createAccounts({ commit, runtime, firstConnection, brandForm }: AccountParts): Accounts {
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
      const row = {
        id: `acct_${runtime.newId()}`,
        name,
        nameKey: nameKey(name),
        brand: null,
        cooldownSeconds: null,
        createdAt,
      }
      const connection = {
        ...{ ...firstConnection, accountId: row.id, position: 1, countries: null, failoverSeconds: null },
        ...noCaps,
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
    set: createSet({ commit, brandForm }),
    own: async (actor, accountId) => {
      requireRole(actor, 'viewer', accountId)
      return findThere(commit.reader, accountId)
    },
    require: async (actor, name) => {
      requireOperator(actor)
      const found = await findAccount(commit.reader, name, nameKey(name))
      if (!found) throw new Refusal(`There is no account "${name}".`)
      return found
    },
  }
}

function createSet({ commit, brandForm }: Pick<AccountParts, 'commit' | 'brandForm'>): Accounts['set'] {
  return async (actor, accountId, given) => {
    const changes = typeof given.brand === 'string' ? { ...given, brand: sentBrand(given.brand) } : given
    requireRole(actor, changes.cooldownSeconds === undefined ? 'developer' : 'owner', accountId)
    const faults = settingFaults(changes, brandForm)
    if (faults.length > 0) throw faultsIn(faults)
    return commit.as(actor).transaction(async (tx, note) => {
      await lockAccount(tx, accountId)
      const before = await findThere(tx, accountId)
      const after = { ...before, ...changes }
      await setAccount(tx, accountId, after)
      const changed = (['brand', 'cooldownSeconds'] as const).filter((name) => before[name] !== after[name])
      if (changed.length > 0) await note({ accountId, act: 'account.changed', subject: accountId, detail: { changed } })
      return after
    })
  }
}

async function findThere(reader: Reader, accountId: string): Promise<AccountRow> {
  const found = await findAccountById(reader, accountId)
  if (!found) throw new Refusal(`There is no account ${accountId}.`)
  return found
}

function settingFaults({ brand, cooldownSeconds: seconds }: Partial<AccountSettings>, form: AccountParts['brandForm']) {
  const { min, max } = cooldownRange
  const isBrand =
    typeof brand !== 'string' || (brand !== '' && brand.length <= form.maxLength && form.pattern.test(brand))
  const isCooldown = typeof seconds !== 'number' || (Number.isInteger(seconds) && seconds >= min && seconds <= max)
  return [
    ...(isBrand ? [] : [`A brand is ${form.words}.`]),
    ...(isCooldown ? [] : [`The time between two codes to one phone is a whole number from ${min} to ${max} seconds.`]),
  ]
}
