/** Numbers that can exist, none of the test range, in no order: what comes next is not beside what came before. */

const areas = [212, 416]
const first = 2_000_000
const perArea = 8_000_000
/** Without a common factor with `perArea`, so that every number comes once. */
const step = 3_456_789

/** The number at `index`; each index to 16 million has another one. */
export function phoneAt(index: number): string {
  return `+1${areas[index % areas.length]}${first + ((Math.floor(index / areas.length) * step) % perArea)}`
}

/** The same in SQL. @param index an expression, a bigint */
export function phoneSql(index: string): string {
  return `'+1' || (array[${areas}])[${index} % ${areas.length} + 1] || ${first} + (${index} / ${areas.length} * ${step}) % ${perArea}`
}
