/** The contract as the reference reads it: as any document of OpenAPI 3.0, so that nothing of this one is written here again. */
import { contract } from '../../../contract/document.ts'

export interface Ref {
  $ref: string
}

export interface Schema extends Partial<Ref> {
  type?: string
  format?: string
  description?: string
  deprecated?: boolean
  enum?: unknown[]
  default?: unknown
  example?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  pattern?: string
  nullable?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
}

export interface Example {
  summary?: string
  value?: unknown
}

interface Content {
  'application/json'?: { schema?: Schema; examples?: Record<string, Example | Ref> }
}

/** A header has neither `name` nor `in`. */
export interface Parameter {
  name: string
  in: string
  description?: string
  deprecated?: boolean
  required?: boolean
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Omit<Parameter, 'name' | 'in'> | Ref>
  content?: Content
}

export interface Operation {
  operationId: string
  tags?: string[]
  summary: string
  description?: string
  deprecated?: boolean
  'x-required-scope'?: string
  parameters?: (Parameter | Ref)[]
  requestBody?: { description?: string; content: Content }
  responses: Record<string, Response | Ref>
}

interface Item {
  [method: string]: Operation
}

interface Document {
  info: { title: string; version: string; description: string }
  'x-guide': string
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Item>
  'x-webhooks': Record<string, Item>
  components: { schemas: Record<string, Schema> }
}

export const document = contract as unknown as Document

/** What a reference names, or the thing itself. @throws Error for a reference to nothing: the lint has refused it before */
export function resolved<Thing extends object>(thing: Thing | Ref): Thing {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing as Thing
  const steps = thing.$ref.split('/').slice(1)
  let found: unknown = document
  for (const step of steps) found = (found as Record<string, unknown> | undefined)?.[step]
  if (found === undefined) throw new Error(`the contract has no ${thing.$ref}`)
  return resolved(found as Thing)
}

/** A schema with what it takes from others put into it. */
export function toSchema(schema: Schema): Schema {
  const { allOf = [], ...own } = resolved<Schema>(schema as Schema & Ref)
  const parts = [...allOf.map(toSchema), own]
  const whole: Schema = Object.assign({}, ...parts)
  if (allOf.length > 0) {
    whole.properties = Object.assign({}, ...parts.map(({ properties }) => properties))
    whole.required = parts.flatMap(({ required = [] }) => required)
  }
  return whole
}

export function findExamples(content: Content | undefined): [name: string, Example][] {
  return Object.entries(content?.['application/json']?.examples ?? {}).map(([name, example]) => [
    name,
    resolved<Example>(example),
  ])
}

/** An operation with where it is found. */
export interface DocumentedOperation extends Operation {
  method: string
  path: string
}

export const documentedOperations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
)

/** An event with its type. */
export interface Told extends Operation {
  type: string
}

export const told: readonly Told[] = Object.entries(document['x-webhooks']).flatMap(([type, item]) =>
  Object.values(item).map((operation) => ({ ...operation, type })),
)

export const parametersOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) => resolved<Parameter>(parameter))

export const responsesOf = ({ responses }: Operation): [status: string, Response][] =>
  Object.entries(responses).map(([status, response]) => [status, resolved<Response>(response)])

/** What a parameter is in examples, as it is written in an address. */
export function exampleOf({ example, schema }: Parameter): string {
  return String(example ?? toSchema(schema).example ?? '')
}
