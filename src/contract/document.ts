/** The bundled contract as the running process reads it: facts of operations that are not types. */
import contract from '../../generated/contract.json' with { type: 'json' }
import type { OperationId } from './operation.ts'

interface OperationFacts {
  operationId: OperationId
  method: string
  /** As the contract writes it: `/v1/messages/{id}`. */
  path: string
  requiredScope: string
  takesBody: boolean
  /** The types of its query parameters, by their names. One that takes none does not look at the query. */
  queryTypes: Readonly<Record<string, string>> | undefined
}

export { contract }

export const bodyBytesMax: number = contract['x-max-body-bytes']

/** Every operation, in the contract's order. */
export const operationFacts: OperationFacts[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    operationId: operation.operationId as OperationId,
    method,
    path,
    requiredScope: operation['x-required-scope'],
    takesBody: 'requestBody' in operation,
    queryTypes: 'parameters' in operation ? queryTypesOf(operation.parameters) : undefined,
  })),
)

function queryTypesOf(parameters: readonly Parameter[]): Record<string, string> | undefined {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  if (inQuery.length === 0) return undefined
  return Object.fromEntries(inQuery.map(({ name = '', schema }) => [name, typeOf(schema)]))
}

/** A reference stands for text: the lint asks for numbers in their place. */
function typeOf(schema: Parameter['schema']): string {
  return schema?.type ?? 'string'
}

interface Parameter {
  in?: string
  name?: string
  schema?: { type?: string }
}

/** Every scope that a key can have. */
export const scopes: readonly string[] = [...new Set(operationFacts.map((operation) => operation.requiredScope))]

const ttl = contract.components.schemas.SentVerification.properties.expires_in

/** Seconds that a code may be made to stay valid. */
export const codeTtlRange = { min: ttl.minimum, max: ttl.maximum }

const { template: slug, variables } = contract.components.schemas.SendNotificationRequest.properties

/** The form of a template's slug. */
export const slugForm = { pattern: new RegExp(slug.pattern, 'u'), maxLength: slug.maxLength }

/** Variables that a template may name. */
export const variablesMax = variables.maxProperties

/** Characters (code points) that a template may have once it is filled. */
export const filledCharactersMax = variables['x-max-filled-characters']
