/**
 * The tables that grow are kept in parts by the ids of their rows. A statement that finds rows by a list of ids names the
 * span of that list besides: PostgreSQL then leaves out the other parts before it opens them, also in a plan that is made
 * once for all lists.
 */

/** For `between`, whose two values these are. Ids are compared by their bytes, here and there. */
export function spanOf(ids: readonly string[]): [least: string, greatest: string] {
  let [least = '', greatest = ''] = [ids[0], ids[0]]
  for (const id of ids) {
    if (id < least) least = id
    if (id > greatest) greatest = id
  }
  return [least, greatest]
}
