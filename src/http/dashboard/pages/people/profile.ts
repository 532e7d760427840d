/** One's own: name, password, authenticator, and where one is signed in. */
import type { ListedSession } from '../../../../domain/people/userSession.ts'
import type { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import { cookiesOfEntry } from '../../entrance.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { nameBrowser } from '../../parts/browser.ts'
import { faultsAt, fieldFaultOf, textField } from '../../parts/field.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/profile'
const [role, back] = ['viewer' as const, () => '/profile']

export const profileRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/profile', role, show: (asked) => profile(asked) },
  { method: 'POST', path: '/profile/name', role, act: rename, back, again: profile },
  { method: 'GET', path: '/profile/password', role, isSensitive: true, show: (asked) => newPassword(asked) },
  {
    ...{ method: 'POST', path: '/profile/password', role, isSensitive: true, act: changePassword },
    ...{ back: () => '/profile/password', again: newPassword },
  },
  { method: 'POST', path: '/profile/sessions/end', role, act: endOthers, back },
  { method: 'POST', path: '/profile/sessions/:id/end', role, act: endOne, back },
]

async function profile({ session, entrance, form }: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const { above, beside } = faultsAt(['name'], fault, refusal)
  const sessions = await entrance.sessions.list(session)
  const body = html`${headOf('Your profile')}
${above}
<section class="panel">
<form method="post" action="/profile/name" class="stack">
${textField({ name: 'name', label: 'Name', value: form.has('name') ? form.text('name') : session.name, fault: beside.name, autocomplete: 'name', isRequired: true, lengthMax: 64, help: html`You sign in as ${session.email}, and are ${session.role} of ${session.account}.` })}
<div class="acts"><button class="plain">Change the name</button></div>
</form>
</section>
<section class="panel">
<div class="head"><h2>Password</h2>${session.hasPassword && html`<a class="button plain" href="/profile/password">Change the password</a>`}</div>
<p class="quiet-text">${session.hasPassword ? 'When you change it, you are signed out everywhere else.' : 'You sign in with your company, and have no password here.'}</p>
</section>
${authenticator(session)}
<section>
<div class="head"><h2>Where you are signed in</h2>${sessions.length > 1 && actButton({ to: '/profile/sessions/end', label: 'Sign out everywhere else' })}</div>
${renderTable({
  caption: 'Where you are signed in',
  rows: sessions,
  columns: [
    { name: 'Browser', cell: ({ agent }) => nameBrowser(agent) },
    { name: 'From', cell: ({ address }) => address, isExtra: true },
    { name: 'Since', cell: ({ createdAt }) => timeOf(createdAt), isExtra: true },
    { name: 'Last seen', cell: (one) => lastSeen(one, session.id) },
    {
      name: '',
      cell: ({ id }) => id !== session.id && actButton({ to: `/profile/sessions/${id}/end`, label: 'Sign out' }),
    },
  ],
})}
</section>`
  return { title: 'Your profile', section, body }
}

function lastSeen({ id, seenAt }: ListedSession, own: string): Html {
  return id === own ? toned('delivered', 'this one') : timeOf(seenAt)
}

function authenticator({ hasAuthenticator, recoveryCodes }: Asked['session']): Html {
  if (!hasAuthenticator) {
    return html`<section class="panel">
<div class="head"><h2>Authenticator app</h2><a class="button" href="/profile/authenticator">Set it up</a></div>
<p class="quiet-text">Six digits from your phone, in addition to the password. A stolen password alone is then not enough to sign in.</p>
</section>`
  }
  return html`<section class="panel">
<div class="head"><h2>Authenticator app</h2>${toned('delivered', 'in use')}</div>
<p class="quiet-text">${recoveryCodes === 0 ? 'No recovery code is left. Create new ones now: without the app and without a code, only an owner can let you in again.' : `${counted(recoveryCodes, 'recovery code is', 'recovery codes are')} left, for when you lose the app.`}</p>
<div class="acts">${actButton({ to: '/profile/authenticator/codes', label: 'Create new recovery codes', confirm: 'Create ten new recovery codes. The old ones stop working.' })}${actButton(
    {
      to: '/profile/authenticator/remove',
      label: 'Remove',
      confirm: 'Remove the authenticator. The password alone is then enough.',
      isDangerous: true,
    },
  )}</div>
</section>`
}

async function rename({ desk, session, form }: Asked): Promise<Done> {
  await desk.users.rename(session, form.text('name'))
  return { to: '/profile', said: 'Your name is changed.' }
}

function newPassword({ session }: Asked, fault?: string): View {
  const body = html`${headOf('Change the password')}
${fieldFaultOf(fault)}
<form method="post" action="/profile/password" class="stack">
<input type="hidden" name="email" value="${session.email}" autocomplete="username">
${textField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, hasFocus: true, help: 'At least 12 characters. You are signed out everywhere else.' })}
<div class="acts"><button>Change the password</button><a class="button plain" href="/profile">Cancel</a></div>
</form>`
  return { title: 'Change the password', section, body }
}

async function changePassword(asked: Asked): Promise<Done> {
  const { desk, session, form } = asked
  const token = await desk.users.changePassword(session, form.raw('password'))
  const cookies = await cookiesOfEntry(asked, { token, isPending: false })
  return { to: '/profile', said: 'Your password is changed. You are signed out everywhere else.', cookies }
}

async function endOne({ entrance, session, params }: Asked): Promise<Done> {
  await entrance.sessions.end(session, params.id)
  return { to: '/profile', said: 'Signed out there.' }
}

async function endOthers({ entrance, session }: Asked): Promise<Done> {
  const ended = await entrance.sessions.endOthers(session)
  return { to: '/profile', said: `Signed out in ${counted(ended, 'other browser')}.` }
}
