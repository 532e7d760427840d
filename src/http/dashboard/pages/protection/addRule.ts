/** Sending › Protection › Add a rule: first what it looks at, then its sentence. */
import { keptRules, type ProtectionRule, type RuleSubject, ruleList } from '../../../../domain/protection/rule.ts'
import { freeId, withRule } from '../../../../domain/protection/ruleChange.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { fieldFaultOf, radioFields, selectField, textField } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { fillRuleFields, type RuleBasis, readRuleFields } from './ruleFields.ts'
import { applyRules, findRules, reasonField, versionField } from './ruleForm.ts'
import { sentenceFields, subjectNames } from './ruleSentence.ts'
import { ruleWords } from './ruleWords.ts'
import { requireRule } from './sentenceFaults.ts'

const section = '/protection'
const path = '/protection/add'
const sensitive = { role: 'owner', isSensitive: true } as const

export const addRuleRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, ...sensitive, show: (asked) => adding(asked) },
  { method: 'POST', path, ...sensitive, act: add, back: () => path, again: adding },
]

const counts = [
  { value: 'unverified', label: 'Codes that were not verified', help: 'They were sent, and not typed in correctly.' },
  { value: 'sends', label: 'All codes that are sent' },
  {
    value: 'numbers',
    label: 'Different phone numbers',
    help: 'Numbers near each other show that a program counts up.',
  },
  { value: 'countries', label: 'Different countries', help: 'One person seldom has numbers of many countries.' },
  { value: 'list', label: 'A list: allowed countries, or kinds of numbers', help: 'Nothing is counted.' },
] as const

async function adding(asked: Asked, fault?: string): Promise<View> {
  const { form, query } = asked
  const asks = form.has('by') ? form.text.bind(form) : (name: string) => query.get(name) ?? ''
  const isFirst = asks('by') === ''
  const body = html`<p class="way"><a href="/protection">Protection</a></p>
${headOf('Add a rule')}
${fieldFaultOf(fault)}
${isFirst ? basisForm() : await sentencePage(asked, asks('by'), asks('count'))}`
  return { title: 'Add a rule', section, body }
}

function basisForm() {
  const subjects = Object.entries(subjectNames).map(([value, label]) => ({ value, label: `Codes ${label}` }))
  return html`<form method="get" action="${path}" class="stack">
${selectField({ name: 'by', label: 'What is looked at together', value: 'country', choices: subjects, help: 'A block of numbers is all numbers that differ in their last four digits only.' })}
${radioFields({ name: 'count', label: 'What is counted', value: 'unverified', choices: counts })}
<div class="acts"><button>Go on</button><a class="button plain" href="/protection">Cancel</a></div>
</form>`
}

async function sentencePage(asked: Asked, by: string, count: string) {
  const { form } = asked
  const found = await findRules(asked)
  const basis = startingRule(by, count)
  const id = form.has('id') ? form.text('id') : freeId(keptRules(found.rules), `${by.replace('_', '-')}-${count}`)
  return html`<form method="post" action="${path}" class="stack wide">
${versionField(form, found)}<input type="hidden" name="by" value="${by}"><input type="hidden" name="count" value="${count}">
${textField({ name: 'id', label: 'Name', value: id, isRequired: true, lengthMax: 32, help: 'Lower-case letters, digits and “-”. It appears in responses, in the audit and in figures.' })}
${sentenceFields(basis, form.has('do') ? readRuleFields(form) : fillRuleFields(basis))}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Add</button><a class="button plain" href="${path}">Back</a></div>
</form>
${ruleWords()}`
}

/** What the fields begin with. @throws Refusal for what cannot be counted together */
function startingRule(by: string, count: string): ProtectionRule {
  const listed = by === 'country' ? { allow: 'all' } : { kinds: ['premium_rate'] }
  const constant = count === 'unverified' || count === 'sends' ? 30 : 3
  const said = count === 'list' ? listed : { count, window: '1h', over: { constant } }
  const { data } = ruleList.safeParse([{ id: 'new', by, ...said, do: 'record' }])
  if (data?.[0]) return data[0]
  throw new Refusal(
    'These two do not go together. Lists are of countries or of kinds of numbers, and a country is always one.',
  )
}

async function add(asked: Asked): Promise<Done> {
  const { form } = asked
  const [by, count, id] = [form.text('by') as RuleSubject, form.text('count'), form.text('id')]
  const found = await findRules(asked)
  if (found.rules.some((rule) => rule.id === id)) throw new Refusal(`There is a rule ${id} already.`)
  const { count: counted } = startingRule(by, count)
  const basis: RuleBasis = { id, by, count: counted }
  const rules = withRule(found.rules, requireRule(basis, readRuleFields(form)))
  const { raised } = await applyRules(asked, { ...found, rules })
  return { to: section, said: raised.length > 0 ? `${id} refuses sends from now on.` : `The rule ${id} was added.` }
}
