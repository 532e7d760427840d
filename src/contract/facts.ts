/** What a bundled contract says of its operations that is no type. */

export interface OperationFacts<Id extends string = string> {
  operationId: Id
  method: string
  /** As the contract writes it: `/v1/messages/{id}`. */
  path: string
  requiredScope: string
  takesBody: boolean
  fields: readonly BodyField[]
  parameterTypes: ParameterTypes
}

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
  requestBody?: { content: Readonly<Record<string, { schema: object }>> }
  parameters?: readonly object[]
}

/** Every operation, in the contract's order. */
export function factsOf<Id extends string>(contract: ContractDocument): OperationFacts<Id>[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, requestBody, parameters = [], ...operation }]) => ({
      operationId: operationId as Id,
      method,
      path,
      requiredScope: operation['x-required-scope'],
      takesBody: requestBody !== undefined,
      fields: Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema, contract)),
      parameterTypes: typesOf(parameters, contract),
    })),
  )
}

function fieldsOf(schema: object, contract: ContractDocument): BodyField[] {
  const { properties = {} } = behind<Schema>(schema, contract)
  return Object.entries(properties).flatMap(([name, field]) => {
    const { 'x-required-scope': requiredScope, 'x-excludes': excludes = [] } = field
    return requiredScope !== undefined || excludes.length > 0 ? [{ name, requiredScope, excludes }] : []
  })
}

function typesOf(parameters: readonly object[], contract: ContractDocument): ParameterTypes {
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

interface Schema {
  type: string
  properties?: Record<string, { 'x-required-scope'?: string; 'x-excludes'?: readonly string[] }>
}
