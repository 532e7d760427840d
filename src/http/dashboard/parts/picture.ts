/** A QR code that a phone reads from the screen. */
import { renderSVG } from 'uqr'
import { Html, html } from '../../html.ts'

/** Dark on light in every theme, with the room around it that readers need. */
export function renderQrCode(text: string, label: string): Html {
  const svg = renderSVG(text, { border: 4, pixelSize: 4 })
  return html`<figure class="picture" role="img" aria-label="${label}">${new Html(svg)}</figure>`
}
