/** The door: the password, the authenticator's code, a proof again, and the way out. */
import type { SignInRefused } from '../../../../domain/people/signIn.ts'
import { ownCommand } from '../../../../kit/ownCommand.ts'
import { html } from '../../../html.ts'
import { cookiesOfEntry, nextOf } from '../../entrance.ts'
import { counted } from '../../parts/amount.ts'
import { fieldFaultOf, textField } from '../../parts/field.ts'
import type { Asked, Done, Open, PageRoute, View } from '../../route.ts'
import { proofLink } from './company.ts'

export const signInRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/sign-in', role: 'anyone', show: (open) => question(open) },
  { method: 'POST', path: '/sign-in', role: 'anyone', act: signIn, back: () => '/sign-in' },
  { method: 'GET', path: '/sign-in/code', role: 'anyone', show: (open) => codeQuestion(open) },
  { method: 'POST', path: '/sign-in/code', role: 'anyone', act: confirm, back: () => '/sign-in/code' },
  { method: 'GET', path: '/sign-in/help', role: 'anyone', show: help },
  { method: 'GET', path: '/proof', role: 'viewer', show: (asked) => proofQuestion(asked) },
  { method: 'POST', path: '/proof', role: 'viewer', act: prove, back: () => '/proof' },
  { method: 'POST', path: '/sign-out', role: 'viewer', act: signOut, back: () => '/' },
]

interface Fault {
  text: string
  status: number
}

function question({ query, form, entrance }: Open, fault?: Fault): View {
  const next = nextOf(form.raw('next') || query.get('next'))
  const body = html`<h1>Sign in</h1>
${fieldFaultOf(fault?.text)}
<form method="post" action="/sign-in" class="stack">
<input type="hidden" name="next" value="${next}">
${textField({ name: 'email', label: 'Email', type: 'email', value: form.text('email'), autocomplete: 'username', isRequired: true, hasFocus: !form.has('email') })}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true, hasFocus: form.has('email') })}
<button>Sign in</button>
</form>
${entrance.company && html`<p class="stack"><a class="button plain" href="/sign-in/company?next=${encodeURIComponent(next)}">Sign in with your company</a></p>`}
<p class="small quiet-text"><a href="/sign-in/help">I cannot sign in</a></p>`
  return { title: 'Sign in', body, ...(fault && { status: fault.status }) }
}

async function signIn(open: Open): Promise<View | Done> {
  const { form, entrance, sessionCookies, cookies, address, agent } = open
  const answer = await entrance.signIns.signIn({
    ...{ email: form.raw('email'), password: form.raw('password'), address, agent },
    browser: sessionCookies.browser.read(cookies),
  })
  if (answer.kind !== 'entered') {
    return question(open, faultIn(answer, 'The email or the password is wrong. Check both, and try again.'))
  }
  const next = nextOf(form.raw('next'))
  const to = answer.isPending ? `/sign-in/code?next=${encodeURIComponent(next)}` : next
  return { to, cookies: await cookiesOfEntry(open, answer) }
}

function codeQuestion({ query, form }: Open, fault?: Fault): View {
  const next = nextOf(form.raw('next') || query.get('next'))
  const body = html`<h1>Your code</h1>
${fieldFaultOf(fault?.text)}
<p class="quiet-text">Your authenticator app shows six digits, new ones every 30 seconds.</p>
<form method="post" action="/sign-in/code" class="stack">
<input type="hidden" name="next" value="${next}">
${textField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isRequired: true, hasFocus: true, help: 'Lost the app? A recovery code also works here, once.' })}
<button>Go on</button>
</form>
<p class="small quiet-text"><a href="/sign-in">Sign in as another user</a></p>`
  return { title: 'Your code', body, ...(fault && { status: fault.status }) }
}

async function confirm(open: Open): Promise<View | Done> {
  const { form, entrance, sessionCookies, cookies, address } = open
  const next = nextOf(form.raw('next'))
  const token = sessionCookies.pending(cookies)
  const pending = token === undefined ? undefined : await entrance.sessions.findPending(token, address)
  const answer = pending ? await entrance.signIns.confirm(pending, form.text('code')) : over
  // A form that was sent twice is in by its first sending; who is not is led to the sign-in from there.
  if (answer.kind === 'over') return { to: next, cookies: sessionCookies.endPending() }
  if (answer.kind !== 'entered') {
    return codeQuestion(
      open,
      faultIn(answer, 'This code is wrong or was already used. Wait for the next one, and try that.'),
    )
  }
  return { to: next, cookies: await cookiesOfEntry(open, answer) }
}

const over = { kind: 'over' } as const

function help(): View {
  const body = html`<h1>You cannot sign in</h1>
<p>Ask an owner of your account. Under <b>People</b> an owner can create a link to choose a new password, and can remove
a lost authenticator.</p>
<p>If no one can sign in, the operator makes such a link on the command line:</p>
<pre tabindex="0" aria-label="The command"><code>${ownCommand.cli} users reset &lt;email&gt;</code></pre>
<p><a class="button plain" href="/sign-in">Back</a></p>`
  return { title: 'You cannot sign in', body }
}

function proofQuestion(asked: Asked, fault?: Fault): View {
  const { query, form, session } = asked
  const next = nextOf(form.raw('next') || query.get('next'))
  if (!hasOwnProof(asked)) return companyProof(asked, next)
  const field = session.hasPassword
    ? textField({
        name: 'proof',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        isRequired: true,
        hasFocus: true,
      })
    : textField({
        name: 'proof',
        label: 'Code of your authenticator',
        autocomplete: 'one-time-code',
        isRequired: true,
        hasFocus: true,
      })
  const body = html`<div class="head"><h1>Is it still you?</h1></div>
${fieldFaultOf(fault?.text)}
<p class="lead">This step is important, so enter your password or a code again. It counts for ten minutes.</p>
<form method="post" action="/proof" class="stack">
<input type="hidden" name="next" value="${next}">
<input type="hidden" name="email" value="${session.email}" autocomplete="username">
${field}
<div class="acts"><button>Go on</button><a class="button plain" href="/">Cancel</a></div>
</form>`
  return { title: 'Is it still you?', section: '/profile', body, ...(fault && { status: fault.status }) }
}

function hasOwnProof({ session }: Asked): boolean {
  return session.hasPassword || session.hasAuthenticator
}

function companyProof({ entrance }: Asked, next: string): View {
  const body = html`<div class="head"><h1>Is it still you?</h1></div>
${
  entrance.company
    ? html`<p class="lead">This step is important, so sign in again. It counts for ten minutes.</p>
<div class="acts">${proofLink(next)}<a class="button plain" href="/">Cancel</a></div>`
    : html`<p class="lead">This step is important, and you have no password to prove that it is you. Ask an owner of your
account: under <b>People</b> an owner can create a link to choose one.</p>
<div class="acts"><a class="button plain" href="/">Cancel</a></div>`
}`
  return { title: 'Is it still you?', section: '/profile', body }
}

async function prove(asked: Asked): Promise<View | Done> {
  const { form, entrance, session, sessionCookies } = asked
  // What is nowhere to be had, nobody can enter wrongly.
  if (!hasOwnProof(asked)) return proofQuestion(asked)
  const next = nextOf(form.raw('next'))
  const answer = await entrance.signIns.prove(session, form.raw('proof'))
  // Or it was sent twice, and the first sending has set a newer cookie.
  if (answer.kind === 'over') return { to: next }
  if (answer.kind !== 'entered') return proofQuestion(asked, faultIn(answer, 'This is wrong. Try again.'))
  return { to: next, cookies: sessionCookies.enter(answer) }
}

async function signOut({ entrance, session, sessionCookies }: Asked): Promise<Done> {
  await entrance.sessions.end(session)
  return { to: '/sign-in', cookies: sessionCookies.leave() }
}

function faultIn(refused: SignInRefused, wrong: string): Fault {
  if (refused.kind === 'wrong') return { text: wrong, status: 400 }
  const { seconds } = refused
  const wait = seconds < 60 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
  return { text: `That was wrong too often. Try again in ${wait}.`, status: 429 }
}
