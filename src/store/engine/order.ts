/** The rows in the order of their ranks, in which everybody locks them. Each rank is made once. */
export function inOrder<Row>(rows: readonly Row[], rankOf: (row: Row) => string): Row[] {
  if (rows.length < 2) return [...rows]
  const ranked = rows.map((row) => ({ row, rank: rankOf(row) }))
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ row }) => row)
}

/**
 * What a statement has found for each of a list; undefined where it found nothing.
 *
 * @param found rows with their place in the list, from 1: `with ordinality`
 */
export function inPlaces<Row extends { n: number }>(
  { length }: readonly unknown[],
  found: readonly Row[],
): (Omit<Row, 'n'> | undefined)[] {
  const rows: (Omit<Row, 'n'> | undefined)[] = Array.from({ length })
  for (const { n, ...row } of found) rows[n - 1] = row
  return rows
}

/** For each of a list, whether a statement has found it. @param found their places, from 1: `with ordinality` */
export function areFound(list: readonly unknown[], found: readonly { n: number }[]): boolean[] {
  return inPlaces(list, found).map((row) => row !== undefined)
}
