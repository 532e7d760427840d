/** An event on the page: when it comes, what it has, and what to answer. */
import { type Html, html } from '../../html.ts'
import { findExamples, parametersOf, responsesOf, type Told } from './document.ts'
import { fieldList } from './fieldList.ts'
import { fieldsOf, parameterFields } from './fields.ts'
import { jsonOf, renderCode, type Text } from './text.ts'

export function eventSection(event: Told, text: Text): Html {
  const { type, summary, description, requestBody } = event
  const schema = requestBody?.content['application/json']?.schema
  return html`<section class="operation" id="${type}">
<div class="head">
<h3><a href="#${type}">${summary}</a></h3>
<p class="route"><span class="method event">event</span> <code>${type}</code></p>
${description !== undefined && text.block(description)}
</div>
<div class="shown">
${findExamples(requestBody?.content).map(
  ([name, example]) =>
    html`<div class="request"><h4>${example.summary ?? 'Example'} <code>${name}</code></h4>${renderCode('json', jsonOf(example.value))}</div>`,
)}
</div>
<div class="prose">
<details class="more"><summary>Headers</summary>${fieldList(parameterFields(parametersOf(event)), text)}</details>
${schema && html`<h4>Body</h4>${fieldList(fieldsOf(schema), text)}`}
<details class="more"><summary>What your answer does</summary>
${responsesOf(event).map(([status, response]) => html`<h5><span class="status">${status}</span></h5>${text.block(response.description)}`)}
</details>
</div>
</section>`
}
