/** Every answer that a contract documents, by its named examples. */
import { contract } from '../../src/contract/document.ts'
import type { ContractDocument } from '../../src/contract/facts.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { withExclusiveBounds } from './exclusiveBounds.ts'

export interface DocumentedAnswer<Id extends string = OperationId> {
  /** operationId, status, example. */
  name: string
  operationId: Id
  method: string
  /** As the contract writes it: `/v1/messages/{id}`. */
  path: string
  /** The names that the operation takes. */
  parameters: string[]
  status: string
  response: DocumentedResponse
  /** Its name: of an error, the code. */
  exampleName: string
  example: object
}

export interface DocumentedResponse {
  headers: Record<string, { required?: boolean; schema: object }>
  content: { 'application/json': { schema: Record<string, unknown>; examples?: Record<string, { value: object }> } }
}

interface DocumentedOperation {
  operationId: string
  parameters?: { name: string }[]
  responses: Record<string, DocumentedResponse>
}

/** In the contract's order, without references, schemas in JSON Schema's draft 7 instead of OpenAPI 3.0's dialect. */
export function documentedAnswers<Id extends string = OperationId>(
  document = contract as ContractDocument,
): DocumentedAnswer<Id>[] {
  const { paths } = withExclusiveBounds(plain({ paths: document.paths }, document)) as {
    paths: Record<string, Record<string, DocumentedOperation>>
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, parameters = [], responses }]) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const { examples = { '(has no example)': { value: {} } } } = response.content['application/json']
        return Object.entries(examples).map(([exampleName, { value }]) => {
          const name = `${operationId} ${status} ${exampleName}`
          const where = { name, operationId: operationId as Id, method: method.toUpperCase(), path }
          const names = parameters.map((parameter) => parameter.name)
          return { ...where, parameters: names, status, response, exampleName, example: value }
        })
      }),
    ),
  )
}

function plain(node: unknown, document: ContractDocument): unknown {
  if (Array.isArray(node)) return node.map((child) => plain(child, document))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) {
    const [, ...names] = String(node.$ref).split('/')
    return plain(
      names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document),
      document,
    )
  }
  const made: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([name, child]) => [name, plain(child, document)]),
  )
  return made.nullable === true ? { anyOf: [made, { type: 'null' }] } : made
}
