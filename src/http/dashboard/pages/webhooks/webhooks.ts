/** Developers › Webhooks: where the account is told what happens, and how a new place is added. */
import { eventTypes } from '../../../../contract/event.ts'
import { countedMax } from '../../../../domain/webhooks/endpointDelivery.ts'
import { ownCommand } from '../../../../kit/ownCommand.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import type { Endpoint } from '../../../../store/webhooks/endpoint.ts'
import type { StateCounts } from '../../../../store/webhooks/eventDeliveryPage.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { emptyOf, headOf } from '../../parts/act.ts'
import { blockOf } from '../../parts/code.ts'
import { countedTo, endpointState, nameUrl, renderType, toAddress } from '../../parts/endpoint.ts'
import { checkFields, faultsAt, radioFields, textField } from '../../parts/field.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'
import { deliveryRoutes } from './webhookDelivery.ts'
import { endpointRoutes } from './webhookEndpoint.ts'
import { replayRoutes } from './webhookReplay.ts'
import { secretRoutes } from './webhookSecret.ts'

const section = '/webhooks'

export const endpointListRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/webhooks', role: 'viewer', show: list },
  { method: 'GET', path: '/webhooks/new', role: 'developer', isSensitive: true, show: (asked) => newEndpoint(asked) },
  {
    method: 'POST',
    path: '/webhooks',
    role: 'developer',
    isSensitive: true,
    act: add,
    back: () => '/webhooks/new',
    again: newEndpoint,
  },
  ...secretRoutes,
  ...replayRoutes,
  ...endpointRoutes,
  // Last: an event's id stands where the others have a word.
  ...deliveryRoutes,
]

type Line = Endpoint & { counts: StateCounts }

async function list(asked: Asked): Promise<View> {
  const { desk, actor } = asked
  const endpoints = await desk.endpoints.list(actor)
  const counts = await desk.endpoints.counts(actor, endpoints)
  const rows = endpoints.map((endpoint, index) => ({ ...endpoint, counts: counts[index]! })).toReversed()
  const isLive = rows.some(({ counts: { due } }) => due > 0)
  const button = actor.role !== 'viewer' && html`<a class="button" href="/webhooks/new">Add an endpoint</a>`
  const body =
    rows.length === 0
      ? html`${headOf('Webhooks')}
${emptyOf(html`An endpoint is a URL of yours. It is told what happens to your messages, as it happens.<br>There is none yet.`, button)}
${receiverHelp(asked)}`
      : html`${headOf('Webhooks', button)}
<div id="endpoints"${isLive && html` data-live="5"`}>${renderTable({ caption: 'Endpoints', rows, columns, href: ({ id }) => `/webhooks/${id}` })}</div>`
  return { title: 'Webhooks', section, body }
}

const number = (name: string, of: (counts: StateCounts) => number) => ({
  name,
  cell: ({ counts }: Line) =>
    of(counts) === 0 ? html`<span class="quiet-text">–</span>` : countedTo(of(counts), countedMax),
  isNumber: true,
  isExtra: true,
})

const columns = [
  {
    name: 'Endpoint',
    cell: (row: Line) => html`<span class="clamped">${toAddress(row)}</span>`,
  },
  { name: 'Mode', cell: ({ mode }: Line) => mode },
  { name: 'Events', cell: ({ types }: Line) => renderTypes(types), isExtra: true },
  { name: 'State', cell: renderState },
  number('Due', ({ due }) => due),
  number('Held', ({ held }) => held),
  number('Failed', ({ failed }) => failed),
]

function renderTypes(types: readonly string[] | null): Part {
  if (types === null) return 'all'
  const [first, ...more] = types
  return first !== undefined && more.length === 0 ? renderType(first) : `${types.length} types`
}

function renderState(row: Line): Html {
  const since = row.disabledAt ?? row.failingSince
  return html`${endpointState(row)}${since !== null && html`<br><small>${timeOf(since)}</small>`}`
}

/** Where `endpoints listen` listens. */
const ownReceiver = 'http://127.0.0.1:9800/'

/** For who has nothing yet that could be told. */
function receiverHelp({ desk, apiUrl }: Asked): Html {
  const own = html`Your own receiver takes ten lines: <a href="/guide/events">Events</a> has it in TypeScript and in Python. <a href="${apiUrl}/docs">The reference</a> describes every event.`
  if (!desk.endpoints.mayBeAt(ownReceiver)) {
    return html`<section class="panel">
<h2>No receiver yet?</h2>
<p class="quiet-text">${own}</p>
</section>`
  }
  return html`<section class="panel">
<h2>No receiver yet?</h2>
<p class="quiet-text">This starts one on the machine of the service. It prints each event, and whether its signature is right:</p>
${blockOf(`${ownCommand.cli} endpoints listen`, 'The command')}
<p class="quiet-text">Then add <code>${ownReceiver}</code> here as an endpoint for test events, and send it a test. This machine alone may be reached without https. ${own}</p>
</section>`
}

function newEndpoint(asked: Asked, fault?: string, refusal?: Refusal): View {
  const { above, beside } = faultsAt(['url'], fault, refusal)
  const { form, desk } = asked
  const wanted = form.has('url') ? form.all('type') : []
  const body = html`${headOf('Add an endpoint')}
${above}
<form method="post" action="/webhooks" class="stack">
${textField({ name: 'url', label: 'URL', type: 'url', value: form.text('url'), fault: beside.url, placeholder: 'https://shop.example/watchword', help: `Events are posted there. It must begin with https://, and its host must have a public address${desk.endpoints.mayBeAt(ownReceiver) ? ' (on the machine of the service, http:// will do)' : ''}.`, isRequired: true, lengthMax: 2048, hasFocus: true })}
${radioFields({
  name: 'mode',
  label: 'Mode',
  value: form.text('mode') || 'test',
  choices: [
    { value: 'test', label: 'Test events', help: 'What happens to messages of test keys.' },
    { value: 'live', label: 'Live events', help: 'What happens to messages of live keys.' },
  ],
})}
${radioFields({
  name: 'events',
  label: 'Events',
  value: form.text('events') || 'all',
  choices: [
    {
      value: 'all',
      label: 'All',
      help: 'Also types that a later version adds: answer 2xx to types that you do not know.',
    },
    { value: 'some', label: 'These alone' },
  ],
})}
<div class="some-types">${checkFields({ name: 'type', label: 'Types', values: wanted, choices: eventTypes.map((type) => ({ value: type, label: type })) })}</div>
<div class="acts"><button>Add the endpoint</button><a class="button plain" href="/webhooks">Cancel</a></div>
</form>
${receiverHelp(asked)}`
  return { title: 'Add an endpoint', section, body }
}

async function add({ desk, actor, form }: Asked): Promise<View> {
  const { accountId } = actor
  const mode = form.text('mode')
  if (mode !== 'test' && mode !== 'live') throw new Refusal('Choose a mode: test or live events.')
  const types = form.text('events') === 'some' ? form.all('type') : null
  if (types?.length === 0) throw new Refusal('Choose the types of events, or all.')
  const given = { accountId, mode, url: form.text('url'), types, onlyIfNew: true } as const
  const { endpoint, secret } = await desk.endpoints.add(actor, given)
  const body = html`${headOf('The endpoint is added')}
<section class="panel">
<h2>Its secret</h2>
<p>It signs everything that is sent to <b class="theirs">${nameUrl(endpoint)}</b>. Your receiver verifies each request with it.</p>
${blockOf(secret, 'The secret')}
<p class="quiet-text">Keep it where you keep passwords. You can see it again on the endpoint's page.</p>
</section>
<section class="panel">
<h2>Try it</h2>
<p class="quiet-text">Start your receiver with the secret, then send samples to it. On your own machine, this prints them:</p>
${blockOf(`${ownCommand.cli} endpoints listen --secret ${secret}`, 'The command')}
<div class="acts"><a class="button" href="/webhooks/${endpoint.id}/test">Send a test</a><a class="button plain" href="/webhooks/${endpoint.id}">Go to the endpoint</a></div>
</section>`
  return { title: 'The endpoint is added', section, body }
}
