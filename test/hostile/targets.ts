/** What can be attacked: the operations of the contract, with the fields that they take. */
import { contract } from '../../src/contract/document.ts'

export interface Target {
  operationId: string
  method: string
  path: string
  statuses: number[]
  /** The fields of the body by their schemas; none for a GET. */
  fields: Record<string, FieldSchema>
  example: Record<string, unknown>
  /** The names of its query parameters. */
  asked: string[]
  /** Whether a text has the form of what is named in its path. */
  namesOne: (text: string) => boolean
}

export interface FieldSchema {
  type?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  maxProperties?: number
}

interface Operation {
  operationId: string
  responses: object
  parameters?: { in?: string; name?: string; schema?: object }[]
  requestBody?: {
    content: Record<string, { schema: object; examples: Record<string, { value: Record<string, unknown> }> }>
  }
}

export const targets: Target[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
    const media = operation.requestBody?.content['application/json']
    const schema = media && (resolve(media.schema) as { properties: Record<string, FieldSchema> })
    const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => [name, resolve(field)])
    return {
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(operation.responses).map(Number),
      fields: Object.fromEntries(fields),
      example: Object.values(media?.examples ?? {})[0]?.value ?? {},
      asked: (operation.parameters ?? []).flatMap(({ in: place, name }) => (place === 'query' && name ? name : [])),
      namesOne: findForm(operation),
    }
  }),
)

function findForm({ parameters = [] }: Operation): Target['namesOne'] {
  const schema = parameters.find((one) => one.in === 'path')?.schema
  const { pattern = '', maxLength = Number.MAX_SAFE_INTEGER } = schema ? (resolve(schema) as FieldSchema) : {}
  const form = new RegExp(pattern, 'u')
  return (text) => form.test(text) && text.length <= maxLength
}

function resolve(node: object): object {
  if (!('$ref' in node)) return node
  const keys = String(node.$ref).slice(2).split('/')
  return keys.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as object
}
