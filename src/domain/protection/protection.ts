/** An account's own list of rules: all at once, and written to the audit. */
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { atPlace, faultsOfForm } from '../../kit/reading/formFaults.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import { faultsIn, Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import type { Reader } from '../../store/engine/session.ts'
import { findProtections, type ProtectionRow, putProtection, removeProtection } from '../../store/protection/list.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { type Budget, budgetList, type WrittenBudget, writtenBudget } from './budget/budget.ts'
import { type ProtectionRule, ruleList, type WrittenRule, writtenRule } from './rule.ts'
import { standardList } from './standardList.ts'

export interface GivenProtection {
  rules: readonly WrittenRule[]
  fail: ProtectionRow['fail']
  budgets: readonly WrittenBudget[]
}

export interface FoundProtection extends GivenProtection {
  /** Another one after each change. */
  version: string
  /** False for the standard list: the account has none of its own. */
  isOwn: boolean
}

export interface AppliedProtection {
  /** The ids of the rules that refuse sends from now on, and did not before. */
  raised: string[]
  /** The ids of the budgets that are gone. */
  removedBudgets: string[]
}

export interface Protections {
  /**
   * Makes the list of an account this one.
   *
   * @param reason why rules are to refuse sends that let them pass until now
   * @param version of the list that it was made from; of whatever list when left out
   * @throws Refusal which names everything that is wrong, or the rules that need a reason; Forbidden
   */
  apply: (
    actor: Actor,
    accountId: string,
    given: GivenProtection,
    reason?: string,
    version?: string,
  ) => Promise<AppliedProtection>
  /**
   * Takes the list of an account away: it follows the standard list again.
   *
   * @param version of the list that is to go; whatever list when left out
   * @returns whether it had one
   * @throws Refusal when it has another list by now, Forbidden
   */
  reset: (actor: Actor, accountId: string, version?: string) => Promise<boolean>
  /** The list in force. @throws Forbidden */
  find: (actor: Actor, accountId: string) => Promise<FoundProtection>
}

const reasonCharactersMax = 500
const changedMeanwhile = 'Another user changed the rules since you opened the page. Review them, then try again.'

export function createProtections({
  commit,
  runtime,
}: {
  commit: ActCommit
  runtime: Pick<Runtime, 'now'>
}): Protections {
  return {
    apply: async (actor, accountId, { fail, ...given }, reason, version) => {
      requireRole(actor, 'owner', accountId)
      const { rules, budgets } = readLists(given)
      return commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const before = await findOne(tx, accountId)
        if (version !== undefined && version !== before.version) throw new Refusal(changedMeanwhile)
        const raised = rules.filter(
          (rule) => refuses(rule) && !before.rules.some((one) => one.id === rule.id && one.do === rule.do),
        )
        const raisedIds = raised.map(({ id }) => id)
        const why = raisedIds.length > 0 ? requireReason(raisedIds, reason) : undefined
        const after = { rules: rules.map(writtenRule), fail, budgets: budgets.map(writtenBudget) }
        await putProtection(tx, { accountId, ...after, updatedAt: runtime.now() })
        const changed = findChanges(before, after)
        if (changed.length > 0 || !before.isOwn) {
          const detail = { changed, ...(why !== undefined && { refuse: raisedIds, reason: why }) }
          await note({ accountId, act: 'protection.changed', subject: accountId, detail })
        }
        const removed = before.budgets.filter(({ id }) => !budgets.some((one) => one.id === id))
        return { raised: raisedIds, removedBudgets: removed.map(({ id }) => id) }
      })
    },
    reset: async (actor, accountId, version) => {
      requireRole(actor, 'owner', accountId)
      return commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const before = await findOne(tx, accountId)
        if (!before.isOwn) return false
        if (version !== undefined && version !== before.version) throw new Refusal(changedMeanwhile)
        await removeProtection(tx, accountId)
        const detail = { changed: findChanges(before, givenBy(undefined)), standard: true }
        await note({ accountId, act: 'protection.changed', subject: accountId, detail })
        return true
      })
    },
    find: async (actor, accountId) => {
      requireRole(actor, 'viewer', accountId)
      return findOne(commit.reader, accountId)
    },
  }
}

async function findOne(reader: Reader, accountId: string): Promise<FoundProtection> {
  const [own] = await findProtections(reader, [accountId])
  const found = givenBy(own)
  return { ...found, isOwn: own !== undefined, version: versionOf(found) }
}

/** @param own undefined for the standard list */
function givenBy(own: ProtectionRow | undefined): GivenProtection {
  if (!own) return { rules: standardList.map(writtenRule), fail: 'open', budgets: [] }
  return { rules: own.rules as WrittenRule[], fail: own.fail, budgets: own.budgets as WrittenBudget[] }
}

function versionOf({ rules, fail, budgets }: GivenProtection): string {
  return hash('sha256', JSON.stringify([fail, rules, budgets]), 'base64url').slice(0, 16)
}

/** @throws Refusal */
function readLists(given: Pick<GivenProtection, 'rules' | 'budgets'>): { rules: ProtectionRule[]; budgets: Budget[] } {
  const [rules, budgets] = [
    ruleList.safeParse(given.rules, { error: schemaWords }),
    budgetList.safeParse(given.budgets, { error: schemaWords }),
  ]
  if (rules.success && budgets.success) return { rules: rules.data, budgets: budgets.data }
  throw faultsIn([
    ...faultsOfForm(rules.error, given.rules).map(({ path, fault }) => atPlace(path, fault, 'rules')),
    ...faultsOfForm(budgets.error, given.budgets).map(({ path, fault }) => atPlace(path, fault, 'budgets')),
  ])
}

function refuses({ do: act }: ProtectionRule): boolean {
  return act !== 'record'
}

/** @throws Refusal */
function requireReason(ids: readonly string[], reason = ''): string {
  const text = reason.trim()
  const rules = ids.join(', ')
  if (text === '')
    throw new Refusal(`These rules would refuse sends from now on: ${rules}. That needs a reason.`, { lacks: 'reason' })
  if (text.length <= reasonCharactersMax) return text
  throw new Refusal(`The reason must have at most ${reasonCharactersMax} characters.`)
}

/**
 * The ids of the rules that are new, gone or other ones; `budget:` and the same of budgets; and `fail`. What a rule says, is not
 * repeated: it may name phones.
 */
function findChanges(before: GivenProtection, after: GivenProtection): string[] {
  return [
    ...changedIds(before.rules, after.rules),
    ...changedIds(before.budgets, after.budgets).map((id) => `budget:${id}`),
    ...(before.fail === after.fail ? [] : ['fail']),
  ]
}

function changedIds(before: readonly { id: string }[], after: readonly { id: string }[]): string[] {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  const oneIn = (list: readonly { id: string }[], id: string) => plain(list.find((one) => one.id === id))
  return ids.filter((id) => !isDeepStrictEqual(oneIn(before, id), oneIn(after, id)))
}

/** As the database gives it back. */
function plain(one: object | undefined): unknown {
  return one && JSON.parse(JSON.stringify(one))
}
