/** One event for one endpoint: what was sent, and what came of every attempt. */
import type { ListedEndpoint } from '../../../../domain/webhooks/endpoint.ts'
import { attemptsShown } from '../../../../domain/webhooks/endpointDelivery.ts'
import type { DeliveryAttempt, WholeDelivery } from '../../../../store/webhooks/eventDelivery.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { blockOf, idOf } from '../../parts/code.ts'
import { deliveryState, describeAttempt, durationOf, isTaken, nameUrl } from '../../parts/endpoint.ts'
import { iconOf } from '../../parts/icon.ts'
import { exactOf, timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/webhooks'
const path = '/webhooks/:id/:eventId'
const pathOf = ({ params }: Asked) => `/webhooks/${params.id ?? ''}/${params.eventId ?? ''}`

export const deliveryRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, role: 'viewer', show },
  { method: 'POST', path: `${path}/replay`, role: 'developer', act: replay, back: pathOf },
]

async function show({ desk, actor, params }: Asked): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const delivery = await desk.endpoints.delivery(actor, endpoint, params.eventId ?? '')
  const may = actor.role !== 'viewer'
  const isOver = delivery.state !== 'due' && endpoint.disabledAt === null
  const again =
    may && isOver && actButton({ to: `/webhooks/${endpoint.id}/${delivery.eventId}/replay`, label: 'Send again' })
  const body = html`<p class="crumbs"><a href="/webhooks/${endpoint.id}">${iconOf('back')}${nameUrl(endpoint)}</a></p>
${headOf(delivery.type, again)}
<div id="delivery" class="sections"${liveness(delivery, desk.now())}>
${renderFacts(delivery, endpoint)}
<section>
<h2>Attempts</h2>
${delivery.attempts.length === attemptsShown && html`<p class="quiet-text">Of very many, the last ${attemptsShown}.</p>`}
<ol class="stops">${delivery.attempts.map(renderStop)}${renderNext(delivery)}</ol>
</section>
<section>
<h2>Request</h2>
${renderRequest(delivery, endpoint)}
</section>
</div>`
  return { title: delivery.type, section, body }
}

function liveness({ state, dueAt }: WholeDelivery, now: Date): Html | undefined {
  if (state !== 'due' || !dueAt) return undefined
  return html` data-live="${dueAt.getTime() - now.getTime() < 60_000 ? 3 : 15}"`
}

function renderFacts({ eventId, state, at, body }: WholeDelivery, { disabledAt }: ListedEndpoint): Html {
  const about = toSubject(body)
  return html`<dl class="facts roomy panel">
<div><dt>State</dt><dd>${deliveryState(state)}${state === 'held' && html`<br><small>${disabledAt ? 'until the endpoint is enabled and it is sent again' : 'until it is sent again'}</small>`}</dd></div>
<div><dt>Happened</dt><dd>${timeOf(at)}</dd></div>
<div><dt>Id</dt><dd>${idOf(eventId)}</dd></div>
${about && html`<div><dt>${about.name}</dt><dd>${about.link}</dd></div>`}
</dl>`
}

/** What it tells of, by the body's own words. */
function toSubject(body: string): { name: string; link: Html } | undefined {
  const { data } = JSON.parse(body) as { data?: { request_id?: unknown; endpoint_id?: unknown } }
  const [name, id, room] =
    typeof data?.request_id === 'string'
      ? ['Message', data.request_id, 'messages']
      : ['Endpoint', data?.endpoint_id, 'webhooks']
  if (typeof id !== 'string') return undefined
  if (/_0+$/.test(id)) return { name, link: html`none: this is a sample` }
  return { name, link: html`<a href="/${room}/${encodeURIComponent(id)}"><code>${id}</code></a>` }
}

function renderStop(attempt: DeliveryAttempt): Html {
  const { at, durationMs, answer } = attempt
  return html`<li class="${isTaken(attempt) ? 'delivered' : 'failed'}">
<p class="row"><b class="theirs">${describeAttempt(attempt)}</b><span class="quiet-text">${durationOf(durationMs)}</span><span class="quiet-text">${exactOf(at)}</span></p>
${answer !== null && (answer === '' ? html`<p class="quiet-text">The answer was empty.</p>` : html`<pre class="answer" tabindex="0" aria-label="The beginning of the answer"><code>${answer}</code></pre>`)}
</li>`
}

/** What comes after the attempts that were. */
function renderNext({ state, dueAt, tried, attempts }: WholeDelivery): Html | undefined {
  const stop = (text: Html) => html`<li class="queued"><p>${text}</p></li>`
  if (state === 'due' && dueAt) return stop(tried === 0 ? html`Sent in a moment` : html`Tried again ${timeOf(dueAt)}`)
  if (state === 'failed') return stop(html`Not tried any more`)
  return attempts.length === 0 ? stop(html`Not sent yet`) : undefined
}

/** The headers are named; of those that differ from attempt to attempt it is said how. */
function renderRequest({ eventId, body, attempts }: WholeDelivery, endpoint: ListedEndpoint): Html {
  const at = attempts.at(-1)?.at
  const headers: [string, string | Html][] = [
    ['Content-Type', 'application/json'],
    ['webhook-id', eventId],
    ['webhook-timestamp', at ? `${Math.floor(at.getTime() / 1000)}` : html`<i>seconds of the attempt</i>`],
    ['webhook-signature', html`v1,<i>of id, timestamp and body, with the endpoint's secret</i>`],
  ]
  return html`<div class="panel request">
<p><code><b>POST</b> ${endpoint.url}</code></p>
<dl>${headers.map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`)}</dl>
${blockOf(body, 'The body as it is sent')}
</div>`
}

async function replay(asked: Asked): Promise<Done> {
  const { desk, actor, params } = asked
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const { count } = await desk.endpoints.replay(actor, endpoint, { eventId: params.eventId ?? '' })
  return { to: pathOf(asked), said: count === 0 ? 'It is already being sent again.' : 'It is sent again.' }
}
