/** An operation on the page: what it takes and answers on one side, requests and answers to copy on the other. */
import { type Html, html } from '../../html.ts'
import {
  type DocumentedOperation,
  type Example,
  exampleOf,
  findExamples,
  type Parameter,
  parametersOf,
  type Response,
  resolved,
  responsesOf,
} from './document.ts'
import { listErrorCodes } from './errors.ts'
import { deprecatedMark, fieldList } from './fieldList.ts'
import { fieldsOf, headerFields, parameterFields } from './fields.ts'
import { idempotencyKey, samples } from './samples.ts'
import { jsonOf, renderCode, type Text } from './text.ts'
import { tryIt } from './tryIt.ts'

/** Whom a page is made for. */
export interface ReferenceReader {
  text: Text
  /** Of the API, without a slash at the end. */
  address: string
  /** Undefined: requests can only be read. */
  sandboxKey: string | undefined
}

const places = [
  { in: 'path', title: 'In the path' },
  { in: 'query', title: 'In the query' },
  { in: 'header', title: 'Headers' },
]

export function operationSection(route: DocumentedOperation, reader: ReferenceReader): Html {
  const { text } = reader
  const { operationId, summary, description, deprecated, method, path, requestBody, 'x-required-scope': scope } = route
  const parameters = parametersOf(route)
  const body = requestBody?.content['application/json']?.schema
  return html`<section class="operation" id="${operationId}">
<div class="head">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>${deprecated && html` ${deprecatedMark}`}</p>
${description !== undefined && text.block(description)}
${scope !== undefined && html`<p class="scope">The key needs the scope <code>${scope}</code>.</p>`}
</div>
<div class="shown">
${listRequests(route).map((request) => requestBlock(route, request, reader))}
<h4>Answers</h4>
${listAnswers(route).map((answer, index) => answerBlock(operationId, answer, index === 0))}
</div>
<div class="prose">
${places.map(({ in: place, title }) => {
  const own = parameters.filter((parameter) => parameter.in === place)
  return own.length > 0 && html`<h4>${title}</h4>${fieldList(parameterFields(own), text)}`
})}
${body && html`<h4>Body</h4>${requestBody?.description !== undefined && text.block(requestBody.description)}${fieldList(fieldsOf(body), text)}`}
${responsesOf(route).map(([status, response]) => responseProse(status, response, text))}
</div>
</section>`
}

interface Request {
  /** Undefined for what the contract gives no name. */
  name: string | undefined
  title: string
  body: unknown
  /** What it has of the path and the query. */
  parameters: readonly Parameter[]
}

/** Every named example of the body; of an operation without one, the request with what it has to have, and with all that it may. */
function listRequests(route: DocumentedOperation): Request[] {
  const examples = findExamples(route.requestBody?.content)
  const all = parametersOf(route).filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
  const parameters = all.filter((parameter) => parameter.required)
  const named = examples.map(([name, { summary, value }]) => ({
    name,
    title: summary ?? 'Request',
    body: value,
    parameters,
  }))
  if (named.length > 0) return named
  const plain = { name: undefined, title: 'Request', body: undefined, parameters }
  if (parameters.length === all.length) return [plain]
  return [plain, { ...plain, title: 'With every parameter', parameters: all }]
}

function toTarget(path: string, parameters: readonly Parameter[]): string {
  let filled = path
  const query = new URLSearchParams()
  for (const parameter of parameters) {
    const { name, in: place } = parameter
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(exampleOf(parameter)))
    else query.append(name, exampleOf(parameter))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

function requestBlock(
  route: DocumentedOperation,
  { name, title, body, parameters }: Request,
  reader: ReferenceReader,
): Html {
  const { operationId, method, path } = route
  const id = `${operationId}-${name ?? parameters.length}`
  const takesKey = parametersOf(route).some((parameter) => parameter.name === idempotencyKey)
  const sent = { method, url: reader.address + toTarget(path, parameters), body, takesKey }
  return html`<div class="request">
<h4>${title}${name !== undefined && html` <code>${name}</code>`}</h4>
<fieldset class="languages"><legend class="sr">Language of the sample</legend>
${samples.map(
  ({ name: language }, index) =>
    html`<label><input type="radio" name="language-${id}" value="${language}"${index === 0 && html` checked`}>${language}</label>`,
)}</fieldset>
${samples.map(
  ({ name: language, language: colours, requestOf }) =>
    html`<div class="sample" data-language="${language}">${renderCode(colours, requestOf(sent))}</div>`,
)}
${reader.sandboxKey !== undefined && tryIt({ id, route, parameters, body, key: reader.sandboxKey })}
</div>`
}

function responseProse(status: string, response: Response, text: Text): Html {
  const schema = response.content?.['application/json']?.schema
  const codes = listErrorCodes(response)
  const isError = codes.length > 0
  return html`<div class="response">
<h4>Answer ${statusOf(status, response)}</h4>
${text.block(response.description)}
${
  isError
    ? html`<p class="codes">${codes.map((code) => html`${text.errorCode(code)} `)}</p>`
    : html`${Object.keys(response.headers ?? {}).length > 0 && html`<h5>Headers</h5>${fieldList(headerFields(response), text)}`}${schema && html`<h5>Body</h5>${fieldList(fieldsOf(schema), text)}`}`
}
</div>`
}

interface Answer {
  status: string
  response: Response
  name: string
  example: Example
}

/** Every named example of every status. */
function listAnswers(route: DocumentedOperation): Answer[] {
  return responsesOf(route).flatMap(([status, response]) =>
    findExamples(response.content).map(([name, example]) => ({ status, response, name, example })),
  )
}

function answerBlock(group: string, { status, response, name, example }: Answer, isOpen: boolean): Html {
  const headers = Object.entries(response.headers ?? {}).flatMap(([header, found]) => {
    const { required, example: value } = resolved<Omit<Parameter, 'name' | 'in'>>(found)
    return required ? [`${header}: ${value}`] : []
  })
  return html`<details class="answer" name="answers-${group}"${isOpen && html` open`}>
<summary>${statusOf(status, response)} <code>${name}</code> <span class="quiet">${example.summary}</span></summary>
${headers.length > 0 && html`<p class="heads">${headers.map((header) => html`<code>${header}</code> `)}</p>`}
${renderCode('json', jsonOf(example.value))}
</details>`
}

function statusOf(status: string, response: Response): Html {
  return html`<span class="status ${listErrorCodes(response).length > 0 ? 'refused' : 'done'}">${status}</span>`
}
