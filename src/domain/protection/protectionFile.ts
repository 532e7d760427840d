/**
 * `protection.yaml`: a list of rules, or a mapping with such a list and what holds besides. Read with the line of each fault, and
 * written again.
 */
import { isDeepStrictEqual } from 'node:util'
import { Document, isCollection, visit } from 'yaml'
import { z } from 'zod'
import { type FileFault, readBoundedYaml } from '../../kit/reading/boundedYaml.ts'
import { faultsOfForm, type PlacedFault, withLines } from '../../kit/reading/formFaults.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import { type Budget, budgetList, writtenBudget } from './budget/budget.ts'
import type { AppliedProtection, GivenProtection } from './protection.ts'
import { idsTwice, keptRules, type ProtectionRule, ruleList, writtenRule } from './rule.ts'

export interface ProtectionFile {
  rules: ProtectionRule[]
  /** Means nothing any more: no send waits until it can be judged. */
  fail: 'open' | 'closed'
  budgets: Budget[]
}

type ReadProtection = (ProtectionFile & { faults?: never }) | { rules?: never; faults: FileFault[] }

const failForm = z.enum(['open', 'closed'], 'must be open or closed').default('open')
const mapping = z.strictObject({ rules: ruleList, fail: failForm, budgets: budgetList.default([]) })
const list = ruleList.transform((rules) => ({ rules, fail: 'open' as const, budgets: [] }))

/** @returns the rules where nothing is wrong; otherwise all faults in the order of their lines */
export function readProtectionFile(text: string): ReadProtection {
  const { value, faults, lineOf } = readBoundedYaml(text)
  if (faults.length > 0) return { faults }
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value)
  const { data, error } = (isMapping ? mapping : list).safeParse(value, { error: schemaWords })
  return data ?? { faults: withLines(allFaults(value, faultsOfForm(error, value)), lineOf) }
}

/** A list of which a member is wrong is not judged as a whole by its schema. */
function allFaults(value: unknown, faults: readonly PlacedFault[]): PlacedFault[] {
  const { rules, budgets } = (value ?? {}) as { rules?: unknown; budgets?: unknown }
  const lists: [place: PropertyKey[], list: unknown][] = [
    [[], value],
    [['rules'], rules],
    [['budgets'], budgets],
  ]
  const twice = lists.flatMap(([place, list]) =>
    Array.isArray(list) ? idsTwice(list).map(({ path, fault }) => ({ path: [...place, ...path], fault })) : [],
  )
  const isTold = (one: PlacedFault) => faults.some((other) => isDeepStrictEqual(other, one))
  return [...faults, ...twice.filter((one) => !isTold(one))]
}

/** What a file says, as it is applied. */
export function givenByFile({ rules, fail, budgets }: ProtectionFile): GivenProtection {
  return { rules: rules.map(writtenRule), fail, budgets: budgets.map(writtenBudget) }
}

/** What the file has changed for sends, for people; empty for nothing. */
export function appliedText({ raised, removedBudgets }: AppliedProtection): string {
  const refusing = raised.length > 0 ? ` From now on, these refuse sends: ${raised.join(', ')}.` : ''
  const removed = removedBudgets.length > 0 ? ` Budgets removed: ${removedBudgets.join(', ')}.` : ''
  return refusing + removed
}

/** What the file says and is not heeded, for people; empty for nothing. */
export function unheededText({ fail }: Pick<ProtectionFile, 'fail'>): string {
  return fail === 'closed' ? ' Its fail: closed means nothing any more: no send waits until it can be judged.' : ''
}

/** A file that `readProtectionFile` reads as the same: a line for each member of a rule, and of a budget. @throws Refusal */
export function writeProtectionFile(given: GivenProtection): string {
  const { fail } = given
  // What the database gives back has its members in another order.
  const written = keptRules(given.rules).map(writtenRule)
  const budgets = budgetList.parse(given.budgets).map(writtenBudget)
  const isList = fail === 'open' && budgets.length === 0
  const whole = { ...(fail === 'closed' && { fail }), ...(budgets.length > 0 && { budgets }), rules: written }
  const document = new Document(isList ? written : whole, { aliasDuplicateObjects: false })
  // Around a member of a rule, there is the document, the list, the rule and the pair; and what the list is a member of.
  const depth = isList ? 3 : 5
  visit(document, {
    Pair: (_key, { value }, around) => {
      if (around.length === depth && isCollection(value)) value.flow = true
    },
  })
  return document.toString({ lineWidth: 0 })
}
