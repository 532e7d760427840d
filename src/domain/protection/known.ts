/** The lists of rules in force, as this process knows them: at most five seconds behind the database. */
import { isDeepStrictEqual } from 'node:util'
import { createRemembered } from '../../kit/remembered.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { findProtections, type ProtectionRow } from '../../store/protection/list.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { InForce } from '../sending/protection.ts'
import { type Budget, budgetList } from './budget/budget.ts'
import { type Counter, type CounterIds, findFormer, isWritten, listCounterIds, listCounters } from './counter.ts'
import { sparesVerified } from './exception.ts'
import { type ProtectionRule, type RuleSubject, ruleList } from './rule.ts'
import { standardList } from './standardList.ts'

export interface RulesInForce extends InForce {
  rules: readonly ProtectionRule[]
  /** Which counters each of them looks at. */
  counterIds: ReadonlyMap<ProtectionRule, CounterIds>
  /** What they need counted. */
  counters: readonly Counter[]
  /** Those of the counters that a send adds to. */
  written: readonly Counter[]
  /** What rules look at of a send, with the counters of each. */
  asked: readonly AskedSubject[]
  /** The ids of the rules that let a phone pass on which a code was right before. */
  sparing: ReadonlySet<string>
  budgets: readonly Budget[]
}

export interface AskedSubject {
  by: RuleSubject
  counters: readonly AskedCounter[]
}

/** Slots that a counter looks at: its own; and while a list is new, also those of the list before. */
export interface AskedCounter {
  /** As they are counted under. */
  id: string
  /** With the length of these slots. */
  counter: Counter
}

export interface KnownRules {
  /**
   * With a test key, an account's own rules are asked, but not the standard list: numbers for tests are alike on purpose.
   *
   * @throws when the database is out of reach, and nothing is known of the account
   */
  of: (owner: { accountId: string; mode: Mode }) => Promise<RulesInForce>
  /** Looks again at the next call: this process has changed it. */
  forget: (accountId: string) => void
}

/** Of an account without a list of its own. */
const standardRules = inForce({ rules: standardList, budgets: [], isNew: false })

const noRules = inForce({ rules: [], budgets: [], isNew: false })

/** Milliseconds of the longest window, with the slot in which it begins. */
const lookBackMs = 25 * 3_600_000

const accountsMax = 10_000

const unreadable =
  'the rules of an account cannot be read: another version of the service has written them. No send is judged'

export function createKnownRules(parts: {
  commit: Pick<Commit, 'shareReads'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'log'>
}): KnownRules {
  const accounts = createRemembered<ProtectionRow | undefined, KeptList>({
    now: parts.runtime.elapsedMs,
    keysMax: accountsMax,
    read: parts.commit.shareReads<string, ProtectionRow | undefined>({ work: findProtections }),
    // The standard rules are kept too, and not undefined: what is kept is read again in the background, and no send waits.
    keep: (found, accountId, last) => {
      const kept = found ? keptList(found, parts.runtime.now().getTime(), last) : standard
      if (kept !== last && kept.isUnreadable) parts.runtime.log.error({ account: accountId }, unreadable)
      return kept
    },
  })
  return {
    of: async ({ accountId, mode }) => {
      const { rules } = (await accounts.get(accountId)) ?? standard
      return rules === standardRules && mode === 'test' ? noRules : rules
    },
    forget: accounts.forget,
  }
}

interface KeptList {
  /** Undefined for the standard list. */
  madeFrom?: Pick<ProtectionRow, 'rules' | 'budgets'> & { isNew: boolean }
  rules: RulesInForce
  /** Another version of the service wrote it, and this one cannot read it. */
  isUnreadable: boolean
}

const standard: KeptList = { rules: standardRules, isUnreadable: false }

/** A list that is read again and has not changed stays the same object. */
function keptList({ rules, budgets, appliedAt }: ProtectionRow, now: number, last: KeptList | undefined): KeptList {
  const isNew = now - appliedAt < lookBackMs
  const madeFrom = { rules, budgets, isNew }
  if (last && isDeepStrictEqual(last.madeFrom, madeFrom)) return last
  const [readRules, readBudgets] = [ruleList.safeParse(rules), budgetList.safeParse(budgets)]
  return {
    madeFrom,
    rules: inForce({ rules: readRules.data ?? [], budgets: readBudgets.data ?? [], isNew }),
    isUnreadable: !readRules.success || !readBudgets.success,
  }
}

/** @param isNew whether another list was in force in the time that counters look back */
function inForce({
  rules,
  budgets,
  isNew,
}: Pick<RulesInForce, 'rules' | 'budgets'> & { isNew: boolean }): RulesInForce {
  const counters = listCounters(rules)
  return {
    ...{ rules, budgets, counterIds: listCounterIds(rules), counters, written: counters.filter(isWritten) },
    asked: toAskedSubjects(counters, isNew),
    sparing: new Set(rules.filter(sparesVerified).map(({ id }) => id)),
  }
}

function toAskedSubjects(counters: readonly Counter[], isNew: boolean): AskedSubject[] {
  const subjects = Map.groupBy(counters.filter(isWritten), ({ by }) => by)
  return [...subjects].map(([by, own]) => ({
    by,
    counters: own.flatMap((counter) => {
      const former = isNew ? findFormer(counter) : undefined
      return [counter, ...(former ? [former] : [])].map(({ id, slotSeconds }) => ({
        id,
        counter: { ...counter, slotSeconds },
      }))
    }),
  }))
}
