/** Sending › Channels: a test code through one of them, to the phone of whoever asks for it. */
import { testCodesInHour } from '../../../../domain/channels/testCode.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { fieldFaultOf, textField } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const pathOf = ({ params }: Asked) => `/channels/${params.id ?? ''}/test`
const path = '/channels/:id/test'

export const channelTestRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, role: 'owner', show: (asked) => asking(asked) },
  { method: 'POST', path, role: 'owner', act: send, back: pathOf, again: asking },
]

async function asking(asked: Asked, fault?: string): Promise<View> {
  const { desk, actor, params, form } = asked
  const id = params.id ?? ''
  await desk.testCodes.require(actor, actor.accountId, id)
  const title = 'Send a test code'
  const body = html`<p class="way"><a href="/channels">Channels</a></p>
${headOf(title)}
<p class="lead">It goes to your phone through <code>${id}</code> alone, and you see every step as it happens.</p>
${fieldFaultOf(fault)}
<form method="post" action="${pathOf(asked)}" class="stack">
${textField({ name: 'phone', label: 'Your phone', type: 'tel', value: form.text('phone'), placeholder: '+4915123456789', autocomplete: 'tel', isRequired: true, lengthMax: 40, hasFocus: true, help: 'With + and the code of its country.' })}
<p class="small quiet-text">It is a real message of this account: it costs what a message costs, counts for the limits of the phone, and your webhooks get its events. An account can send ${testCodesInHour} test codes in an hour. The audit names you.</p>
<div class="acts"><button>Send the code</button><a class="button plain" href="/channels">Cancel</a></div>
</form>`
  return { title, section: '/channels', body }
}

async function send({ desk, actor, params, form }: Asked): Promise<Done> {
  const connection = params.id ?? ''
  const id = await desk.testCodes.send(actor, actor.accountId, { connection, phone: form.text('phone') })
  return {
    to: `/messages/${id}`,
    said: `A code is on its way through ${connection}. Its progress is shown here.`,
  }
}
