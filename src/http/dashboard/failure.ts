/** The pages of what went wrong. Each says what to do. */
import { html } from '../html.ts'
import { accountPage, plainPage } from './layout.ts'
import type { PageReply } from './reply.ts'
import type { SignedIn } from './signedIn.ts'

export interface Failure {
  status: number
  title: string
  /** What the log has about it. */
  traceId?: string
}

const advice: Readonly<Record<number, string>> = {
  403: 'Ask an owner of the account.',
  404: 'It may have been deleted, or the link is wrong.',
  413: 'Send less at once.',
  421: 'Set DASHBOARD_URL to the address that you use, or open the dashboard on its own machine.',
  503: 'Try again in a moment.',
}

/** @param session of who is signed in: the page has the menu then */
export function failurePage({ status, title, traceId }: Failure, session?: SignedIn): PageReply {
  const body = html`<h1>${title}</h1>
<p>${advice[status] ?? 'Try again. If it happens again, ask the operator of this service.'}${traceId !== undefined && html` The log has more under <code>${traceId}</code>.`}</p>
<p><a class="button${session && ' plain'}" href="/">Go to the overview</a></p>`
  const page = { title, body }
  return { status, text: session ? accountPage({ ...page, session, saying: undefined }) : plainPage(page) }
}
