/** Ids and whatever else one copies. The button works with the script, and is not there without it. */
import { type Html, html, type Part } from '../../html.ts'
import { iconOf } from './icon.ts'

/** In a line, with a button that comes on focus and hover. */
export function idOf(text: string): Html {
  return html`<span class="id"><code>${text}</code>${copyButton(text)}</span>`
}

/** A block of its own: a key, a command. */
export function blockOf(text: string, label: string): Html {
  return html`<div class="block"><pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>${copyButton(text)}</div>`
}

/** An address of the API that others post to, with what is to be said of it. */
export function renderAddressBlock(apiUrl: string, path: string, note: Part): Html {
  return html`${blockOf(`${apiUrl}${path}`, 'The address')}
<small>${note}${!apiUrl.startsWith('https:') && html` <strong>The world does not reach this address:</strong> set <code>PUBLIC_URL</code> to one with <code>https:</code> that it reaches.`}</small>`
}

function copyButton(text: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" title="Copy" hidden>${iconOf('copy')}<span class="sr">Copy</span></button>`
}
