/** A link with which somebody joins, or sets a new password. Its token stands in the fragment: the script brings it here. */
import { firstStart, theService } from '../../../../domain/access/actor.ts'
import type { Offer } from '../../../../domain/people/invitation.ts'
import type { Refusal } from '../../../../kit/refusal.ts'
import { html } from '../../../html.ts'
import { cookiesOfEntry } from '../../entrance.ts'
import { faultsAt, fieldFaultOf, textField } from '../../parts/field.ts'
import type { Done, Open, PageRoute, View } from '../../route.ts'

export const invitationRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/invitation', role: 'anyone', show: () => question() },
  { method: 'POST', path: '/invitation', role: 'anyone', act: look, back: () => '/invitation' },
  { method: 'POST', path: '/invitation/claim', role: 'anyone', act: claim, back: () => '/invitation', again: offer },
]

const over = 'This link no longer works: it was used, or it is more than a day old. Ask for another one.'

/** Without the script, what stands behind the # is pasted. */
function question(fault?: string): View {
  const body = html`<h1>You are invited</h1>
${fieldFaultOf(fault)}
<form method="post" action="/invitation" class="stack" data-fragment="token">
${textField({ name: 'token', label: 'Code of the link', isRequired: true, help: 'What comes after the # in your link.' })}
<button>Go on</button>
</form>`
  return { title: 'You are invited', body, ...(fault !== undefined && { status: 400 }) }
}

async function look(open: Open): Promise<View> {
  return offer(open)
}

async function offer({ form, entrance }: Open, fault?: string, refusal?: Refusal): Promise<View> {
  // The whole link will do.
  const token = form.text('token').replace(/^.*#/, '')
  const found = await entrance.invitations.look(token)
  if (!found) return question(over)
  const isNew = found.user === null
  const { above, beside } = faultsAt(['name', 'email', 'password'], fault, refusal)
  const body = html`<h1>${isNew ? 'You are invited' : 'Choose a new password'}</h1>
${above}
<p class="quiet-text">${isNew ? html`${invitedBy(found)} to the account <b>${found.account}</b>, as ${article(found)} ${found.role}.` : `For ${found.user}. You are signed out everywhere else.`}</p>
<form method="post" action="/invitation/claim" class="stack">
<input type="hidden" name="token" value="${token}">
${isNew && textField({ name: 'name', label: 'Your name', value: form.text('name'), fault: beside.name, autocomplete: 'name', isRequired: true, lengthMax: 64, hasFocus: true })}
${
  found.email === null
    ? textField({
        name: 'email',
        label: 'Email',
        type: 'email',
        value: form.text('email'),
        fault: beside.email,
        autocomplete: 'username',
        isRequired: true,
        help: 'You sign in with it. Nothing is sent to it.',
      })
    : html`<p class="field"><label for="email">Email</label><input id="email" type="email" value="${found.email}" autocomplete="username" readonly></p>`
}
${textField({ name: 'password', label: isNew ? 'Password' : 'New password', type: 'password', autocomplete: 'new-password', fault: beside.password, isRequired: true, help: 'At least 12 characters. A few words that only you would put together are good.' })}
<button>${isNew ? 'Join' : 'Set the password'}</button>
</form>`
  return { title: isNew ? 'You are invited' : 'Choose a new password', body }
}

async function claim(open: Open): Promise<View | Done> {
  const { form, entrance, address, agent } = open
  const entered = await entrance.invitations.claim({
    ...{ token: form.text('token'), password: form.raw('password'), address, agent },
    ...{ name: form.text('name'), email: form.text('email') },
  })
  if (!entered) return question(over)
  return { to: entered.isPending ? '/sign-in/code' : '/', cookies: await cookiesOfEntry(open, entered) }
}

/** The first link is by the service itself, which is no person. Those of a version before, for their day, say `service`. */
function invitedBy({ invitedBy: name }: Offer): string {
  return name === firstStart.name || name === theService.name ? 'You are invited' : `${name} invited you`
}

function article({ role }: Offer): string {
  return role === 'owner' ? 'an' : 'a'
}
