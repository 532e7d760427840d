/** Signing in with the company, and proving again who one is: out to its provider, and back. */
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html } from '../../../html.ts'
import { nextOf } from '../../entrance.ts'
import { fieldFaultOf } from '../../parts/field.ts'
import type { Done, Open, PageRoute, View } from '../../route.ts'

const backPath = '/sign-in/company/back'

export const companyRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/sign-in/company', role: 'anyone', show: (open) => begin(open, false) },
  { method: 'GET', path: '/proof/company', role: 'viewer', show: (asked) => begin(asked, true) },
  { method: 'GET', path: backPath, role: 'anyone', show: finish },
]

async function begin(
  { entrance, sessionCookies, query, cookies, ownUrl }: Open,
  isProof: boolean,
): Promise<View | Done> {
  if (!entrance.company) return refused('This dashboard has no company sign-in. Use your email and a password.')
  const next = nextOf(query.get('next'))
  const { url, sealed } = await entrance.company.oidc.begin({ backUrl: ownUrl + backPath, next, isProof })
  return { to: url, cookies: [sessionCookies.company.keep([...sessionCookies.company.read(cookies), sealed])] }
}

async function finish(open: Open): Promise<View | Done> {
  const { entrance, sessionCookies, query, cookies, ownUrl, address, agent } = open
  const begun = sessionCookies.company.read(cookies)
  const cameBack = new URL(`${ownUrl}${backPath}?${query}`)
  const sealed = entrance.company?.oidc.pick(begun, cameBack)
  const cleared = [sessionCookies.company.keep(begun.filter((one) => one !== sealed))]
  const found = sealed === undefined ? undefined : await entrance.company?.oidc.finish(cameBack, sealed, address)
  if (!entrance.company || !found)
    return { ...refused('Your company did not let you in, or it took too long. Try again.'), cookies: cleared }
  if (found.isSilent) return { ...refused(silent, proofLink(found.next)), cookies: cleared }
  try {
    const instead = (await findCurrent(open))?.id
    const entered = await entrance.company.companies.enter(found.identity, { address, agent, instead })
    const to = entered.isPending ? `/sign-in/code?next=${encodeURIComponent(found.next)}` : found.next
    return { to, cookies: [...sessionCookies.enter(entered), ...cleared] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...refused(error.message), status: 403, cookies: cleared }
  }
}

const silent =
  'Your company signed you in without asking again, so this does not prove that it is you. Sign out there, then try again.'

function findCurrent({ entrance, sessionCookies, cookies, address }: Open) {
  const token = sessionCookies.current(cookies)
  return token === undefined ? undefined : entrance.sessions.find(token, address)
}

/** For who has neither a password nor an authenticator here. */
export function proofLink(next: string): Html {
  return html`<a class="button" href="/proof/company?next=${encodeURIComponent(next)}">Sign in with your company again</a>`
}

const signInLink = html`<a class="button plain" href="/sign-in">Back to the sign-in</a>`

function refused(fault: string, way = signInLink): View {
  const body = html`<h1>Sign in with your company</h1>
${fieldFaultOf(fault)}
<p>${way}</p>`
  return { title: 'Sign in with your company', body }
}
