import type { Json } from './walk.ts'

/** In draft 7 of JSON Schema the bound itself is what must not be reached; OpenAPI 3.0 says beside the bound that it is so. */
export function withExclusiveBounds<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(withExclusiveBounds) as Node
  const made: Json = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, withExclusiveBounds(child)]))
  for (const bound of ['minimum', 'maximum']) {
    const keyword = `exclusive${bound.charAt(0).toUpperCase()}${bound.slice(1)}`
    const { [bound]: value, [keyword]: isExclusive } = made
    if (typeof isExclusive !== 'boolean') continue
    delete made[keyword]
    if (!isExclusive || value === undefined) continue
    made[keyword] = value
    delete made[bound]
  }
  return made as Node
}
