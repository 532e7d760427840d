/** Which headers an answer may have: those that the contract documents for it, and those that HTTP itself needs. */

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
