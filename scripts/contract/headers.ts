/** Which headers an answer may have: those that the contract documents for it, and those that HTTP itself needs. */

import type { DocumentedResponse } from './documented.ts'

/** They tell how the answer travels and which pages may read it, and nothing of what it says. */
export const transport: readonly string[] = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]

/**
 * @param names of an answer
 * @param documented of its status, as the contract writes them
 * @returns the names that neither the contract nor HTTP explains, in lower case
 */
export function undocumentedHeaders(names: Iterable<string>, documented: readonly string[]): string[] {
  const known = new Set([...transport, ...documented.map((name) => name.toLowerCase())])
  return Array.from(names, (name) => name.toLowerCase()).filter((name) => !known.has(name))
}

/**
 * What headers of an answer say, by the types that the contract has for them: on the wire all of them are text.
 *
 * @param declared of its status, as the contract writes them
 */
export function headerValues(headers: Headers, declared: DocumentedResponse['headers']): Record<string, unknown> {
  const types = new Map(
    Object.entries(declared).map(([name, { schema }]) => [name.toLowerCase(), (schema as { type?: string }).type]),
  )
  return Object.fromEntries(Array.from(headers, ([name, text]) => [name, valueIn(text, types.get(name))]))
}

/** @returns the text itself where it is not one of that type */
function valueIn(text: string, type: string | undefined): unknown {
  if (type === 'boolean' && ['true', 'false'].includes(text)) return text === 'true'
  const isNumber = (type === 'integer' || type === 'number') && String(Number(text)) === text
  return isNumber ? Number(text) : text
}
