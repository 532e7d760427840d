/** Names that refer to something without a `$ref`: a tag of an operation, and the operation that a link leads to. */
import { listResponses, operationsIn } from './answers.ts'
import { suggestion } from './nearest.ts'
import { type Context, follow, type Json, type Resolved } from './walk.ts'

export function requireKnownTags(root: Json, context: Context): void {
  const known = ((root.tags ?? []) as { name: string }[]).map(({ name }) => name)
  for (const { node, location } of operationsIn(root, context)) {
    for (const [index, tag] of ((node.tags ?? []) as string[]).entries()) {
      if (known.includes(tag)) continue
      const message = `the root has no tag ${tag} in tags${suggestion(tag, known)}; add it there, with a description`
      context.report({ message, location: location.child(['tags', index]) })
    }
  }
}

export function requireKnownLinks(root: Json, context: Context): void {
  const operations = operationsIn(root, context)
  const known = operations.map(({ node }) => String(node.operationId))
  for (const { node, location } of operations.flatMap((operation) => listLinks(operation, context))) {
    const { operationId } = node
    if (operationId === undefined || known.includes(String(operationId))) continue
    context.report({
      message: `no operation has the operationId ${operationId}${suggestion(String(operationId), known)}`,
      location: location.child(['operationId']),
    })
  }
}

/** Of every answer of an operation. */
function listLinks(operation: Resolved, context: Context): Resolved[] {
  return listResponses(operation, context).flatMap(({ node, location }) =>
    Object.entries((node.links ?? {}) as Json).map(([name, link]) =>
      follow(context, link, location.child(['links', name])),
    ),
  )
}
