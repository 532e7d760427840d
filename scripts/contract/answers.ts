/** The operations of the contract and what each answers, as a rule of the lint meets them. */
import { type Context, follow, type Json, type Location, type Resolved } from './walk.ts'

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export interface DocumentedOperation extends Resolved {
  method: string
  parameters: Resolved[]
  answers: DocumentedAnswer[]
}

export interface DocumentedAnswer {
  status: string
  headers: Json
  content: Json
  /** Of its content. */
  location: Location
}

export function operationsIn(root: Json, context: Context): DocumentedOperation[] {
  return Object.entries((root.paths ?? {}) as Json).flatMap(([path, item]) => {
    const at = follow(context, item, context.location.child(['paths', path]))
    return methods
      .filter((method) => method in at.node)
      .map((method) => {
        const [node, location] = [at.node[method] as Json, at.location.child([method])]
        const parameters = ((node.parameters ?? []) as unknown[]).map((parameter, index) =>
          follow(context, parameter, location.child(['parameters', index])),
        )
        return { method, node, location, parameters, answers: listAnswers({ node, location }, context) }
      })
  })
}

export function takesIdempotencyKey({ parameters }: DocumentedOperation): boolean {
  return parameters.some(({ node }) => node.in === 'header' && String(node.name).toLowerCase() === 'idempotency-key')
}

/** The JSON of every answer of every operation, with the place where it stands. */
export function answersIn(root: Json, context: Context): DocumentedAnswer[] {
  return operationsIn(root, context).flatMap(({ answers }) => answers)
}

/** The JSON of every request, with the place where it stands. */
export function bodiesIn(root: Json, context: Context): { name: string; content: Json; location: Location }[] {
  return operationsIn(root, context).flatMap(({ node: operation, location: at }) => {
    const { node, location } = follow(context, operation.requestBody, at.child(['requestBody']))
    const content = (node.content as Json | undefined)?.['application/json'] as Json | undefined
    const name = `the body of ${operation.operationId}`
    return content ? [{ name, content, location: location.child(['content', 'application/json']) }] : []
  })
}

export function listResponses({ node, location }: Resolved, context: Context): (Resolved & { status: string })[] {
  return Object.entries((node.responses ?? {}) as Json).map(([status, response]) => ({
    status,
    ...follow(context, response, location.child(['responses', status])),
  }))
}

function listAnswers(operation: Resolved, context: Context): DocumentedAnswer[] {
  return listResponses(operation, context).flatMap(({ status, node, location }) => {
    const content = (node.content as Json | undefined)?.['application/json'] as Json | undefined
    // What is no JSON has a rule of its own.
    if (content === undefined) return []
    const headers = (node.headers ?? {}) as Json
    return [{ status, headers, content, location: location.child(['content', 'application/json']) }]
  })
}
