/** Setting up an authenticator app, its recovery codes, and taking it off. */
import type { Enrolment } from '../../../../domain/people/authenticator.ts'
import { html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { blockOf } from '../../parts/code.ts'
import { fieldFaultOf, textField } from '../../parts/field.ts'
import { renderQrCode } from '../../parts/picture.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'

const section = '/profile'
const guarded = { role: 'viewer', isSensitive: true } as const
const back = () => '/profile'

export const authenticatorRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/profile/authenticator', ...guarded, show: begin },
  { method: 'POST', path: '/profile/authenticator', ...guarded, act: confirm, back: () => '/profile/authenticator' },
  { method: 'POST', path: '/profile/authenticator/codes', ...guarded, act: renewCodes, back },
  { method: 'POST', path: '/profile/authenticator/remove', ...guarded, act: remove, back },
]

async function begin({ entrance, session }: Asked): Promise<View | Done> {
  if (session.hasAuthenticator) return { to: '/profile' }
  return enrolment(await entrance.authenticators.begin(session))
}

function enrolment({ uri, secret, sealed }: Enrolment, fault?: string): View {
  const body = html`${headOf('Set up an authenticator app')}
${fieldFaultOf(fault)}
<div class="enrolment">
<section class="panel">
<h2>1. Read this with the app</h2>
${renderQrCode(uri, 'The picture for your app')}
<details><summary>I cannot read the picture</summary>
<p class="quiet-text">Type this into the app instead:</p>
${blockOf(secret.replaceAll(/.{4}(?=.)/g, '$& '), 'The secret')}</details>
</section>
<section class="panel">
<h2>2. Type the code that it shows</h2>
<form method="post" action="/profile/authenticator" class="stack">
<input type="hidden" name="sealed" value="${sealed}">
${textField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isRequired: true, lengthMax: 12, hasFocus: true, help: 'Six digits. From now on, you need such a code each time you sign in.' })}
<div class="acts"><button>Turn it on</button><a class="button plain" href="/profile">Cancel</a></div>
</form>
</section>
</div>`
  return { title: 'Set up an authenticator app', section, body, ...(fault !== undefined && { status: 400 }) }
}

async function confirm({ entrance, session, form }: Asked): Promise<View> {
  const sealed = form.raw('sealed')
  const codes = await entrance.authenticators.confirm(session, sealed, form.text('code'))
  if (codes) return shown('The authenticator is on', codes)
  const enrolled = await entrance.authenticators.again(session, sealed)
  return enrolment(
    enrolled,
    'This code is wrong. Check that your phone sets its clock automatically, then try the next code.',
  )
}

async function renewCodes({ entrance, session }: Asked): Promise<View> {
  return shown('New recovery codes', await entrance.authenticators.renewCodes(session))
}

/** The only time that they are seen. */
function shown(title: string, codes: readonly string[]): View {
  const body = html`${headOf(title)}
<section class="panel">
<h2>Your recovery codes</h2>
<p>If you lose the app, each of these lets you in once. Do not keep them with your password. They are shown only now.</p>
${blockOf(codes.join('\n'), 'Recovery codes')}
</section>
<p><a class="button" href="/profile">I have kept them</a></p>`
  return { title, section, body }
}

async function remove({ entrance, session }: Asked): Promise<Done> {
  await entrance.authenticators.remove(session)
  return { to: '/profile', said: 'The authenticator is removed. The password alone is enough now.' }
}
