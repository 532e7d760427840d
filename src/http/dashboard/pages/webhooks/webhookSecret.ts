/** The secrets of an endpoint: shown to who proves who he is, and replaced with an overlap. */
import type { Endpoint } from '../../../../store/webhooks/endpoint.ts'
import { html } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { blockOf } from '../../parts/code.ts'
import { nameUrl } from '../../parts/endpoint.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'

const section = '/webhooks'

export const secretRoutes: readonly GuardedRoute[] = [
  {
    method: 'POST',
    path: '/webhooks/:id/secret',
    role: 'developer',
    isSensitive: true,
    act: reveal,
    back: ({ params }) => `/webhooks/${params.id ?? ''}`,
  },
  { method: 'GET', path: '/webhooks/:id/rotate', role: 'developer', isSensitive: true, show: rotating },
  {
    method: 'POST',
    path: '/webhooks/:id/rotate',
    role: 'developer',
    isSensitive: true,
    act: rotate,
    back: ({ params }) => `/webhooks/${params.id ?? ''}/rotate`,
  },
]

async function reveal({ desk, actor, params }: Asked): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const [newest, ...older] = await desk.endpoints.reveal(actor, endpoint)
  const rotateLink = html`<a class="button" href="/webhooks/${endpoint.id}/rotate">Rotate it</a>`
  if (!newest) {
    const sentence =
      'This secret was sealed under a secret of the service that is not here any more. Nothing can be sent until it is rotated.'
    return { title: 'The secret', section, body: html`${headOf('The secret')}${emptyOf(sentence, rotateLink)}` }
  }
  const body = html`${headOf('The secret')}
<section class="panel">
<p>It signs everything that is sent to <b class="theirs">${nameUrl(endpoint)}</b>.</p>
${blockOf(newest.secret, 'The secret')}
<p class="quiet-text">Anyone who has it can send your receiver events that look like ours. The audit log records that you have seen it.</p>
</section>
${older.map(
  ({ secret, endsAt }) => html`<section class="panel">
<h2>An older one, which signs too${endsAt !== null && html` until ${timeOf(endsAt)}`}</h2>
${blockOf(secret, 'An older secret')}
</section>`,
)}
${backTo(endpoint)}`
  return { title: 'The secret', section, body }
}

async function rotating({ desk, actor, params }: Asked): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const body = html`${headOf('Rotate the secret')}
<p class="lead">A new secret is made for <b class="theirs">${nameUrl(endpoint)}</b>, and signs from then on. The old one signs too for 24 hours: each request carries both signatures. So nothing is lost, if your receiver has the new one within a day.</p>
<div class="acts">${actButton({ to: `/webhooks/${endpoint.id}/rotate`, label: 'Rotate the secret' })}<a class="button plain" href="/webhooks/${endpoint.id}">Cancel</a></div>`
  return { title: 'Rotate the secret', section, body }
}

async function rotate({ desk, actor, params }: Asked): Promise<View> {
  const endpoint = await desk.endpoints.require(actor, params.id ?? '')
  const { secret, oldEndsAt } = await desk.endpoints.rotate(actor, endpoint)
  const body = html`${headOf('The new secret')}
<section class="panel">
<p>Put it into your receiver at <b class="theirs">${nameUrl(endpoint)}</b> before the old one ends, ${timeOf(oldEndsAt)}. Until then each request is signed with both.</p>
${blockOf(secret, 'The new secret')}
</section>
${backTo(endpoint)}`
  return { title: 'The new secret', section, body }
}

function backTo({ id }: Endpoint) {
  return html`<p><a class="button plain" href="/webhooks/${id}">Back to the endpoint</a></p>`
}
