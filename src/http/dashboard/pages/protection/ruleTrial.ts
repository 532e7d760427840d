/** Sending › Protection › Try rules: whom a list of rules would have stopped. */
import { writeProtectionFile } from '../../../../domain/protection/protectionFile.ts'
import { ownCommand } from '../../../../kit/ownCommand.ts'
import type { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { blockOf } from '../../parts/code.ts'
import { checkFields, radioFields } from '../../parts/field.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'
import { renderReplayed } from './replayed.ts'
import { protectionIn, renderRuleFaults, rulesArea } from './ruleForm.ts'

const path = '/protection/try'

export const ruleTrialRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, role: 'developer', show: (asked) => trying(asked) },
  { method: 'POST', path, role: 'developer', act: tryOut, back: () => path, again: trying },
]

/** Seconds, by their names. */
const spans = { '24h': 86_400, '7d': 7 * 86_400, '14d': 14 * 86_400 } as const
type Span = keyof typeof spans
const spanNames: Record<Span, string> = { '24h': '24 hours', '7d': '7 days', '14d': '14 days' }

async function tryOut(asked: Asked): Promise<View> {
  const { desk, actor, form } = asked
  const { rules } = protectionIn(form)
  const isBlocking = form.has('block')
  const replayed = await desk.tryRules(actor, actor.accountId, { rules, since: spans[spanIn(asked)], isBlocking })
  return {
    title: 'Try rules',
    section: '/protection',
    body: html`${headPart()}
${renderReplayed(replayed, rules)}
${toForm(asked, await inForce(asked))}`,
  }
}

async function trying(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const body = html`${headPart()}
${renderRuleFaults(fault, refusal)}
<p class="lead">The codes that live keys have sent are judged again, by the same function that judges them when they are sent. Nothing is sent, and nothing is changed.</p>
${toForm(asked, await inForce(asked))}
<section class="panel"><h2>On the command line</h2>
<p class="quiet-text">A page tries for 15 seconds at most. The operator can try more.</p>
${blockOf(`${ownCommand.cli} protection replay protection.yaml --since 30d`, 'The command')}</section>`
  return { title: 'Try rules', section: '/protection', body }
}

function headPart() {
  return html`<p class="way"><a href="/protection">Protection</a></p>
${headOf('Try rules')}`
}

async function inForce({ desk, actor }: Asked): Promise<string> {
  return writeProtectionFile(await desk.protections.find(actor, actor.accountId))
}

/** @param rules those that it begins with */
function toForm(asked: Asked, rules: string) {
  const { form } = asked
  const isFirst = !form.has('rules')
  const text = isFirst ? rules : form.raw('rules')
  return html`<form method="post" action="${path}" class="stack wide">
${rulesArea(text)}
${radioFields({
  ...{ name: 'since', label: 'On the codes of the last', value: spanIn(asked) },
  choices: Object.entries(spanNames).map(([value, label]) => ({ value, label })),
})}
${checkFields({
  ...{ name: 'block', label: 'What rules do', values: isFirst || form.has('block') ? ['yes'] : [] },
  choices: [
    {
      value: 'yes',
      label: 'As if every rule said block',
      help: 'What a rule has stopped is not sent, and counts for nothing after it.',
    },
  ],
})}
<div class="acts"><button>Try</button><a class="button plain" href="/protection">Cancel</a></div>
</form>`
}

function spanIn({ form }: Asked): Span {
  const span = form.text('since')
  return Object.hasOwn(spans, span) ? (span as Span) : '14d'
}
