/** A form that sends a request to the sandbox which has served it. It is of no use without the page's script, which shows it. */
import { type Html, html } from '../../html.ts'
import { type DocumentedOperation, exampleOf, type Parameter, parametersOf } from './document.ts'
import { jsonOf } from './text.ts'

interface Trial {
  /** Of this request, on the page. */
  id: string
  route: DocumentedOperation
  /** Those that it has from the start. */
  parameters: readonly Parameter[]
  body: unknown
  key: string
}

export function tryIt({ id, route, parameters, body, key }: Trial): Html {
  const filled = new Set(parameters.map(({ name }) => name))
  const fields = parametersOf(route).map((parameter) => ({
    ...parameter,
    value: filled.has(parameter.name) ? exampleOf(parameter) : '',
  }))
  return html`<details class="try" hidden><summary>Try it in this sandbox</summary>
<form data-method="${route.method}" data-path="${route.path}">
${field({ id: `${id}-key`, label: 'API key', value: key, attributes: html`name="key" required` })}
${fields.map(({ name, in: place, required = false, value }) =>
  field({
    id: `${id}-${name}`,
    label: name,
    value,
    attributes: html`name="${name}" data-in="${place}"${required && html` required`}`,
  }),
)}
${body !== undefined && html`<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="${jsonOf(body).split('\n').length}" spellcheck="false">${jsonOf(body)}</textarea>`}
<button>Send it</button>
</form>
<div class="outcome" role="status"></div>
</details>`
}

function field({ id, label, value, attributes }: { id: string; label: string; value: string; attributes: Html }): Html {
  return html`<label for="${id}">${label}</label><input type="text" id="${id}" value="${value}" ${attributes} autocomplete="off" spellcheck="false">`
}
