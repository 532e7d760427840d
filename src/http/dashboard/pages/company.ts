/** Signing in with the company: out to its provider, and back. */
import { Refusal } from '../../../domain/refusal.ts'
import { html } from '../../html.ts'
import { nextOf } from '../entrance.ts'
import { faultOf } from '../parts/field.ts'
import type { Done, Open, Route, View } from '../route.ts'

const backPath = '/sign-in/company/back'

export const companyRoutes: readonly Route[] = [
  { method: 'GET', path: '/sign-in/company', role: 'anyone', show: begin },
  { method: 'GET', path: backPath, role: 'anyone', show: finish },
]

async function begin({ entrance, sessionCookies, query, ownUrl }: Open): Promise<View | Done> {
  if (!entrance.company) return refused('This dashboard has no company sign-in. Use your email and a password.')
  const { url, sealed } = await entrance.company.oidc.begin(ownUrl + backPath, nextOf(query.get('next')))
  return { to: url, cookies: [sessionCookies.company.set(sealed)] }
}

async function finish({
  entrance,
  sessionCookies,
  query,
  cookies,
  ownUrl,
  address,
  agent,
}: Open): Promise<View | Done> {
  const sealed = sessionCookies.company.read(cookies)
  const cleared = [sessionCookies.company.clear()]
  const cameBack = new URL(`${ownUrl}${backPath}?${query}`)
  const found = sealed === undefined ? undefined : await entrance.company?.oidc.finish(cameBack, sealed)
  if (!entrance.company || !found)
    return { ...refused('Your company did not let you in, or it took too long. Try again.'), cookies: cleared }
  try {
    const entered = await entrance.company.companies.enter(found.identity, { address, agent })
    const to = entered.isPending ? `/sign-in/code?next=${encodeURIComponent(found.next)}` : found.next
    return { to, cookies: [...sessionCookies.enter(entered), ...cleared] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...refused(error.message), status: 403, cookies: cleared }
  }
}

function refused(fault: string): View {
  const body = html`<h1>Sign in with your company</h1>
${faultOf(fault)}
<p><a class="button plain" href="/sign-in">Back to the sign-in</a></p>`
  return { title: 'Sign in with your company', body }
}
