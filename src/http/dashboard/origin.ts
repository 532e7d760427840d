/** Where a request comes from: only pages of the dashboard itself may act on it. */
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request is one that a person or a page of ours made. Another port of this machine is another site's as much as
 * any: its cookies are the same. A browser says which it is in `Sec-Fetch-Site`; one that does not, says `Origin` at least,
 * and who says neither may look and not act.
 *
 * @param origin of the dashboard, as a browser writes it
 */
export function isOwn(method: string, headers: IncomingHttpHeaders, origin: string): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  const shows = method === 'GET' || method === 'HEAD'
  if (site === 'same-origin') return true
  // A link from elsewhere, or an address that was typed. It shows a page in a window of its own, and no more.
  if (site !== undefined) return shows && (site === 'none' || mode === 'navigate')
  return shows || headers.origin === origin
}
