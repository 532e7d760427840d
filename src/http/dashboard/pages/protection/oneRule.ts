/** Sending › Protection: one rule as a sentence with fields, or as YAML where a form cannot have it. */
import type { FoundProtection } from '../../../../domain/protection/protection.ts'
import { writeProtectionFile } from '../../../../domain/protection/protectionFile.ts'
import { keptRules, type ProtectionRule, writtenRule } from '../../../../domain/protection/rule.ts'
import { withAct, withRule } from '../../../../domain/protection/ruleChange.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { blockOf } from '../../parts/code.ts'
import { fieldFaultOf } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { fillRuleFields, fitsForm, type RuleField, readRuleFields } from './ruleFields.ts'
import { actField, actIn, applyRules, findRules, reasonField, versionField } from './ruleForm.ts'
import { sentenceFields } from './ruleSentence.ts'
import { ruleWords } from './ruleWords.ts'
import { requireRule } from './sentenceFaults.ts'

const section = '/protection'
const path = '/protection/rules/:id'
const sensitive = { role: 'owner', isSensitive: true } as const
const idOf = ({ params }: Asked) => params.id ?? ''
const pathOf = (asked: Asked) => `/protection/rules/${idOf(asked)}`

export const oneRuleRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, ...sensitive, show: (asked) => changing(asked) },
  { method: 'POST', path, ...sensitive, act: changeAct, back: pathOf, again: changing },
  { method: 'POST', path: `${path}/sentence`, ...sensitive, act: change, back: pathOf, again: changing },
  { method: 'POST', path: `${path}/remove`, ...sensitive, act: remove, back: () => section },
]

async function changing(asked: Asked, fault?: string): Promise<View> {
  const found = await findRules(asked)
  const rule = ruleIn(found, idOf(asked))
  const hidden = versionField(asked.form, found)
  const body = html`<p class="way"><a href="/protection">Protection</a></p>
${headOf(html`The rule <code>${rule.id}</code>`, removeButton(rule, found.version))}
${fieldFaultOf(fault)}
${fitsForm(rule) ? sentenceForm(asked, rule, hidden) : actForm(asked, rule, hidden)}
${ruleWords()}
<p class="quiet-text">Not sure? <a href="/protection/try">Try it first</a>: you see how many real people it would have stopped.</p>`
  return { title: `The rule ${rule.id}`, section, body }
}

function removeButton({ id }: ProtectionRule, version: string): Html {
  return actButton({
    ...{ to: `/protection/rules/${id}/remove`, label: 'Remove', isDangerous: true, fields: { version } },
    confirm: `Remove the rule ${id}: no send is judged by it from then on.`,
  })
}

function sentenceForm(asked: Asked, rule: ProtectionRule, hidden: Html): Html {
  const { form } = asked
  const field: RuleField = form.has('do') ? readRuleFields(form) : fillRuleFields(rule)
  return html`<form method="post" action="${pathOf(asked)}/sentence" class="stack wide">
${hidden}${sentenceFields(rule, field)}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Save</button><a class="button plain" href="/protection">Cancel</a></div>
</form>`
}

function actForm(asked: Asked, rule: ProtectionRule, hidden: Html): Html {
  const { form } = asked
  return html`<p class="lead">No form has fields for all that this rule says. Change its numbers <a href="/protection/rules">in the list as YAML</a>.</p>
${blockOf(writeProtectionFile({ rules: [writtenRule(rule)], fail: 'open', budgets: [] }), 'The rule as YAML')}
<form method="post" action="${pathOf(asked)}" class="stack">
${hidden}${actField('When it finds a send', form.has('do') ? form.text('do') : rule.do)}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Save</button><a class="button plain" href="/protection">Cancel</a></div>
</form>`
}

/** @throws Refusal */
function ruleIn({ rules }: FoundProtection, id: string): ProtectionRule {
  const rule = keptRules(rules).find((one) => one.id === id)
  if (rule) return rule
  throw new Refusal(`There is no rule ${id}.`)
}

async function change(asked: Asked): Promise<Done> {
  const found = await findRules(asked)
  const before = ruleIn(found, idOf(asked))
  if (!fitsForm(before))
    throw new Refusal('Change this rule in the list as YAML: no form has fields for all that it says.')
  const rule = requireRule(before, readRuleFields(asked.form))
  const { raised } = await applyRules(asked, { ...found, rules: withRule(found.rules, rule) })
  return { to: section, said: raised.length > 0 ? `${rule.id} refuses sends from now on.` : `${rule.id} was saved.` }
}

async function changeAct(asked: Asked): Promise<Done> {
  const found = await findRules(asked)
  const { id } = ruleIn(found, idOf(asked))
  const act = actIn(asked.form)
  const { raised } = await applyRules(asked, { ...found, rules: withAct(found.rules, id, act) })
  return { to: section, said: raised.length > 0 ? `${id} refuses sends from now on.` : `${id}: ${act}.` }
}

async function remove(asked: Asked): Promise<Done> {
  const found = await findRules(asked)
  const { id } = ruleIn(found, idOf(asked))
  await applyRules(asked, { ...found, rules: found.rules.filter((rule) => rule.id !== id) })
  return { to: section, said: `The rule ${id} was removed.` }
}
