/** The parameters of a query or a form, as schemes sign them: decoded, by name. */

/** Of a report that a scheme takes apart: more is none, and sorting it would cost. */
const bounds = { bytesMax: 64 * 1024, parametersMax: 500 }

/** @returns undefined for what is too large to be a report */
export function parametersOf(text: string | Buffer): [name: string, value: string][] | undefined {
  if (text.length > bounds.bytesMax) return undefined
  const pairs = [...new URLSearchParams(text.toString())]
  return pairs.length > bounds.parametersMax ? undefined : pairs
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
