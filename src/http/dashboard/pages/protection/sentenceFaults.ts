/** What is wrong in the fields of a rule's sentence, in the words of its form. */
import { ruleList, type WrittenRule } from '../../../../domain/protection/rule.ts'
import { faultsOfForm, type PlacedFault } from '../../../../kit/reading/formFaults.ts'
import { schemaWords } from '../../../../kit/reading/wrongType.ts'
import { faultsIn } from '../../../../kit/refusal.ts'
import { type RuleBasis, type RuleField, writeRule } from './ruleFields.ts'

/** @throws Refusal which names everything that is wrong */
export function requireRule(basis: RuleBasis, field: RuleField): WrittenRule {
  const rule = writeRule(basis, field)
  const { error } = ruleList.safeParse([rule], { error: schemaWords })
  if (!error) return rule
  throw faultsIn(faultsOfForm(error, [rule]).map(({ path, fault }) => faultText({ path: path.slice(1), fault })))
}

/** A field's name in a sentence; with words of its own where the form asks for something else than a file has. */
const fields: Readonly<Record<string, [name: string, words?: string]>> = {
  id: ['The name'],
  do: ['What the rule does'],
  window: ['The time', 'must be from 1 minute to 24 hours, in whole numbers'],
  settles: ['The age of a code', 'must be from 1 minute to 1 hour, in whole numbers'],
  within: ['How far apart the numbers are'],
  'over.constant': ['“More than”'],
  'over.verified': ['The percentage of the verified codes', 'must be from 0 to 10000'],
  'over.verified.times': ['The percentage of the verified codes', 'must be from 0 to 10000'],
  'over.verified.window': ['The time of the verified codes', 'must be from 1 minute to 24 hours, in whole numbers'],
  'over.verified.per': ['What the verified codes are divided by'],
  'over.max14d': ['The percentage of the best day', 'must be from 0 to 10000'],
  'over.max14d.times': ['The percentage of the best day', 'must be from 0 to 10000'],
  'over.max14d.per': ['What the best day is divided by'],
  'when.conversion_under': ['The percentage of codes that were verified', 'must be from 0 to 100'],
  'when.without_history': [
    'The time without history',
    'must be from 1 to 14 days, and goes with a percentage of codes that were verified',
  ],
  'when.sends_over': ['The number of codes sent'],
  'only.countries': ['The countries that the rule is for'],
  'except.countries': ['The countries excepted'],
  'except.networks': ['The networks excepted'],
  'except.phones': ['The numbers excepted'],
  allow: ['The allowed countries'],
  kinds: ['The kinds of numbers'],
}

function faultText({ path, fault }: PlacedFault): string {
  const place = path.filter((step) => typeof step === 'string').join('.')
  const entry = path.find((step) => typeof step === 'number')
  const [name = place, words = fault] = fields[place] ?? []
  return `${name}${entry === undefined ? '' : `, entry ${entry + 1}`}: ${words}`
}
