/** What the rules found lately, and whom they stopped. */
import type { ActCounts, RuleDay, RuleHours, StoppedNumber } from '../../../../domain/insight/ruleHours.ts'
import { maskPhone } from '../../../../domain/sending/phone.ts'
import { type Html, html } from '../../../html.ts'
import { type BarPart, renderChart, renderSpark } from '../../chart.ts'
import { actButton } from '../../parts/act.ts'
import { count, counted } from '../../parts/amount.ts'
import { textField } from '../../parts/field.ts'
import { renderTable } from '../../parts/table.ts'
import { dayOf, hourNameOf, hourOf, hourOfDayOf, zoneOf } from '../../parts/time.ts'

const acts: readonly (BarPart & { act: keyof ActCounts })[] = [
  { act: 'record', tone: 'sent', name: 'recorded' },
  { act: 'challenge', tone: 'expired', name: 'challenged' },
  { act: 'block', tone: 'failed', name: 'blocked' },
]

export function renderFoundByHour({ hours, rules }: RuleHours): Html {
  if (rules.size === 0) return html`<p class="quiet-text">No rule found anything in the last 24 hours.</p>`
  return html`<div class="panel"><p class="quiet-text">${zoneOf('Hours are in UTC.', 'Hours are in your time zone.')} A send that several rules found counts for each.</p>
${renderChart({
  label: 'What rules found by hour, and what was done',
  unit: 'Hour',
  parts: acts,
  bars: hours.map(({ at, found }) => ({
    ...{ label: hourOf(at), name: hourNameOf(at), hour: at, line: 0 },
    parts: acts.map(({ act }) => found[act]),
  })),
  labelEvery: 3,
  isRunning: true,
})}</div>`
}

/** What a rule found in 14 days: what it stopped, or would have stopped while it only recorded. */
export function foundByDay(days: readonly RuleDay[] = []): Html | string {
  const all = days.reduce((sum, { sends }) => sum + sends, 0)
  if (all === 0) return '0'
  const [worst] = days.toSorted((one, other) => other.sends - one.sends)
  const label = `${counted(all, 'send')} in 14 days; most on ${dayOf(worst!.at)}: ${count(worst!.sends)}`
  return html`${renderSpark(
    days.map(({ sends }) => sends),
    label,
  )}<br>${count(all)}`
}

/** @param passes where an owner lets a number pass; undefined for who may not */
export function renderStopped(
  stopped: readonly StoppedNumber[],
  passes: { to: string; version: string } | undefined,
): Html {
  return html`${
    stopped.length === 0
      ? html`<p class="quiet-text">No number was stopped in the last 24 hours.</p>`
      : renderTable({
          caption: 'Numbers that were stopped, and by which rules',
          rows: stopped,
          columns: [
            { name: 'Phone', cell: ({ phone }) => html`<span class="phone-number">${masked(phone)}</span>` },
            {
              name: 'Stopped by',
              cell: ({ rules, noted }) =>
                html`${namesOf(rules)}${noted.length > 0 && html` <small>also noted by ${namesOf(noted)}</small>`}`,
            },
            { name: 'In the hour', cell: ({ hour }) => hourOfDayOf(hour), isNumber: true },
            ...(passes ? [{ name: '', cell: ({ phone }: StoppedNumber) => passButton(phone, passes) }] : []),
          ],
        })
  }${passes && passForm(passes)}`
}

function namesOf(rules: readonly string[]): Html[] {
  return rules.map((id, index) => html`${index > 0 && ', '}<code>${id}</code>`)
}

function masked(phone: string): string {
  return phone.includes('•') ? phone : maskPhone(phone)
}

function passButton(phone: string, { to, version }: { to: string; version: string }): Html {
  return actButton({
    ...{ to, label: 'Let pass', fields: { phone, version } },
    confirm: `Let ${maskPhone(phone)} pass: the rules that refuse sends no longer check it.`,
  })
}

function passForm({ to, version }: { to: string; version: string }): Html {
  return html`<form method="post" action="${to}" class="stack"><input type="hidden" name="version" value="${version}">
${textField({ name: 'phone', label: 'Let another number pass', type: 'tel', isRequired: true, lengthMax: 40, placeholder: '+4930123456', help: 'Rules that refuse sends no longer check it. It is in their lists, under except.' })}
<div class="acts"><button class="plain">Let it pass</button></div></form>`
}
