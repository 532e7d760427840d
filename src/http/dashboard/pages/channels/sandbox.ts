/** Developers › Sandbox phone: what the test phones got, as on a phone's screen. */

import type { SandboxText } from '../../../../domain/channels/sandboxPhone.ts'
import { readPhone } from '../../../../domain/sending/phones/typedPhone.ts'
import type { SandboxPhone } from '../../../../store/channels/sandboxMessage.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { iconOf } from '../../parts/icon.ts'
import { clockOf, renderDayMark, timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/sandbox'
/** Of a range that is kept for fiction: https://en.wikipedia.org/wiki/555_(telephone_number) */
export const fictionalPhone = '+14155550100'

export const sandboxRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: section, role: 'developer', show: (asked) => show(asked) },
  { method: 'POST', path: section, role: 'developer', act: send, back: () => section },
]

/** Sends a code to the sandbox phone that was looked at, as a test key would. */
export function sendButton(phone = fictionalPhone): Html {
  return actButton({ to: section, label: 'Send a code', fields: { phone } })
}

async function send({ desk, actor, form }: Asked): Promise<Done> {
  const phone = await desk.testCodes.sendToSandbox(actor, actor.accountId, form.text('phone'))
  return { to: `${section}?phone=${encodeURIComponent(phone)}`, said: 'A code is on its way to the sandbox phone.' }
}

async function show({ desk, actor, query }: Asked): Promise<View> {
  const phones = await desk.sandboxPhones.list(actor, actor.accountId)
  const phone = readPhone(query.get('phone') ?? '', { isPlusImplied: true }) ?? phones[0]?.phone
  const texts = phone === undefined ? [] : await desk.sandboxPhones.texts(actor, actor.accountId, phone)
  const body = html`${headOf('Sandbox phone', phone !== undefined && sendButton(phone))}
<p class="lead">Messages to the sandbox reach no real phone. They arrive here.</p>
<div id="sandbox" data-live="2">${
    phone === undefined
      ? emptyOf('Nothing has arrived yet: send a code, from here or with a test key.', sendButton())
      : html`<div class="sandbox">${renderList(phones, phone)}${renderDevice(phone, texts)}</div>`
  }</div>`
  return { title: 'Sandbox phone', section, body }
}

function renderList(phones: readonly SandboxPhone[], chosen: string): Html {
  return html`<nav class="phones" aria-label="Phones"><ul>${phones.map(
    ({ phone, text, at, count }) =>
      html`<li><a href="/sandbox?phone=${encodeURIComponent(phone)}"${phone === chosen && html` aria-current="true"`}><span class="row"><span class="phone-number">${phone}</span><small>${timeOf(at)}</small></span>
<small class="last-text" dir="auto">${text}</small><span class="sr">${counted(count, 'message')}</span></a></li>`,
  )}</ul></nav>`
}

function renderDevice(phone: string, texts: readonly SandboxText[]): Html {
  return html`<section class="device" aria-label="The phone ${phone}">
<header><span class="avatar">${iconOf('person')}</span><span class="phone-number">${phone}</span></header>
<div class="thread" tabindex="0" role="log" aria-label="Messages, the latest first">
${texts.length === 0 && html`<p class="day">Nothing has arrived.</p>`}
${texts.map((text, index) => {
  return html`<article class="arrival"><p dir="auto">${text.text}</p><footer><a href="/messages/${text.id}">Details</a> ${clockOf(text.at)}</footer></article>
${renderDayMark(text.at, texts[index + 1]?.at)}`
})}
</div>
</section>`
}
