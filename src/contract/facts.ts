/** What a bundled contract says of its operations that is no type. */

export interface OperationFacts<Id extends string = string> {
  operationId: Id
  method: string
  /** As the contract writes it: `/v1/messages/{id}`. */
  path: string
  requiredScope: string
  takesBody: boolean
  /** Of its body, where it is not the limit of the others. */
  bodyBytesMax: number | undefined
  fields: readonly BodyField[]
  parameterTypes: ParameterTypes
  constantHeaders: ConstantHeaders
}

/** The headers of answers that the service gives by itself: handlers do not, and mocks have no example of them. */
export const ownHeaders = ['X-Trace-Id', 'Idempotent-Replayed'] as const

/** By status and name: the required headers that have one possible value. Sent without a handler giving them. */
export type ConstantHeaders = Readonly<Record<string, HeaderValues | undefined>>

export type HeaderValues = Readonly<Record<string, string | number>>

/** A field of a body that asks for more than its schema says. */
export interface BodyField {
  name: string
  /** Beside that of the operation; undefined for none. */
  requiredScope: string | undefined
  /** Fields that must not be given beside it. */
  excludes: readonly string[]
}

type Types = Readonly<Record<string, string>>

/** The types of an operation's parameters in each place, by their names; undefined where it takes none. */
export interface ParameterTypes {
  path?: Types
  query?: Types
  header?: Types
}

/** A contract in one document, its references kept. */
export interface ContractDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

interface DocumentedOperation {
  operationId: string
  'x-required-scope': string
  'x-max-body-bytes'?: number
  requestBody?: { content: Readonly<Record<string, { schema: object }>> }
  parameters?: readonly object[]
  responses: Readonly<Record<string, object>>
}

/** Every operation, in the contract's order. */
export function listFacts<Id extends string>(contract: ContractDocument): OperationFacts<Id>[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, requestBody, parameters = [], responses, ...operation }]) => ({
      operationId: operationId as Id,
      method,
      path,
      requiredScope: operation['x-required-scope'],
      takesBody: requestBody !== undefined,
      bodyBytesMax: operation['x-max-body-bytes'],
      fields: Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => listFields(schema, contract)),
      parameterTypes: listTypes(parameters, contract),
      constantHeaders: listConstants(responses, contract),
    })),
  )
}

function listFields(schema: object, contract: ContractDocument): BodyField[] {
  const { properties = {} } = behind<Schema>(schema, contract)
  return Object.entries(properties).flatMap(([name, field]) => {
    const { 'x-required-scope': requiredScope, 'x-excludes': excludes = [] } = field
    return requiredScope !== undefined || excludes.length > 0 ? [{ name, requiredScope, excludes }] : []
  })
}

function listTypes(parameters: readonly object[], contract: ContractDocument): ParameterTypes {
  const places = Map.groupBy(
    parameters.map((parameter) => behind<Parameter>(parameter, contract)),
    (parameter) => parameter.in,
  )
  return Object.fromEntries(
    Array.from(places, ([place, members]) => [
      place,
      Object.fromEntries(members.map(({ name, schema }) => [name, behind<Schema>(schema, contract).type])),
    ]),
  )
}

function listConstants(responses: Readonly<Record<string, object>>, contract: ContractDocument): ConstantHeaders {
  const constants = Object.entries(responses).map(([status, response]) => {
    const { headers = {} } = behind<Response>(response, contract)
    const ofStatus = Object.entries(headers).flatMap(([name, header]) => {
      const { required, schema } = behind<Header>(header, contract)
      const { enum: values = [] } = behind<Schema>(schema, contract)
      return required && values.length === 1 ? [[name, values[0]] as const] : []
    })
    return [status, ofStatus] as const
  })
  return Object.fromEntries(
    constants.flatMap(([status, list]) => (list.length > 0 ? [[status, Object.fromEntries(list)]] : [])),
  ) as ConstantHeaders
}

/** What stands there, or where it refers to. */
function behind<Node>(node: object, contract: ContractDocument): Node {
  if (!('$ref' in node)) return node as Node
  const names = String(node.$ref).slice(2).split('/')
  return behind(
    names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as object,
    contract,
  )
}

interface Parameter {
  in: keyof ParameterTypes
  name: string
  schema: object
}

interface Response {
  headers?: Readonly<Record<string, object>>
}

interface Header {
  required?: boolean
  schema: object
}

interface Schema {
  type: string
  enum?: readonly (string | number)[]
  properties?: Record<string, { 'x-required-scope'?: string; 'x-excludes'?: readonly string[] }>
}
