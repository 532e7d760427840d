/** Sending › Channels: the address of reports as a QR code, for the phone whose app is to report there. */
import { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { renderAddressBlock } from '../../parts/code.ts'
import { renderQrCode } from '../../parts/picture.ts'
import type { Asked, GuardedRoute, View } from '../../route.ts'

export const channelPairRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/channels/:id/pair', role: 'viewer', show: pair },
]

async function pair({ desk, actor, params, apiUrl }: Asked): Promise<View> {
  const id = params.id ?? ''
  const connection = (await desk.connections.list(actor, actor.accountId)).find((one) => one.id === id)
  if (!connection) throw new Refusal(`There is no channel ${id}.`)
  const { reportPath, words } = connection
  if (reportPath === undefined) throw new Refusal(`The channel ${id} takes no reports.`)
  const title = 'Pair a phone'
  const body = html`<p class="way"><a href="/channels">Channels</a></p>
${headOf(title)}
<p class="lead">Read this with the phone that sends for <code>${id}</code>, and paste it where its app asks for the address of a webhook.</p>
${renderQrCode(`${apiUrl}${reportPath}`, 'The address of the reports')}
<div class="reports">${renderAddressBlock(apiUrl, reportPath, words?.reports)}</div>
<p class="small quiet-text"><a href="/guide/sim">What to enter in each app</a></p>`
  return { title, section: '/channels', body }
}
