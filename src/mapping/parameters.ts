/** The parameters of a query or a form. */

/** What is ours in the address of reports: which message it is about, and how many SMS its text takes where no report says it. */
export const ownParameters = { reference: 'ref', parts: 'parts' } as const

/** More than any provider sends. Node takes 10 seconds to read half a million of them. */
const parametersMax = 500

/** @returns those of a form, decoded; undefined for more than a provider sends */
export function parseFormParameters(text: string): [name: string, value: string][] | undefined {
  if (text.split('&', parametersMax + 1).length > parametersMax) return undefined
  return [...new URLSearchParams(text)]
}

/** @returns the first value of each name; undefined for more of them than a provider sends */
export function decodeForm(text: string): Record<string, string> | undefined {
  const parameters = parseFormParameters(text)
  if (!parameters) return undefined
  const decoded: Record<string, string> = Object.create(null)
  for (const [name, value] of parameters) decoded[name] ??= value
  return decoded
}

/** @returns one entry for each name, sorted by the name, as are the values of a name that came more than once */
export function sorted(pairs: readonly [name: string, value: string][]): [name: string, values: string[]][] {
  return [...Map.groupBy(pairs, ([name]) => name)]
    .sort(([one], [other]) => compare(one, other))
    .map(([name, list]) => [name, list.map(([, value]) => value).sort(compare)])
}

/** By code units, in every locale. */
function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
