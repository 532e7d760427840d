/** Fields on the page, one below the other. */
import { type Html, html } from '../../html.ts'
import type { Field, Fields } from './fields.ts'
import type { Text } from './text.ts'

/** Of what is still there, and should not be used any more. */
export const deprecatedMark: Html = html`<span class="deprecated">deprecated</span>`

export function fieldList(fields: Fields | undefined, text: Text): Html | undefined {
  if (!fields) return undefined
  if ('list' in fields) return html`<ul class="fields">${fields.list.map((field) => item(field, text))}</ul>`
  return html`<div class="variants">${fields.variants.map(({ title, fields: own }) => html`<div><p class="variant">${text.line(title)}</p>${fieldList(own, text)}</div>`)}</div>`
}

function item({ name, type, isRequired, isDeprecated, description, limits, inner }: Field, text: Text): Html {
  return html`<li>
<p class="field"><code>${name}</code> <span class="type">${type}</span>${isRequired && html` <span class="required">required</span>`}${isDeprecated && html` ${deprecatedMark}`}</p>
${description !== undefined && html`<div class="said">${text.block(description)}</div>`}
${limits.length > 0 && html`<ul class="limits">${limits.map((limit) => html`<li>${text.line(limit)}</li>`)}</ul>`}
${fieldList(inner, text)}
</li>`
}
