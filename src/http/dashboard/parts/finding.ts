/** What providers say of what is configured: a colour, a shape and a word, and what it is about. */
import type { Finding } from '../../../domain/channels/connectionCheck.ts'
import { type Html, html } from '../../html.ts'
import { type Tone, toned } from './status.ts'

const tones: Record<Finding['level'], Tone> = { good: 'delivered', warning: 'expired', bad: 'failed' }

/** In the providers' own words, which can be in any language. */
export function renderFindings(findings: readonly Finding[]): Html {
  return html`<ul class="findings">${findings.map(
    ({ level, text }) => html`<li>${toned(tones[level], level)}<bdi>${text}</bdi></li>`,
  )}</ul>`
}
