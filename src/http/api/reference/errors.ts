/** The page of the errors: each code with its status, what it means, what to do, and who answers it. */
import { type Html, html } from '../../html.ts'
import {
  type DocumentedOperation,
  document,
  documentedOperations,
  findExamples,
  type Response,
  responsesOf,
  toSchema,
} from './document.ts'
import { fieldList } from './fieldList.ts'
import { fieldsOf } from './fields.ts'
import { listOfWords, type Text, unlisted } from './text.ts'

const { ErrorCode: errorCode = {}, ErrorResponse: errorResponse = {} } = document.components.schemas
const { description: prose = '', 'x-statuses': codeStatuses = {} } = errorCode as typeof errorCode & {
  'x-statuses'?: Record<string, number>
}

/** The HTTP status of each code. */
export const errorStatuses: Readonly<Record<string, number>> = codeStatuses

export const errorCodes: readonly string[] = (errorCode.enum ?? []).map(String)

/** Of each code, in the contract's words. */
export const meanings: ReadonlyMap<string, string> = listOfWords(prose)

const isErrorCode = new Set(errorCodes)

/** The codes that a response may have, by its schema where that has a list of its own, and by its examples. */
export function listErrorCodes({ content }: Response): string[] {
  const { properties: { data } = {} } = toSchema(content?.['application/json']?.schema ?? {})
  const { properties: { code } = {} } = toSchema(data ?? {})
  const documented = (toSchema(code ?? {}).enum ?? []).map(String)
  const shown = findExamples(content).map(([, { value }]) => (value as { data?: { code?: string } })?.data?.code ?? '')
  const codes = documented.length < errorCodes.length ? [...documented, ...shown] : shown
  return [...new Set(codes)].filter((name) => isErrorCode.has(name))
}

function answering(code: string): DocumentedOperation[] {
  return documentedOperations.filter((route) =>
    responsesOf(route).some(([, response]) => listErrorCodes(response).includes(code)),
  )
}

export function errorsPage(text: Text): Html {
  return html`<header class="opening"><h1>Errors</h1>${text.block(unlisted(prose))}</header>
<div class="errors">
${errorCodes.map((code) => {
  const routes = answering(code)
  return html`<section class="error" id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <span class="status refused">${errorStatuses[code]}</span></h2>
${text.block(meanings.get(code) ?? '')}
<p class="quiet">${routes.length === 0 ? 'Of no operation.' : html`From ${routes.map(({ operationId, summary }, index) => html`${index > 0 && ', '}<a href="${text.links.home}#${operationId}">${summary}</a>`)}`}</p>
</section>`
})}
</div>
<section id="form">
<h2><a href="#form">The form of every error</a></h2>
${errorResponse.description !== undefined && text.block(errorResponse.description)}
${fieldList(fieldsOf(errorResponse), text)}
</section>`
}
