/**
 * Works on those of a list that nothing is decided of yet.
 *
 * @returns what is decided of each, and what the work has made of the others, in the order of the list
 */
export async function workOnOthers<Draft, Decided, Outcome>(
  list: readonly Draft[],
  decided: Pick<ReadonlyMap<Draft, Decided>, 'has' | 'get'>,
  work: (others: Draft[]) => Promise<Outcome[]>,
): Promise<(Decided | Outcome)[]> {
  const others = list.filter((one) => !decided.has(one))
  const outcomes = (others.length > 0 ? await work(others) : []).values()
  return list.map((one) => decided.get(one) ?? (outcomes.next().value as Outcome))
}
