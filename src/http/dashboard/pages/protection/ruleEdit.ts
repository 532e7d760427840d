/** Sending › Protection: changing what one rule does, the whole list, and who passes. */
import type { FoundProtection } from '../../../../domain/protection/protection.ts'
import { appliedText, givenByFile, protectionFileOf } from '../../../../domain/protection/protectionFile.ts'
import { keptRules, type ProtectionRule, type RuleAct } from '../../../../domain/protection/rule.ts'
import { withAct, withPassing } from '../../../../domain/protection/ruleChange.ts'
import { ruleText } from '../../../../domain/protection/ruleText.ts'
import { maskPhone } from '../../../../domain/sending/phone.ts'
import { readPhone } from '../../../../domain/sending/phones/typedPhone.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { type Choice, fieldFaultOf, radioFields, textArea } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { protectionIn, ruleFaultsOf, rulesArea } from './ruleForm.ts'

const section = '/protection'
const list = '/protection/rules'
const sensitive = { role: 'owner', isSensitive: true } as const
const pathOf = (asked: Asked) => `${list}/${idOf(asked)}`

export const ruleEditRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: list, ...sensitive, show: (asked) => editing(asked) },
  { method: 'POST', path: list, ...sensitive, act: apply, back: () => list, again: editing },
  { method: 'GET', path: `${list}/:id`, ...sensitive, show: (asked) => changing(asked) },
  { method: 'POST', path: `${list}/:id`, ...sensitive, act: change, back: pathOf, again: changing },
  { method: 'POST', path: '/protection/reset', ...sensitive, act: reset, back: () => section },
  { method: 'POST', path: '/protection/pass', ...sensitive, act: letPass, back: () => section },
]

function idOf({ params }: Asked): string {
  return params.id ?? ''
}

function foundFor({ desk, actor }: Asked): Promise<FoundProtection> {
  return desk.protections.find(actor, actor.accountId)
}

async function editing(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const { form } = asked
  const found = await foundFor(asked)
  const isFirst = !form.has('rules')
  const text = isFirst ? protectionFileOf(found) : form.raw('rules')
  const body = html`<p class="way"><a href="/protection">Protection</a></p>
${headOf('Edit the list of rules', html`<a class="button plain" href="/protection/try">Try rules</a>`)}
${ruleFaultsOf(fault, refusal)}
<form method="post" action="${list}" class="stack wide">
<input type="hidden" name="version" value="${isFirst ? found.version : form.text('version')}">
${rulesArea(text)}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Apply</button><a class="button plain" href="/protection">Cancel</a></div>
</form>`
  return { title: 'Edit the list of rules', section, body }
}

async function apply(asked: Asked): Promise<Done> {
  const { desk, actor, form } = asked
  const given = givenByFile(protectionIn(form))
  const applied = await desk.protections.apply(actor, actor.accountId, given, ...changeOf(asked))
  const { length } = given.rules
  const rules = length === 0 ? 'no rules now: nothing is judged' : `${length} rules now`
  return { to: section, said: `The list has ${rules}.${appliedText(applied)}` }
}

/** Why, and for which list. */
function changeOf({ form }: Asked): [reason: string, version: string] {
  return [form.text('reason'), form.text('version')]
}

const actChoices: readonly (Choice & { value: RuleAct })[] = [
  {
    value: 'record',
    label: 'Record',
    help: 'The message is sent. What the rule found is shown here and at the message.',
  },
  {
    value: 'challenge',
    label: 'Challenge',
    help: 'Your application is answered 403 challenge_required. It can show a captcha, and send again with what that says.',
  },
  { value: 'block', label: 'Block', help: 'Your application is answered 403 send_blocked. Nothing is sent.' },
]

async function changing(asked: Asked, fault?: string): Promise<View> {
  const { form } = asked
  const found = await foundFor(asked)
  const rule = ruleIn(found, idOf(asked))
  const version = form.has('version') ? form.text('version') : found.version
  const body = html`<p class="way"><a href="/protection">Protection</a></p>
${headOf(html`The rule <code>${rule.id}</code>`)}
${fieldFaultOf(fault)}
<p class="lead">By ${rule.by.replace('_', ' ')}: ${ruleText(rule)}.</p>
<form method="post" action="${pathOf(asked)}" class="stack">
<input type="hidden" name="version" value="${version}">
${radioFields({ name: 'do', label: 'When it finds a send', value: form.has('do') ? form.text('do') : rule.do, choices: actChoices })}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Save</button><a class="button plain" href="/protection">Cancel</a></div>
</form>
<p class="quiet-text">Not sure? <a href="/protection/try">Try it first</a>: you see how many real people it would have stopped.</p>`
  return { title: `The rule ${rule.id}`, section, body }
}

/** @throws Refusal */
function ruleIn({ rules }: FoundProtection, id: string): ProtectionRule {
  const rule = keptRules(rules).find((one) => one.id === id)
  if (rule) return rule
  throw new Refusal(`There is no rule ${id}.`)
}

function reasonField(value: string) {
  return textArea({
    ...{ name: 'reason', label: 'Why', value, rows: 2 },
    help: 'Needed when rules are to refuse sends that let them pass until now. It stands in the audit.',
  })
}

async function change(asked: Asked): Promise<Done> {
  const { desk, actor, form } = asked
  const found = await foundFor(asked)
  const { id } = ruleIn(found, idOf(asked))
  const act = actChoices.find(({ value }) => value === form.text('do'))?.value
  if (act === undefined) throw new Refusal('Choose what the rule is to do.')
  const given = { ...found, rules: withAct(found.rules, id, act) }
  const { raised } = await desk.protections.apply(actor, actor.accountId, given, ...changeOf(asked))
  return { to: section, said: raised.length > 0 ? `${id} refuses sends from now on.` : `${id}: ${act}.` }
}

async function reset({ desk, actor, form }: Asked): Promise<Done> {
  const hadOwn = await desk.protections.reset(actor, actor.accountId, form.text('version'))
  return {
    to: section,
    said: hadOwn ? 'The standard list is in force again. It only records.' : 'The standard list was in force already.',
  }
}

async function letPass(asked: Asked): Promise<Done> {
  const { desk, actor, form } = asked
  const found = await foundFor(asked)
  const given = { ...found, rules: withPassing(found.rules, form.text('phone')) }
  await desk.protections.apply(actor, actor.accountId, given, '', form.text('version'))
  return {
    to: section,
    said: `${maskPhone(readPhone(form.text('phone')) ?? '')} passes the rules that refuse sends.`,
  }
}
