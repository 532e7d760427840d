/** A list of rules as text in a form, with what is wrong in it. */

import type { FoundProtection, Protections } from '../../../../domain/protection/protection.ts'
import { type ProtectionFile, readProtectionFile } from '../../../../domain/protection/protectionFile.ts'
import type { RuleAct } from '../../../../domain/protection/rule.ts'
import type { FileFault } from '../../../../kit/reading/boundedYaml.ts'
import { placeText } from '../../../../kit/reading/formFaults.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { type Choice, fieldFaultOf, radioFields, textArea } from '../../parts/field.ts'
import type { Asked } from '../../route.ts'

/** With what is wrong, each with its line. */
export class FaultyRules extends Refusal {
  override readonly faults: readonly FileFault[]

  constructor(faults: readonly FileFault[]) {
    super('There is something wrong with these rules.', { faults })
    this.faults = faults
  }
}

/** @throws FaultyRules */
export function protectionIn(form: Form): ProtectionFile {
  const read = readProtectionFile(form.raw('rules'))
  if (read.rules) return read
  throw new FaultyRules(read.faults)
}

export function rulesArea(text: string): Html {
  return textArea({
    ...{ name: 'rules', label: 'Rules', value: text, rows: 24, isRequired: true, isSource: true },
    help: html`YAML, as in a file. <a href="/guide/protection#a-file-of-rules">What to write in it</a>`,
  })
}

/** Why nothing was done, above the form. */
export function renderRuleFaults(fault: string | undefined, refusal: Refusal | undefined): Html | undefined {
  if (!(refusal instanceof FaultyRules)) return fieldFaultOf(fault)
  return html`<div class="saying fault" role="alert"><ul class="faults">${refusal.faults.map(
    ({ line, path, fault: text }) =>
      html`<li>Line ${line}: ${path.length > 0 && html`<code>${placeText(path)}</code> `}${text}</li>`,
  )}</ul></div>`
}

export function findRules({ desk, actor }: Asked): Promise<FoundProtection> {
  return desk.protections.find(actor, actor.accountId)
}

/** Of which list the form was made: what was sent, when the form comes back. */
export function versionField(form: Form, { version }: Pick<FoundProtection, 'version'>): Html {
  return html`<input type="hidden" name="version" value="${form.has('version') ? form.text('version') : version}">`
}

export function reasonField(value: string): Html {
  return textArea({
    ...{ name: 'reason', label: 'Why', value, rows: 2 },
    help: 'Required if rules start to refuse sends. It is kept in the audit.',
  })
}

/** Gives the account other rules, for the reason of the form, if its list is still the one that the form was made for. */
export function applyRules(
  { desk, actor, form }: Asked,
  given: Parameters<Protections['apply']>[2],
): ReturnType<Protections['apply']> {
  return desk.protections.apply(actor, actor.accountId, given, form.text('reason'), form.text('version'))
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
    help: 'Your application gets 403 challenge_required. It can show a captcha, and send again with its result.',
  },
  { value: 'block', label: 'Block', help: 'Your application gets 403 send_blocked. Nothing is sent.' },
]

/** What a rule does to a send that it finds. */
export function actField(label: string, value: string): Html {
  return radioFields({ name: 'do', label, value, choices: actChoices })
}

/** @throws Refusal for what is none of them */
export function actIn(form: Form): RuleAct {
  const act = actChoices.find(({ value }) => value === form.text('do'))?.value
  if (act) return act
  throw new Refusal('Choose what the rule is to do.')
}
