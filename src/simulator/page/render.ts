/** The HTML of the page. Each part with a `data-part` is put again by the script when it has changed. */

import { type Html, html } from '../../http/html.ts'
import type { State } from '../control.ts'
import { type FaultRow, faultNameOf, faultTable, type WireName } from '../faults.ts'
import type { Entry } from '../journal.ts'
import type { MessageView, PhoneView } from '../phones.ts'

export interface View {
  /** The newest first. */
  phones: PhoneView[]
  state: State
  entries: Entry[]
}

const names: Record<WireName, string> = { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'SMS' }

export function render(view: View): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Simulator</title>
<link rel="icon" href="/_simulator/icon.svg">
<link rel="stylesheet" href="/_simulator/page.css">
<script type="module" src="/_simulator/page.js"></script>
</head>
<body>
<div id="parts">${renderParts(view)}</div>
<section class="faults" aria-labelledby="faults">
<h2 id="faults">Numbers that misbehave</h2>
<p>Ten numbers each, so that tests side by side have their own. Any number can be given any of them, on its phone above or by
<code>PUT /_simulator/phones/+14155550199</code> with <code>{"fault": "hangs"}</code>.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">numbers</th><th scope="col">fault</th><th scope="col">what happens</th></tr></thead>
<tbody>${faultTable.map(faultRow)}</tbody>
</table></div>
</section>
</body>
</html>
`
}

export function renderParts({ phones, state, entries }: View): Html {
  return html`<header data-part="head">${head(state)}</header>
<main data-part="phones">${phones.length > 0 ? phones.map(phoneCard) : empty}</main>
<section data-part="journal" class="journal"${entries.length === 0 ? hidden : none}>
<h2>What went wrong</h2>
<ol>${entries.map(entryLine)}</ol>
</section>`
}

const none = html``
const hidden = html` hidden`
const empty = html`<p class="empty">No phone has got anything yet. Point <code>base_url</code> of a connection at this address, and
send.</p>`

function head({ phones, taken, refused, reports, chaos, slowness }: State): Html {
  const { accepted, given_up, waiting } = reports
  return html`<h1>Simulator</h1>
<p class="figures"><b>${phones}</b> phones <b>${taken}</b> messages <b>${refused}</b> refused
<b>${accepted}</b> reports taken <b>${waiting}</b> waiting <b>${given_up}</b> given up</p>
<p class="modes">${chaos ? html`<span>chaos ${Math.round(chaos.probability * 100)}%, seed ${chaos.seed}</span>` : none}
${slowness ? html`<span>one answer in ${slowness.every} takes ${slowness.ms} ms</span>` : none}</p>`
}

function phoneCard(view: PhoneView): Html {
  const { phone, messages } = view
  return html`<article data-part="phone ${phone}" class="phone">
<h2>${spaced(phone)}</h2>
<label>Fault <select data-phone="${phone}" aria-label="Fault of ${phone}">${choices(view)}</select></label>
<ol>${messages.map(bubble)}</ol>
</article>`
}

/** What the number does by itself, then all others. */
function choices({ phone, faults }: PhoneView): Html {
  const [set] = Object.values(faults)
  const own = html`<option value="">${faultNameOf(phone)} (its number)</option>`
  const listed = faultTable.map(({ name }) => name).filter((name) => !name.endsWith(':CODE'))
  const all = set === undefined || listed.includes(set) ? listed : [set, ...listed]
  return html`${own}${all.map((name) => html`<option value="${name}"${name === set ? chosen : none}>${name}</option>`)}`
}

const chosen = html` selected`

function bubble(message: MessageView): Html {
  const { id, wire, provider, taken, outcome, at, text, code, statuses, fault, verification } = message
  const by = provider === null ? none : html` by ${provider}`
  const kind = html`<span class="kind">${names[wire]}</span>${by} <time datetime="${at}">${at.slice(11, 19)}</time>`
  if (!taken) {
    return html`<li class="refused ${wire}"><p class="top">${kind}</p><p>Not taken: ${outcome}</p>${referenceLine(message)}</li>`
  }
  const steps = statuses.map(
    ({ status, at }) => html`<li class="${status}"><time datetime="${at}">${status}</time></li>`,
  )
  return html`<li class="bubble ${wire}"><p class="top">${kind}${fault === 'delivered' ? none : html` <i>${fault}</i>`}</p>
${code === undefined ? none : html`<p class="code">${code}</p>`}
<p class="text">${text}</p>${referenceLine(message)}
<ul class="steps"><li>taken</li>${steps}${verification ? html`<li>${verification.replace('_', ' ')}</li>` : none}</ul>
<p class="acts">${(['delivered', 'read', 'failed'] as const).map((status) => button(id, status))}</p></li>`
}

function button(id: string, status: string): Html {
  return html`<button type="button" data-report="${status}" data-id="${id}">${status}</button>`
}

/** What the sender calls it; which of its tries this is, would be cut off. */
function referenceLine({ reference, leg }: MessageView): Html {
  if (reference === null) return none
  const which = leg === null ? none : html`leg ${leg} of `
  return html`<p class="reference" title="${reference}">${which}${reference}</p>`
}

function entryLine({ at, about, text, count }: Entry): Html {
  const time = at.toISOString()
  const often = count > 1 ? html` <b>${count} times</b>` : none
  const name = about === 'report' ? 'Report' : names[about]
  return html`<li><time datetime="${time}">${time.slice(11, 19)}</time> <span>${name}</span> ${text}${often}</li>`
}

function faultRow({ prefix, name, does }: FaultRow): Html {
  const numbers =
    prefix === undefined ? 'any, when set' : `${spaced(`${prefix}0`)} to ${spaced(`${prefix}9`).slice(-4)}`
  return html`<tr><td>${numbers}</td><td><code>${name}</code></td><td>${does}</td></tr>`
}

function spaced(phone: string): string {
  return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3')
}
