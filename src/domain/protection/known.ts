/** The lists of rules in force, as this process knows them: at most five seconds behind the database. */
import { createRemembered } from '../../kit/remembered.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { findProtections, type ProtectionRow } from '../../store/protection/list.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { type Budget, budgetList } from './budget/budget.ts'
import { type Counter, countersOf, isWritten } from './counter.ts'
import { type ProtectionRule, ruleList } from './rule.ts'
import { standardList } from './standardList.ts'

export interface RulesInForce {
  rules: readonly ProtectionRule[]
  /** What they need counted. */
  counters: readonly Counter[]
  /** Those of the counters that a send adds to. */
  written: readonly Counter[]
  /** Whether the hash of a number is among what is counted. */
  needsNumbers: boolean
  fail: ProtectionRow['fail']
  budgets: readonly Budget[]
}

export interface KnownRules {
  /**
   * With a test key, an account's own rules are asked, and no standard ones: numbers for tests are alike on purpose.
   *
   * @throws when the database is out of reach, and nothing is known of the account
   */
  of: (owner: { accountId: string; mode: Mode }) => Promise<RulesInForce>
  /** Milliseconds that a send waits for what the rules need to know. */
  judgeMs: number
  /** Looks again at the next call: this process has changed it. */
  forget: (accountId: string) => void
}

/** Of an account without a list of its own. */
const standardRules = inForce(standardList)

const noRules = inForce([])

const standardJudgeMs = 50

const accountsMax = 10_000

export function createKnownRules(parts: {
  commit: Pick<Commit, 'shareReads'>
  runtime: Pick<Runtime, 'elapsedMs'>
  judgeMs?: number | undefined
}): KnownRules {
  const accounts = createRemembered<ProtectionRow | undefined, RulesInForce>({
    now: parts.runtime.elapsedMs,
    keysMax: accountsMax,
    read: parts.commit.shareReads<string, ProtectionRow | undefined>({ work: findProtections }),
    // Kept as a value, it is read again beside its use, and no send waits for that.
    keep: (found) => (found ? rulesInForce(found) : standardRules),
  })
  return {
    of: async ({ accountId, mode }) => {
      const rules = (await accounts.get(accountId)) ?? standardRules
      return rules === standardRules && mode === 'test' ? noRules : rules
    },
    judgeMs: parts.judgeMs ?? standardJudgeMs,
    forget: accounts.forget,
  }
}

/** @throws when what is kept is no list: nobody but `apply` writes one */
function rulesInForce({ rules: written, fail, budgets }: ProtectionRow): RulesInForce {
  return inForce(ruleList.parse(written), fail, budgetList.parse(budgets))
}

function inForce(
  rules: readonly ProtectionRule[],
  fail: RulesInForce['fail'] = 'open',
  budgets: readonly Budget[] = [],
): RulesInForce {
  const counters = countersOf(rules)
  const needsNumbers = counters.some(({ by, numbers }) => numbers && by !== 'prefix')
  return { rules, counters, written: counters.filter(isWritten), needsNumbers, fail, budgets }
}
