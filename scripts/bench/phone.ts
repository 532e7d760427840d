/** Numbers that can exist, none of the test range, in no order: what comes next is not beside what came before. */

const areas = ['+1212', '+1416']
const first = 2_000_000
const perArea = 8_000_000
/** Without a common factor with `perArea`, so that every number comes once. */
const step = 3_456_789

/** The number at `index`; each index to 16 million has another one. */
export function phoneAt(index: number): string {
  return numberAt(areas, index)
}

/** The same for other areas, which have eight million numbers each. */
export function numberAt(areas: readonly string[], index: number): string {
  return `${areas[index % areas.length]}${first + ((Math.floor(index / areas.length) * step) % perArea)}`
}

/** The same in SQL. @param index an expression, a bigint */
export function phoneSql(index: string): string {
  return `(array['${areas.join("','")}'])[${index} % ${areas.length} + 1] || ${first} + (${index} / ${areas.length} * ${step}) % ${perArea}`
}

/** Mobile numbers of Germany begin like this, and a digit of these. */
const mobile = { begins: '+4915', digits: '01256789' }
const blocks = 10_000
const prefixes = blocks * mobile.digits.length

/**
 * People whom no rule of the standard list finds by what they share: each index has another number, address and user, and of
 * 80,000 each has another prefix. The next 80,000 begin at another one: a run asks for the first of its own alone.
 */
export function personAt(index: number): [phone: string, ip: string, user: string] {
  const { begins, digits } = mobile
  const turn = Math.floor(index / prefixes)
  const place = (index + turn * 37_003) % prefixes
  const block = Math.floor(place / digits.length)
  const phone = `${begins}${digits[place % digits.length]}${fourDigits(block)}${fourDigits((turn * 1009) % blocks)}`
  const octets = [index / 1_000_000, index / 10_000, index / 100, index].map((part) => 100 + (Math.floor(part) % 100))
  return [phone, octets.join('.'), String(index).padStart(9, '0')]
}

function fourDigits(value: number): string {
  return String(value).padStart(4, '0')
}
