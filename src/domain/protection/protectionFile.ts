/** `protection.yaml`: a list of rules, read with the line of each fault, and written again. */
import { Document, isCollection, visit } from 'yaml'
import { type FileFault, readBoundedYaml } from '../../kit/boundedYaml.ts'
import { faultsOfForm, inPlainWords, withLines } from '../../kit/formFaults.ts'
import { type ProtectionRule, ruleList, writtenRule } from './rule.ts'

type ReadRules = { rules: ProtectionRule[]; faults?: never } | { rules?: never; faults: FileFault[] }

/** @returns the rules where nothing is wrong; otherwise all faults in the order of their lines */
export function readProtectionFile(text: string): ReadRules {
  const { value, faults, lineOf } = readBoundedYaml(text)
  if (faults.length > 0) return { faults }
  const { data: rules, error } = ruleList.safeParse(value, { error: inPlainWords })
  return rules ? { rules } : { faults: withLines(faultsOfForm(error), lineOf) }
}

/** A file that `readProtectionFile` reads as these rules: a line for each member of a rule. */
export function protectionFileOf(rules: readonly ProtectionRule[]): string {
  const document = new Document(rules.map(writtenRule), { aliasDuplicateObjects: false })
  visit(document, {
    // Around a member of a rule, there is the document, the list, the rule and the pair.
    Pair: (_key, { value }, around) => {
      if (around.length === 3 && isCollection(value)) value.flow = true
    },
  })
  return document.toString({ lineWidth: 0 })
}
