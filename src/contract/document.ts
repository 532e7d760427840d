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
    fields: 'requestBody' in operation ? fieldsOf(operation.requestBody) : [],
    parameterTypes: typesOf(('parameters' in operation ? operation.parameters : []).map(behind<Parameter>)),
  })),
)

function fieldsOf({ content }: Body): BodyField[] {
  const { properties = {} } = behind<Schema>(content['application/json'].schema)
  return Object.entries(properties).flatMap(([name, field]) => {
    const { 'x-required-scope': requiredScope, 'x-excludes': excludes = [] } = field
    return requiredScope !== undefined || excludes.length > 0 ? [{ name, requiredScope, excludes }] : []
  })
}

function typesOf(parameters: readonly Parameter[]): ParameterTypes {
  const places = Map.groupBy(parameters, (parameter) => parameter.in)
  return Object.fromEntries(
    Array.from(places, ([place, members]) => [
      place,
      Object.fromEntries(members.map(({ name, schema }) => [name, behind<Schema>(schema).type])),
    ]),
  )
}

/** What stands there, or where it refers to. */
function behind<Node>(node: object): Node {
  if (!('$ref' in node)) return node as Node
  const names = String(node.$ref).slice(2).split('/')
  return behind(names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as object)
}

interface Parameter {
  in: keyof ParameterTypes
  name: string
  schema: object
}

interface Body {
  content: { 'application/json': { schema: object } }
}

interface Schema {
  type: string
  properties?: Record<string, { 'x-required-scope'?: string; 'x-excludes'?: readonly string[] }>
}

/** The scopes of operations: a key has all of them, unless it was made for less. */
export const scopes: readonly string[] = [...new Set(operationFacts.map((operation) => operation.requiredScope))]

/** The scopes of fields: a key has one only if somebody chose it for that key. */
export const extraScopes: readonly string[] = [
  ...new Set(operationFacts.flatMap(({ fields }) => fields.flatMap(({ requiredScope }) => requiredScope ?? []))),
]

/** What each scope lets a key do, in a sentence. */
export const scopeMeanings: Readonly<Record<string, string>> =
  contract.components.securitySchemes.bearerAuth['x-scopes']

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

const { locale, length } = contract.components.schemas.SendVerificationRequest.properties
const { domain } = contract.components.schemas.Autofill.properties

/** Digits that a code may have which is made here. */
export const codeLengthRange = { min: length.minimum, max: length.maximum }

/** The form of a language, and of a host that codes are bound to. */
export const localeForm = { pattern: new RegExp(locale.pattern, 'u'), maxLength: locale.maxLength }
export const hostForm = { pattern: new RegExp(domain.pattern, 'u'), maxLength: domain.maxLength }
