/** An account's own list of rules: all at once, and written to the audit. */
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { faultsIn, Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import type { Reader } from '../../store/engine/session.ts'
import { findProtections, type ProtectionRow, putProtection } from '../../store/protection/list.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { type ProtectionRule, ruleList, type WrittenRule, writtenRule } from './rule.ts'
import { standardList } from './standardList.ts'

export interface GivenProtection {
  rules: readonly WrittenRule[]
  fail: ProtectionRow['fail']
}

export interface FoundProtection extends GivenProtection {
  /** Another one after each change. */
  version: string
  /** False for the standard list: the account has none of its own. */
  isOwn: boolean
}

export interface Protections {
  /**
   * Makes the list of an account this one.
   *
   * @param reason why rules are to refuse sends that let them pass until now
   * @param version of the list that it was made from; of whatever list when left out
   * @returns the ids of the rules that refuse sends from now on, and did not before
   * @throws Refusal which names everything that is wrong, Forbidden
   */
  apply: (
    actor: Actor,
    accountId: string,
    given: GivenProtection,
    reason?: string,
    version?: string,
  ) => Promise<{ raised: string[] }>
  /** The list in force. @throws Forbidden */
  find: (actor: Actor, accountId: string) => Promise<FoundProtection>
}

const reasonCharactersMax = 500
const changedMeanwhile =
  'Somebody else has changed the rules since you opened the page. Look at them again, then change them.'

export function createProtections({
  commit,
  runtime,
}: {
  commit: ActCommit
  runtime: Pick<Runtime, 'now'>
}): Protections {
  return {
    apply: async (actor, accountId, { rules: given, fail }, reason, version) => {
      requireRole(actor, 'owner', accountId)
      const rules = readRuleList(given)
      return commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const before = await findOne(tx, accountId)
        if (version !== undefined && version !== before.version) throw new Refusal(changedMeanwhile)
        const raised = rules.filter(
          (rule) => refuses(rule) && !before.rules.some((one) => one.id === rule.id && one.do === rule.do),
        )
        const raisedIds = raised.map(({ id }) => id)
        const why = raisedIds.length > 0 ? requireReason(raisedIds, reason) : undefined
        const after = { rules: rules.map(writtenRule), fail }
        await putProtection(tx, { accountId, ...after, updatedAt: runtime.now() })
        const changed = changesOf(before, after)
        if (changed.length > 0 || !before.isOwn) {
          const detail = { changed, ...(why !== undefined && { refuse: raisedIds, reason: why }) }
          await note({ accountId, act: 'protection.changed', subject: accountId, detail })
        }
        return { raised: raisedIds }
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
  const found: GivenProtection = own
    ? { rules: own.rules as WrittenRule[], fail: own.fail }
    : { rules: standardList.map(writtenRule), fail: 'open' }
  return { ...found, isOwn: own !== undefined, version: versionOf(found) }
}

function versionOf({ rules, fail }: GivenProtection): string {
  return hash('sha256', JSON.stringify([fail, rules]), 'base64url').slice(0, 16)
}

/** @throws Refusal */
function readRuleList(given: readonly WrittenRule[]): ProtectionRule[] {
  const { data, error } = ruleList.safeParse(given)
  if (data) return data
  throw faultsIn(
    '',
    error.issues.map(({ path, message }) => `${path.join('.') || 'the list'} ${message}`),
  )
}

function refuses({ do: act }: ProtectionRule): boolean {
  return act !== 'record'
}

/** @throws Refusal */
function requireReason(ids: readonly string[], reason = ''): string {
  const text = reason.trim()
  const rules = ids.join(', ')
  if (text === '') throw new Refusal(`These rules would refuse sends from now on: ${rules}. Say why, with a reason.`)
  if (text.length <= reasonCharactersMax) return text
  throw new Refusal(`The reason must have at most ${reasonCharactersMax} characters.`)
}

/** The ids of the rules that are new, gone or other ones; and `fail`. What a rule says, is not repeated: it may name phones. */
function changesOf(before: GivenProtection, after: GivenProtection): string[] {
  const ruleOf = ({ rules }: GivenProtection, id: string) => rules.find((rule) => rule.id === id)
  const ids = [...new Set([...before.rules, ...after.rules].map(({ id }) => id))]
  const isSame = (id: string) => isDeepStrictEqual(plain(ruleOf(before, id)), plain(ruleOf(after, id)))
  return [...ids.filter((id) => !isSame(id)), ...(before.fail === after.fail ? [] : ['fail'])]
}

/** As the database gives it back. */
function plain(rule: WrittenRule | undefined): unknown {
  return rule && JSON.parse(JSON.stringify(rule))
}
