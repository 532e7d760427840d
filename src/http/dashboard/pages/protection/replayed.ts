/** What rules would have done, for who decides whether to let them. */
import type { Replayed } from '../../../../domain/protection/replay/replay.ts'
import type { RuleReplay } from '../../../../domain/protection/replay/ruleReplay.ts'
import { type ProtectionRule, signalSubjects } from '../../../../domain/protection/rule.ts'
import { type Html, html } from '../../../html.ts'
import { count, counted, money, share } from '../../parts/amount.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { hourOfDayOf, momentOf } from '../../parts/time.ts'

export function renderReplayed(replayed: Replayed, rules: readonly ProtectionRule[]): Html {
  const { codes, stopped, stoppedVerified, since, until } = replayed
  return html`<section class="panel" id="replayed" role="status"><h2>What these rules would have done</h2>
<p>${counted(codes, 'code')} sent from ${momentOf(new Date(since))} to ${momentOf(new Date(until))}. These rules would have stopped <strong>${count(stopped)}</strong> (${share(stopped, codes)}). Verified later, so people: <strong>${count(stoppedVerified)}</strong>.</p>
${renderNote(replayed, rules)}</section>
${renderTable({
  caption: 'What each rule would have found',
  rows: replayed.rules,
  columns: [
    { name: 'Rule', cell: ({ rule }) => html`<code>${rule}</code>`, isHead: true },
    { name: 'Does', cell: ({ do: act }) => act },
    { name: 'Found', cell: ({ found }) => count(found), isNumber: true },
    { name: 'Verified later', cell: ({ verified }) => count(verified), isNumber: true },
    { name: 'The rest cost', cell: renderCost, isNumber: true },
    { name: 'First hour', cell: ({ firstHour }) => hourOf(firstHour), isExtra: true },
    { name: 'Worst hour', cell: worstOf, isExtra: true },
  ],
})}
${replayed.rules.filter(({ found }) => found > 0).map(renderExamples)}`
}

function renderNote({ signalsSince }: Replayed, rules: readonly ProtectionRule[]): Html | undefined {
  const subjects = signalSubjects(rules)
  if (subjects.length === 0) return undefined
  const since =
    signalsSince === undefined
      ? 'No code of that time has signals'
      : html`Signals are kept since ${momentOf(new Date(signalsSince))}`
  return html`<p class="quiet-text">${since}: rules by ${subjects.join(', ')} find nothing before.</p>`
}

function renderCost({ costs }: RuleReplay): Html | string {
  if (costs.length === 0) return '–'
  return html`${costs.map((cost, index) => html`${index > 0 && html`<br>`}${money(cost)} <small>${counted(cost.messages, 'message')}</small>`)}`
}

function hourOf(at: number | undefined): Html | string {
  return at === undefined ? '–' : hourOfDayOf(new Date(at))
}

function worstOf({ worstHour }: RuleReplay): Html | string {
  return worstHour ? html`${hourOf(worstHour.at)} <small>${count(worstHour.found)}</small>` : '–'
}

function renderExamples({ rule, examples }: RuleReplay): Html {
  return html`<details class="numbers"><summary>Messages that ${rule} would have found</summary>${renderTable({
    caption: `Messages that ${rule} would have found`,
    rows: examples,
    href: ({ id }) => `/messages/${id}`,
    columns: [
      { name: 'Phone', cell: ({ phone }) => html`<span class="phone-number">${phone}</span>` },
      {
        name: 'Code',
        cell: ({ isVerified }) => (isVerified ? toned('delivered', 'verified') : toned('expired', 'not entered')),
      },
      { name: 'Sent', cell: ({ at }) => momentOf(new Date(at)), isNumber: true },
    ],
  })}</details>`
}
