/** One endpoint: how it is, what to do about that, and what it was told. */
import type { ListedEndpoint } from '../../../../domain/webhooks/endpoint.ts'
import { runLimits } from '../../../../domain/webhooks/endpoint.ts'
import { countedMax, heldCountedMax } from '../../../../domain/webhooks/endpointDelivery.ts'
import type { DeliveryState } from '../../../../store/webhooks/eventDelivery.ts'
import type { DeliveryLine, StateCounts } from '../../../../store/webhooks/eventDeliveryPage.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { idOf } from '../../parts/code.ts'
import {
  countedTo,
  cursorIn,
  cursorTextOf,
  deliveryState,
  describeAttempt,
  durationOf,
  endpointState,
  isTaken,
  nameUrl,
  renderType,
  toAddress,
} from '../../parts/endpoint.ts'
import { renderPager } from '../../parts/pager.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/webhooks'
const pathOf = ({ params }: Asked) => `/webhooks/${params.id ?? ''}`

export const endpointRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/webhooks/:id', role: 'viewer', show },
  { method: 'POST', path: '/webhooks/:id/enable', role: 'developer', act: enable, back: pathOf },
  { method: 'POST', path: '/webhooks/:id/disable', role: 'developer', act: disable, back: pathOf },
  { method: 'POST', path: '/webhooks/:id/remove', role: 'developer', isSensitive: true, act: remove, back: pathOf },
]

const linesMax = 25
const states: readonly DeliveryState[] = ['due', 'held', 'failed', 'delivered']

async function show({ desk, actor, params, query }: Asked): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const state = states.find((one) => one === query.get('state'))
  const page = { state, after: cursorIn(query.get('after')), count: linesMax }
  const [{ lines, next }, [counts]] = await Promise.all([
    desk.endpoints.page(actor, endpoint, page),
    desk.endpoints.counts(actor, [endpoint]),
  ])
  const may = actor.role !== 'viewer'
  const shown = { endpoint, counts: counts!, may }
  const body = html`${headOf(html`<span class="clamped">${toAddress(endpoint)}</span>`, may && actsOn(endpoint, counts!))}
<div id="endpoint" class="sections"${liveness(lines, counts!, desk.now())}>
${renderTrouble(shown, lines)}
${renderFacts(shown)}
<section>
<div class="row"><h2>Deliveries</h2>${renderSegments(endpoint, counts!, state)}</div>
${lines.length > 0 ? deliveriesTable(endpoint, lines) : html`<p class="none">${describeNothing(state)}</p>`}
${renderPager({ path: `/webhooks/${endpoint.id}`, query: readQuery(state, query), next: next && cursorTextOf(next), names: state === 'due' ? { first: 'Soonest', next: 'Later' } : undefined })}
</section>
</div>`
  return { title: nameUrl(endpoint), section, body }
}

interface Shown {
  endpoint: ListedEndpoint
  counts: StateCounts
  may: boolean
}

/** What is tried again in hours need not be looked at every three seconds. */
function liveness(lines: readonly DeliveryLine[], { due }: StateCounts, now: Date): Html | undefined {
  if (due === 0) return undefined
  const isSoon = lines.some(({ dueAt }) => dueAt !== null && dueAt.getTime() - now.getTime() < 60_000)
  return html` data-live="${isSoon ? 3 : 15}"`
}

function readQuery(state: DeliveryState | undefined, query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(state && { state })
  if (query.has('after')) kept.set('after', '')
  return kept
}

/** What would go missing is said before it is done. */
function actsOn({ id, url, disabledAt }: ListedEndpoint, { due, held }: StateCounts): Html {
  const address = nameUrl({ url })
  const waiting = due + held === 0 ? '' : ` ${countedTo(due + held, countedMax)} not sent yet are lost.`
  return html`${
    disabledAt === null &&
    html`<a class="button" href="/webhooks/${id}/test">Send a test</a><a class="button plain" href="/webhooks/${id}/replay">Replay</a>${actButton(
      {
        to: `/webhooks/${id}/disable`,
        label: 'Disable',
        confirm: `Disable ${address}: nothing is sent to it until you enable it. Events are kept meanwhile.`,
      },
    )}`
  }${actButton({
    to: `/webhooks/${id}/remove`,
    label: 'Remove',
    confirm: `Remove ${address}, with everything that was sent to it.${waiting} You cannot undo this.`,
    isDangerous: true,
  })}`
}

/** Of nothing but failures, after which it is disabled. */
const days = runLimits.seconds / (24 * 3600)

/** What is wrong, and what to do about it. */
function renderTrouble({ endpoint, counts, may }: Shown, lines: readonly DeliveryLine[]): Html | undefined {
  const { id, disabledAt, disabledReason, failingSince, failures } = endpoint
  const held = `${countedTo(counts.held, countedMax)} ${counts.held === 1 ? 'event is' : 'events are'} held for it.`
  if (disabledAt) {
    const isManual = disabledReason === 'manual'
    return html`<section class="panel trouble${!isManual && ' grave'}">
<h2>Disabled ${timeOf(disabledAt)}</h2>
<p>${whyDisabled[disabledReason ?? 'manual']} Nothing is sent to it; events are kept meanwhile${counts.held > 0 ? html`: ${held}` : '.'}</p>
<p class="quiet-text">${!isManual && 'Fix the receiver first: its last answers are below. '}When you enable it, you choose which missed events to send.</p>
${may && html`<div class="acts">${actButton({ to: `/webhooks/${id}/enable`, label: 'Enable' })}</div>`}
</section>`
  }
  if (failingSince) {
    const last = lines.flatMap((line) => line.last ?? []).toSorted((one, other) => +other.at - +one.at)[0]
    const end = new Date(failingSince.getTime() + runLimits.seconds * 1000)
    return html`<section class="panel trouble">
<h2>Failing since ${timeOf(failingSince)}</h2>
<p>${counted(failures, 'attempt')} in a row ${failures === 1 ? 'was' : 'were'} not taken.${last && !isTaken(last) && html` The last one got: <b class="theirs">${describeAttempt(last)}</b>.`}</p>
<p class="quiet-text">Open a delivery below to see the answer, and fix the receiver: it must answer 2xx within 15 seconds. The events are sent again by themselves. After ${days} days of failures only, the endpoint is disabled: ${timeOf(end)}.</p>
</section>`
  }
  if (counts.held > 0) {
    return html`<section class="panel trouble">
<h2>It missed some events</h2>
<p>${held} They happened while it was disabled.</p>
${may && html`<div class="acts"><a class="button plain" href="/webhooks/${id}/replay">Choose what to send</a></div>`}
</section>`
  }
  return undefined
}

const whyDisabled = {
  failing: `It took nothing for ${days} days.`,
  gone: 'It returned 410 Gone: it no longer wants events.',
  manual: 'A user disabled it.',
}

function renderFacts({ endpoint, may }: Shown): Html {
  const { id, url, mode, types, createdAt } = endpoint
  return html`<dl class="facts roomy panel">
<div class="wide"><dt>URL</dt><dd>${may ? idOf(url) : html`<code>${url}</code>`}</dd></div>
<div><dt>State</dt><dd>${endpointState(endpoint)}</dd></div>
<div><dt>Events</dt><dd>${mode}, ${types ? counted(types.length, 'type') : 'all types'}</dd></div>
<div><dt>Added</dt><dd>${timeOf(createdAt)}</dd></div>
<div><dt>Id</dt><dd>${idOf(id)}</dd></div>
${may && html`<div class="rest"><dt>Secret</dt><dd class="row"><code>whsec_••••••••••••</code>${actButton({ to: `/webhooks/${id}/secret`, label: 'Reveal' })}<a class="button plain" href="/webhooks/${id}/rotate">Rotate</a></dd></div>`}
${types !== null && html`<div class="wide"><dt>Types</dt><dd>${types.join(', ')}</dd></div>`}
</dl>`
}

function renderSegments({ id }: ListedEndpoint, counts: StateCounts, current: DeliveryState | undefined): Html {
  const segment = (state: DeliveryState | undefined, name: string) => {
    const number = state === undefined || state === 'delivered' ? 0 : counts[state]
    return html`<a href="/webhooks/${id}${state && `?state=${state}`}"${state === current && html` aria-current="page"`}>${name}${number > 0 && html` <small>${countedTo(number, countedMax)}</small>`}</a>`
  }
  return html`<nav class="segments" aria-label="Which deliveries">${segment(undefined, 'All')}${states.map((state) => segment(state, state[0]!.toUpperCase() + state.slice(1)))}</nav>`
}

function deliveriesTable({ id }: ListedEndpoint, rows: readonly DeliveryLine[]): Html {
  return renderTable({
    caption: 'Deliveries',
    rows,
    href: ({ eventId }) => `/webhooks/${id}/${eventId}`,
    columns: [
      {
        name: 'Event',
        cell: ({ type, eventId }) => html`${renderType(type)}<br><code class="quiet-text extra">${eventId}</code>`,
      },
      { name: 'State', cell: renderState },
      { name: 'Last answer', cell: renderAnswer },
      { name: 'Attempts', cell: ({ tried }) => tried, isNumber: true, isExtra: true },
      { name: 'Happened', cell: ({ at }) => timeOf(at), isExtra: true },
    ],
  })
}

function renderState({ state, dueAt, tried }: DeliveryLine): Html {
  const next = state === 'due' && dueAt !== null && tried > 0 && html`<br><small>${timeOf(dueAt)}</small>`
  return html`${deliveryState(state)}${next}`
}

function renderAnswer({ last }: DeliveryLine): Html {
  if (!last) return html`<span class="quiet-text">–</span>`
  return html`<span class="clamped${!isTaken(last) && ' bad'}">${describeAttempt(last)}</span> <small>${durationOf(last.durationMs)}</small>`
}

function describeNothing(state: DeliveryState | undefined): string {
  if (state === undefined) return 'There are no events for it yet. Send a test to see one.'
  return `None is ${state}.`
}

async function enable({ desk, actor, params }: Asked): Promise<Done> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const held = await desk.endpoints.enable(actor, endpoint)
  const path = `/webhooks/${endpoint.id}`
  if (!held) return { to: path, said: 'Enabled. It missed nothing.' }
  const missed =
    held.count === 1 ? 'One event is held for it' : `${countedTo(held.count, heldCountedMax)} events are held for it`
  return { to: `${path}/replay`, said: `Enabled. ${missed}: choose what is sent.` }
}

async function disable({ desk, actor, params }: Asked): Promise<Done> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  await desk.endpoints.disable(actor, endpoint)
  return { to: `/webhooks/${endpoint.id}`, said: 'Disabled. What happens from now on is kept for it.' }
}

async function remove({ desk, actor, params }: Asked): Promise<Done> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  await desk.endpoints.remove(actor, endpoint)
  return { to: '/webhooks', said: `Removed ${nameUrl(endpoint)}.` }
}
