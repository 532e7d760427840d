/** The rows in the order of their ranks, in which everybody locks them. Each rank is made once. */
export function inOrder<Row>(rows: readonly Row[], rankOf: (row: Row) => string): Row[] {
  if (rows.length < 2) return [...rows]
  const ranked = rows.map((row) => ({ row, rank: rankOf(row) }))
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ row }) => row)
}
