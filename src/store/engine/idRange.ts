/**
 * The tables that grow are kept in partitions by the ids of their rows. A statement that finds rows by a list of ids names the
 * span of that list besides: PostgreSQL then leaves out the other partitions before it opens them, also in a plan that is made
 * once for all lists.
 */

/**
 * SQL for: it is in the span. No plan may take that for a way to the rows, as if they were few: so it is written in a form
 * that no index knows.
 *
 * @param first the number of the first of the two parameters that `findIdRange` gives
 */
export function inIdRange(column: string, first: number): string {
  const [least, greatest] = [`$${first}`, `$${first + 1}`]
  return `(${column} > ${least} or ${column} = ${least}) and (${column} < ${greatest} or ${column} = ${greatest})`
}

/**
 * SQL for: it is that id, in statements that lock or change what they find. Where one of them leaves out partitions at its start
 * and chooses among the others for each id besides, PostgreSQL 18 loses rows as soon as it meets one that somebody has just
 * changed. So it is written in a form that an index knows, and the choice of partitions does not. Of legs, which nobody changes, an
 * equality is enough.
 */
export function isId(column: string, id: string): string {
  return `${column} = any (string_to_array(${id}, ''))`
}

/**
 * The same statement for PostgreSQL before 17: there the planner would rather read all ids of an account than look up a list of one,
 * while nobody has counted the rows. No row is lost there by an equality.
 */
export function withEqualities(text: string): string {
  return text.replaceAll(/ = any \(string_to_array\(([\w.]+), ''\)\)/g, ' = $1')
}

/** An id as this service gives it: what it is of, and a ULID. */
export const idForm = /^([a-z]+_)[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * The span of those that can be there: of our form, digits and capital letters behind one prefix, which the database sorts as their
 * bytes, in whatever language it sorts others. A provider may name other ids: they must not move it away from those beside them.
 */
export function findIdRange(ids: readonly string[]): [least: string, greatest: string] {
  let [least, greatest] = ['', '']
  for (const id of ids) {
    if (!idForm.test(id)) continue
    if (least === '' || id < least) least = id
    if (id > greatest) greatest = id
  }
  return [least, greatest]
}
