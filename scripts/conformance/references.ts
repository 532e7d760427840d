/** Whether a contract of somebody else's points out of itself: whoever resolves it would read files and ask addresses for it. */

/** Fields whose text is an address, wherever they stand. */
const fields: readonly string[] = ['$ref', 'externalValue', 'operationRef']

/** Within the document. A `#` alone does not make it so: `#x/../../y` is the name of a file. */
const within = /^#($|\/|[A-Za-z][A-Za-z0-9\-_:.]*$)/

/** @param document as it was parsed: in its text, the same word has many spellings */
export function refersElsewhere(document: unknown): boolean {
  // However deep it is: so no function calls itself.
  const left: unknown[] = [document]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, field] of Object.entries(value)) {
      if (name === '$ref' && typeof field !== 'string') return true
      if (fields.includes(name) && typeof field === 'string' && !within.test(field)) return true
      if (name === 'mapping' && mapsElsewhere(field)) return true
      left.push(field)
    }
  }
  return false
}

/** Of a discriminator, which may stand anywhere and be referred to: so whatever has the name is taken for one. */
function mapsElsewhere(mapping: unknown): boolean {
  if (typeof mapping !== 'object' || mapping === null) return false
  // Its own reference would lead to a mapping under another name.
  if (Object.hasOwn(mapping, '$ref')) return true
  const targets = Object.values(mapping).filter((target) => typeof target === 'string')
  // Without a slash, it is the name of a schema.
  return targets.some((target) => target.includes('/') && !within.test(target))
}
