/** The references of a contract of somebody else's. */

/** Fields whose text is an address, wherever they stand. */
const fields: readonly string[] = ['$ref', 'externalValue', 'operationRef']

/** Within the document. A `#` alone does not make it so: `#x/../../y` is the name of a file. */
const within = /^#($|\/|[A-Za-z][A-Za-z0-9\-_:.]*$)/

/**
 * Whether it points out of itself: whoever resolves it would read files and ask addresses for it.
 *
 * @param document as it was parsed: in its text, the same word has many spellings
 */
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

/** References that lead to others, one after the other: they may lead round in a circle. */
const hopsMax = 10
/** Characters of one. */
const lengthMax = 500

/**
 * @returns it with what each reference names in its place. That is the thing itself and no copy: however often it is named,
 * it takes no more room. A reference that leads nowhere stays.
 */
export function unfolded<Document extends object>(document: Document): Document {
  const copy = structuredClone(document)
  const left: object[] = [copy]
  for (let node = left.pop(); node; node = left.pop()) {
    for (const [name, child] of Object.entries(node)) {
      if (typeof child !== 'object' || child === null) continue
      left.push(child)
      // Its name may be __proto__.
      Object.defineProperty(node, name, { value: resolveTarget(child, copy) })
    }
  }
  return copy
}

function resolveTarget(node: object, document: object): unknown {
  let found: unknown = node
  for (let hops = 0; hops < hopsMax; hops++) {
    if (typeof found !== 'object' || found === null || !('$ref' in found)) return found
    const [, ...names] = String(found.$ref).slice(0, lengthMax).split('/')
    found = names.reduce<unknown>(findMember, document)
  }
  return found ?? node
}

function findMember(node: unknown, name: string): unknown {
  const member = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
  return typeof node === 'object' && node !== null && Object.hasOwn(node, member)
    ? (node as Record<string, unknown>)[member]
    : undefined
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
