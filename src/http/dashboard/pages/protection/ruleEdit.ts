/** Sending › Protection: changing what one rule does, the whole list, and who passes. */
import { appliedText, givenByFile, writeProtectionFile } from '../../../../domain/protection/protectionFile.ts'
import { withPassing } from '../../../../domain/protection/ruleChange.ts'
import { maskPhone } from '../../../../domain/sending/phone.ts'
import { readPhone } from '../../../../domain/sending/phones/typedPhone.ts'
import type { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import {
  applyRules,
  findRules,
  protectionIn,
  reasonField,
  renderRuleFaults,
  rulesArea,
  versionField,
} from './ruleForm.ts'

const section = '/protection'
const list = '/protection/rules'
const sensitive = { role: 'owner', isSensitive: true } as const

export const ruleEditRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: list, ...sensitive, show: (asked) => editing(asked) },
  { method: 'POST', path: list, ...sensitive, act: apply, back: () => list, again: editing },
  { method: 'POST', path: '/protection/reset', ...sensitive, act: reset, back: () => section },
  { method: 'POST', path: '/protection/pass', ...sensitive, act: letPass, back: () => section },
]

async function editing(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const { form } = asked
  const found = await findRules(asked)
  const text = form.has('rules') ? form.raw('rules') : writeProtectionFile(found)
  const body = html`<p class="way"><a href="/protection">Protection</a></p>
${headOf('Edit the list of rules', html`<a class="button plain" href="/protection/try">Try rules</a>`)}
${renderRuleFaults(fault, refusal)}
<form method="post" action="${list}" class="stack wide">
${versionField(form, found)}
${rulesArea(text)}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Apply</button><a class="button plain" href="/protection">Cancel</a></div>
</form>`
  return { title: 'Edit the list of rules', section, body }
}

async function apply(asked: Asked): Promise<Done> {
  const given = givenByFile(protectionIn(asked.form))
  const applied = await applyRules(asked, given)
  const { length } = given.rules
  const rules = length === 0 ? 'no rules: no send is checked' : `${length} rules now`
  return { to: section, said: `The list has ${rules}.${appliedText(applied)}` }
}

async function reset({ desk, actor, form }: Asked): Promise<Done> {
  const hadOwn = await desk.protections.reset(actor, actor.accountId, form.text('version'))
  return {
    to: section,
    said: hadOwn ? 'The standard list is in force again. It only records.' : 'The standard list was in force already.',
  }
}

async function letPass(asked: Asked): Promise<Done> {
  const { form } = asked
  const found = await findRules(asked)
  await applyRules(asked, { ...found, rules: withPassing(found.rules, form.text('phone')) })
  return {
    to: section,
    said: `${maskPhone(readPhone(form.text('phone')) ?? '')} passes the rules that refuse sends.`,
  }
}
