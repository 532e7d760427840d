/** Times. The server writes them in UTC; the script makes them relative, with the exact one on hover in the reader's zone. */
import { type Html, html } from '../../html.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "2 minutes ago", or "in 3 days". */
export function timeOf(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" data-relative title="${exact(at)}">${short(at)}</time>`
}

/** To the second, for a timeline. */
export function clockOf(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" data-clock title="${exact(at)}">${exact(at).slice(-12)}</time>`
}

/** The same below a day: it stays in UTC, as that day is. */
export function utcClockOf(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${exact(at)}">${exact(at).slice(-12, -4)}</time>`
}

/** `21 Nov 2026`, in UTC. */
export function dayOf(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

function short(at: Date): string {
  return `${dayOf(at)}, ${at.toISOString().slice(11, 16)} UTC`
}

function exact(at: Date): string {
  return `${dayOf(at)}, ${at.toISOString().slice(11, 19)} UTC`
}
