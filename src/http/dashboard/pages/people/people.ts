/** Settings › People: who may come in, and as what. */
import { type Role, roles } from '../../../../domain/access/actor.ts'
import { type Invitation, linkOf } from '../../../../domain/people/invitation.ts'
import type { User } from '../../../../domain/people/user.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { blockOf } from '../../parts/code.ts'
import { faultsAt, radioFields, textField } from '../../parts/field.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/people'
const sensitive = { role: 'owner', isSensitive: true } as const
const back = () => '/people'

export const peopleRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/people', role: 'owner', show: list },
  { method: 'GET', path: '/people/invite', ...sensitive, show: (asked) => invitation(asked) },
  {
    method: 'POST',
    path: '/people/invite',
    ...sensitive,
    act: invite,
    back: () => '/people/invite',
    again: invitation,
  },
  { method: 'POST', path: '/people/invitations/:id/end', role: 'owner', act: endInvitation, back },
  { method: 'POST', path: '/people/sign-out', ...sensitive, act: signOutAll, back },
]

async function list({ desk, actor }: Asked): Promise<View> {
  const [users, invitations] = [
    await desk.users.list(actor, actor.accountId),
    await desk.invitations.list(actor, actor.accountId),
  ]
  const body = html`${headOf(
    'People',
    html`${actButton({ to: '/people/sign-out', label: 'Sign everyone out', confirm: `Sign everyone out, including you: ${counted(users.length, 'person has', 'people have')} to sign in again.`, isDangerous: true })}<a class="button" href="/people/invite">Invite a person</a>`,
  )}
${renderTable({
  caption: 'People',
  rows: users,
  href: ({ id }) => `/people/${id}`,
  columns: [
    { name: 'Name', cell: ({ name, email }) => html`${name}<br><small>${email}</small>` },
    { name: 'Role', cell: (user) => user.role },
    { name: 'Authenticator', cell: ({ hasAuthenticator }) => (hasAuthenticator ? 'on' : 'off'), isExtra: true },
    { name: 'Last sign-in', cell: lastSignIn, isExtra: true },
    { name: 'State', cell: stateOf },
  ],
})}
${invitations.length > 0 && open(invitations)}`
  return { title: 'People', section, body }
}

export function lastSignIn({ signedInAt }: User): Html {
  return signedInAt ? timeOf(signedInAt) : html`<span class="quiet-text">never</span>`
}

export function stateOf({ disabledAt }: User): Html {
  return disabledAt ? toned('failed', 'disabled') : toned('delivered', 'active')
}

function open(invitations: readonly Invitation[]): Html {
  return html`<section>
<h2>Links that are open</h2>
${renderTable({
  caption: 'Links that are open',
  rows: invitations,
  columns: [
    { name: 'For', cell: ({ email }) => email ?? 'anyone with the link' },
    {
      name: 'What it does',
      cell: ({ userId, role }) => (userId === null ? `creates a new ${role}` : 'sets the password'),
    },
    { name: 'Made by', cell: ({ invitedBy }) => invitedBy, isExtra: true },
    { name: 'Ends', cell: ({ expiresAt }) => timeOf(expiresAt) },
    {
      name: '',
      cell: ({ id }) => actButton({ to: `/people/invitations/${id}/end`, label: 'End it', isDangerous: true }),
    },
  ],
})}
</section>`
}

/** What each may, where one is chosen. */
export const roleChoices: readonly { value: Role; label: string; help: string }[] = [
  { value: 'viewer', label: 'Viewer', help: 'Sees everything except phone numbers, and changes nothing.' },
  { value: 'developer', label: 'Developer', help: 'Keys, templates, webhooks and the sandbox phone.' },
  { value: 'owner', label: 'Owner', help: 'Everything, including people and channels.' },
]

export function roleIn(text: string): Role {
  const role = roles.find((one) => one === text)
  if (!role) throw new Refusal('Choose a role.')
  return role
}

function invitation({ form }: Asked, fault?: string, refusal?: Refusal): View {
  const { above, beside } = faultsAt(['email'], fault, refusal)
  const body = html`${headOf('Invite a person')}
${above}
<form method="post" action="/people/invite" class="stack">
${radioFields({ name: 'role', label: 'Role', value: form.text('role') || 'developer', choices: roleChoices })}
${textField({ name: 'email', label: 'Email', type: 'email', value: form.text('email'), fault: beside.email, help: 'If you leave it empty, anyone with the link can use it. No email is sent: you pass the link on.' })}
<div class="acts"><button>Create the link</button><a class="button plain" href="/people">Cancel</a></div>
</form>`
  return { title: 'Invite a person', section, body }
}

async function invite({ desk, actor, form, ownUrl }: Asked): Promise<View> {
  const [role, typed] = [roleIn(form.text('role')), form.text('email') || null]
  const { token, email } = await desk.invitations.make(actor, { accountId: actor.accountId, role, email: typed })
  const lead = `Send it to ${email ?? 'the person'}: it creates a new ${role}.`
  return linkShown({ title: 'Your invitation', lead, link: linkOf(ownUrl, token) })
}

/** The only time that it is seen. */
export function linkShown({ title, lead, link }: { title: string; lead: string; link: string }): View {
  const body = html`${headOf(title)}
<section class="panel">
<p>${lead} It works once, for a day. It is shown only now.</p>
${blockOf(link, 'The link')}
</section>
<p><a class="button plain" href="/people">I have copied it</a></p>`
  return { title, section, body }
}

async function endInvitation({ desk, actor, params }: Asked): Promise<Done> {
  await desk.invitations.end(actor, actor.accountId, params.id ?? '')
  return { to: '/people', said: 'The link no longer works.' }
}

async function signOutAll({ desk, actor, sessionCookies }: Asked): Promise<Done> {
  await desk.users.signOutAll(actor, actor.accountId)
  return { to: '/sign-in', cookies: sessionCookies.leave() }
}
