/** What a contract says of an operation, as types: of any contract, and of this service's own by its operationIds. */
import type { components, operations } from '../../generated/types.ts'
import type { ownHeaders } from './facts.ts'

export type OperationId = keyof operations

/** A valid body, with the contract's defaults filled in; undefined where the operation takes none. */
export type BodyIn<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : undefined

/** With the contract's defaults filled in. */
export type QueryIn<Operation> = ParametersIn<Operation, 'query'>

/** By the names that the contract writes, with its defaults filled in. */
export type HeaderIn<Operation> = ParametersIn<Operation, 'header'>

export type PathIn<Operation> = ParametersIn<Operation, 'path'>

type ParametersIn<Operation, Place extends string> = Operation extends {
  parameters: { [Where in Place]?: infer Members }
}
  ? NonNullable<Members>
  : never

type JsonIn<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never

/**
 * The headers that a handler gives with an answer: not those that the service gives by itself, and not those that are required and
 * have one possible value.
 */
type GivenHeaders<Response> = Response extends { headers: infer Headers }
  ? {
      readonly [Name in keyof Headers as string extends Name
        ? never
        : Name extends (typeof ownHeaders)[number]
          ? never
          : IsConstant<Headers[Name]> extends true
            ? never
            : Name]: Headers[Name]
    }
  : object

/** Whether it is one literal. An optional header may be undefined too, which is two. */
type IsConstant<Value> = string extends Value
  ? false
  : number extends Value
    ? false
    : [Value] extends [IntersectionOf<Value>]
      ? true
      : false

type IntersectionOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer All) => void
  ? All
  : never

/** Nothing where no header is declared; it may be left out where each of them may. */
type WithHeaders<Response, Headers = GivenHeaders<Response>> = [keyof Headers] extends [never]
  ? { headers?: undefined }
  : object extends Headers
    ? { headers?: Headers }
    : { headers: Headers }

/** The documented successes of an operation: each status with the whole of its JSON. */
export type SuccessIn<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & number]: `${Status}` extends `2${string}`
        ? { status: Status; data: JsonIn<Responses[Status]> } & WithHeaders<Responses[Status]>
        : never
    }[keyof Responses & number]
  : never

type Responses<Id extends OperationId> = operations[Id]['responses']

type StatusOf<Id extends OperationId> = keyof Responses<Id> & number

type DataOf<Id extends OperationId, Status extends StatusOf<Id>> =
  JsonIn<Responses<Id>[Status]> extends { data: infer Data } ? Data : never

/** A documented success of the operation, with the headers that the contract declares for it. */
export type Reply<Id extends OperationId> = {
  [Status in StatusOf<Id>]: `${Status}` extends `2${string}`
    ? { status: Status; data: DataOf<Id, Status> } & WithHeaders<Responses<Id>[Status]>
    : never
}[StatusOf<Id>]

/** The codes that the operation documents, of all its statuses. */
export type ErrorCodeOf<Id extends OperationId> = {
  [Status in StatusOf<Id>]: `${Status}` extends `2${string}` ? never : CodeOf<DataOf<Id, Status>>
}[StatusOf<Id>]

type CodeOf<Data> = Data extends { code: infer Code extends components['schemas']['ErrorCode'] } ? Code : never
