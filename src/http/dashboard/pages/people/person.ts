/** Settings › People › one of them: the role, and what to do when something went wrong. */
import { linkOf } from '../../../../domain/people/invitation.ts'
import type { User } from '../../../../domain/people/user.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { radioFields } from '../../parts/field.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { lastSignIn, linkShown, roleChoices, roleIn, stateOf } from './people.ts'

const section = '/people'
const sensitive = { role: 'owner', isSensitive: true } as const
const back = ({ params }: Asked) => `/people/${params.id ?? ''}`

export const personRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/people/:id', role: 'owner', show },
  { method: 'POST', path: '/people/:id/role', ...sensitive, act: setRole, back },
  { method: 'POST', path: '/people/:id/disable', ...sensitive, act: disable, back },
  { method: 'POST', path: '/people/:id/enable', ...sensitive, act: enable, back },
  { method: 'POST', path: '/people/:id/relink', ...sensitive, act: relink, back },
  { method: 'POST', path: '/people/:id/sign-out', role: 'owner', act: signOut, back },
  { method: 'POST', path: '/people/:id/password', ...sensitive, act: passwordLink, back },
  { method: 'POST', path: '/people/:id/authenticator', ...sensitive, act: removeAuthenticator, back },
]

async function show(asked: Asked): Promise<View> {
  const user = await findPerson(asked)
  const { id, name, role } = user
  const body = html`${headOf(name, stateOf(user))}
<section class="panel">
<dl class="facts">
<div><dt>Email</dt><dd>${user.email}</dd></div>
<div><dt>Here since</dt><dd>${timeOf(user.createdAt)}</dd></div>
<div><dt>Last sign-in</dt><dd>${lastSignIn(user)}</dd></div>
<div><dt>Signs in with</dt><dd>${proofs(user)}</dd></div>
</dl>
</section>
<section class="panel">
<form method="post" action="/people/${id}/role" class="stack">
${radioFields({ name: 'role', label: 'Role', value: role, choices: roleChoices })}
<div class="acts"><button class="plain">Change the role</button></div>
</form>
</section>
<section class="panel">
<h2>When something went wrong</h2>
<div class="acts">${actsOn(user)}</div>
</section>
<p><a class="button plain" href="/people">All people</a></p>`
  return { title: name, section, body }
}

function proofs({ hasPassword, hasAuthenticator }: User): string {
  const first = hasPassword ? 'a password' : 'the company'
  return hasAuthenticator ? `${first} and an authenticator` : first
}

function actsOn({ id, name, hasPassword, hasAuthenticator, disabledAt }: User): Html {
  if (disabledAt) return actButton({ to: `/people/${id}/enable`, label: 'Enable' })
  return html`${actButton({ to: `/people/${id}/password`, label: 'Create a link for a new password' })}
${hasAuthenticator && actButton({ to: `/people/${id}/authenticator`, label: 'Remove the authenticator', confirm: `Remove the authenticator of ${name}. The password alone is then enough: be sure who asked you.`, isDangerous: true })}
${!hasPassword && actButton({ to: `/people/${id}/relink`, label: 'Link to the company again', confirm: `The next identity at your company with the verified email of ${name} signs in as ${name}: be sure who asked you.`, isDangerous: true })}
${actButton({ to: `/people/${id}/sign-out`, label: 'Sign out everywhere' })}
${actButton({ to: `/people/${id}/disable`, label: 'Disable', confirm: `Disable ${name}: this signs them out everywhere, ends the links that they made, and they can no longer sign in.`, isDangerous: true })}`
}

/** @throws Refusal when there is no such person */
async function findPerson({ desk, actor, params }: Asked): Promise<User> {
  const found = (await desk.users.list(actor, actor.accountId)).find(({ id }) => id === params.id)
  if (!found) throw new Refusal(`There is no user ${params.id ?? ''}.`)
  return found
}

function keyOf({ actor, params }: Asked) {
  return { accountId: actor.accountId, id: params.id ?? '' }
}

async function done(asked: Asked, said: (name: string) => string): Promise<Done> {
  const { name } = await findPerson(asked)
  return { to: back(asked), said: said(name) }
}

async function setRole(asked: Asked): Promise<Done> {
  const role = roleIn(asked.form.text('role'))
  await asked.desk.users.setRole(asked.actor, keyOf(asked), role)
  // Who gives the own role away sees no people any more.
  if (asked.params.id === asked.actor.id && role !== 'owner') return { to: '/profile', said: `You are ${role} now.` }
  return done(asked, (name) => `${name} is ${role} now.`)
}

async function disable(asked: Asked): Promise<Done> {
  await asked.desk.users.disable(asked.actor, keyOf(asked))
  if (asked.params.id === asked.actor.id) return { to: '/sign-in', cookies: asked.sessionCookies.leave() }
  return done(asked, (name) => `${name} is disabled, and signed out everywhere.`)
}

async function relink(asked: Asked): Promise<Done> {
  await asked.desk.users.relink(asked.actor, keyOf(asked))
  return done(asked, (name) => `${name} is linked to the company at the next sign-in there.`)
}

async function enable(asked: Asked): Promise<Done> {
  await asked.desk.users.enable(asked.actor, keyOf(asked))
  return done(asked, (name) => `${name} can sign in again.`)
}

async function signOut(asked: Asked): Promise<Done> {
  await asked.desk.users.signOut(asked.actor, keyOf(asked))
  return done(asked, (name) => `${name} is signed out everywhere.`)
}

async function removeAuthenticator(asked: Asked): Promise<Done> {
  await asked.desk.users.removeAuthenticator(asked.actor, keyOf(asked))
  return done(asked, (name) => `The authenticator of ${name} is removed.`)
}

async function passwordLink(asked: Asked): Promise<View> {
  const { token, email } = await asked.desk.invitations.makeForPassword(asked.actor, keyOf(asked))
  const lead = `Send it to ${email ?? 'the person'}: it sets a new password, and signs them out everywhere.`
  return linkShown({ title: 'A link for a new password', lead, link: linkOf(asked.ownUrl, token) })
}
