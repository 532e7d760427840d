/** What is sent to an endpoint on purpose: samples to try it, and again what it missed. */
import { type Held, heldCountedMax, type ReplayPlace } from '../../../../domain/webhooks/endpointDelivery.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { blockOf } from '../../parts/code.ts'
import { countedTo, cursorIn, cursorTextOf, nameUrl } from '../../parts/endpoint.ts'
import { type Choice, checkFields, fieldFaultOf, radioFields } from '../../parts/field.ts'
import { momentField, readMoment } from '../../parts/moment.ts'
import { exactOf, timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/webhooks'
const readPath =
  (end: string) =>
  ({ params }: Asked) =>
    `/webhooks/${params.id ?? ''}/${end}`

export const replayRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/webhooks/:id/test', role: 'developer', show: (asked) => testing(asked) },
  { method: 'POST', path: '/webhooks/:id/test', role: 'developer', act: test, back: readPath('test'), again: testing },
  { method: 'GET', path: '/webhooks/:id/replay', role: 'developer', show: (asked) => replaying(asked) },
  {
    method: 'POST',
    path: '/webhooks/:id/replay',
    role: 'developer',
    act: replay,
    back: readPath('replay'),
    again: replaying,
  },
]

async function testing({ desk, actor, params, form }: Asked, fault?: string): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const samples = desk.endpoints.samples(endpoint)
  const wanted = form.has('sent') ? form.all('type') : samples.map(({ type }) => type)
  const body = html`${headOf('Send a test')}
${fieldFaultOf(fault)}
<p class="lead">Samples are sent to <b class="theirs">${nameUrl(endpoint)}</b>, signed like any event. They are about nothing that there is: the ids in them are all zeros.</p>
<form method="post" action="/webhooks/${endpoint.id}/test" class="stack">
<input type="hidden" name="sent" value="1">
${checkFields({ name: 'type', label: 'A sample of each of these', values: wanted, choices: samples.map(({ type }) => ({ value: type, label: type })) })}
<div class="acts"><button>Send</button><a class="button plain" href="/webhooks/${endpoint.id}">Cancel</a></div>
</form>
<details class="panel"><summary>What is sent</summary><div class="sections">${samples.map((event) =>
    blockOf(JSON.stringify(event, undefined, 2), event.type),
  )}</div></details>`
  return { title: 'Send a test', section, body }
}

async function test({ desk, actor, params, form }: Asked): Promise<Done> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const sent = await desk.endpoints.test(actor, endpoint, form.all('type'))
  const said = sent.length === 1 ? 'A sample is on its way.' : `${counted(sent.length, 'sample')} are on their way.`
  return { to: `/webhooks/${endpoint.id}`, said }
}

const times = [
  { value: '3600', label: 'An hour ago' },
  { value: '86400', label: 'A day ago' },
  { value: '604800', label: 'A week ago' },
]

async function replaying({ desk, actor, params, form, query }: Asked, fault?: string): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const held = await desk.endpoints.held(actor, endpoint)
  const given = (name: string) => form.text(name) || (query.get(name) ?? '')
  const place = placeIn(given)
  const choices: Choice[] = [
    ...(place ? [placeChoice(place)] : []),
    ...(held ? [heldChoice(held)] : []),
    ...times,
    { value: 'time', label: 'Another time' },
  ]
  const body = html`${headOf('Replay')}
${fieldFaultOf(fault)}
<p class="lead">Events are sent to <b class="theirs">${nameUrl(endpoint)}</b> again, with all of their attempts before them. Each keeps its <code>webhook-id</code>, so that your receiver knows those that it has.</p>
<form method="post" action="/webhooks/${endpoint.id}/replay" class="stack">
${place && html`<input type="hidden" name="after" value="${cursorTextOf(place.after)}"><input type="hidden" name="until" value="${place.until.getTime()}">`}
${radioFields({ name: 'since', label: 'Since', value: form.text('since') || choices[0]!.value, choices })}
<div class="own-time">${momentField({ name: 'time', label: 'Day and time', value: form.text('time') })}</div>
${radioFields({
  name: 'what',
  label: 'Of what happened since then',
  value: given('what') || 'missed',
  choices: [
    { value: 'missed', label: 'What it missed', help: 'Those that are held or have failed.' },
    { value: 'all', label: 'All', help: 'Also those that it took: for a receiver that lost something.' },
  ],
})}
<div class="acts"><button>Send again</button><a class="button plain" href="/webhooks/${endpoint.id}">Cancel</a></div>
</form>`
  return { title: 'Replay', section, body }
}

/** Where a replay stopped that was not done in the time of a request. */
function placeIn(given: (name: string) => string): ReplayPlace | undefined {
  const [after, until] = [cursorIn(given('after')), given('until')]
  return after && /^\d{1,14}$/.test(until) ? { after, until: new Date(Number(until)) } : undefined
}

function placeChoice({ after, until }: ReplayPlace): Choice {
  const help = html`Between ${exactOf(after.at)} and ${exactOf(until)}: the rest of what you have begun to send again.`
  return { value: 'place', label: 'Where it stopped', help }
}

function heldChoice({ count, since }: Held): Choice {
  const help = html`${timeOf(since)}; ${countedTo(count, heldCountedMax)} ${count === 1 ? 'event is' : 'events are'} held.`
  return { value: 'held', label: 'The first event that is held', help }
}

async function replay({ desk, actor, params, form }: Asked): Promise<Done> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const since = await findSince()
  const what = form.text('what') === 'all' ? 'all' : 'missed'
  const { count, next } = await desk.endpoints.replay(actor, endpoint, { since, isMissedOnly: what === 'missed' })
  const path = `/webhooks/${endpoint.id}`
  const sent = `${counted(count, 'event')} ${count === 1 ? 'is' : 'are'} sent again`
  if (next) {
    const rest = new URLSearchParams({ after: cursorTextOf(next.after), until: `${next.until.getTime()}`, what })
    return { to: `${path}/replay?${rest}`, said: `${sent}. That is not all: go on where it stopped.` }
  }
  return { to: path, said: count === 0 ? 'There was nothing to send again.' : `${sent}.` }

  async function findSince(): Promise<Date | ReplayPlace> {
    const choice = form.text('since')
    if (choice === 'held') return (await desk.endpoints.held(actor, endpoint))?.since ?? desk.now()
    if (choice === 'time') return timeIn(form.text('time'))
    const place = choice === 'place' ? placeIn(form.text) : undefined
    if (place) return place
    if (!times.some(({ value }) => value === choice)) throw new Refusal('Choose since when.')
    return new Date(desk.now().getTime() - Number(choice) * 1000)
  }
}

/** @throws Refusal */
function timeIn(text: string): Date {
  const { at, fault } = readMoment(text)
  if (fault !== undefined) throw new Refusal(`Write since when. ${text === '' ? '' : fault}`.trim())
  return at
}
