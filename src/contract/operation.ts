/** What a contract says of an operation, as types: of any contract, and of this service's own by its operationIds. */
import type { components, operations } from '../../generated/types.ts'

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

/** The documented successes of an operation: each status with the whole of its JSON. */
export type SuccessIn<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & number]: `${Status}` extends `2${string}`
        ? { status: Status; data: JsonIn<Responses[Status]> }
        : never
    }[keyof Responses & number]
  : never

type Responses<Id extends OperationId> = operations[Id]['responses']

type StatusOf<Id extends OperationId> = keyof Responses<Id> & number

type DataOf<Id extends OperationId, Status extends StatusOf<Id>> =
  JsonIn<Responses<Id>[Status]> extends { data: infer Data } ? Data : never

/** A documented success of the operation. */
export type Reply<Id extends OperationId> = {
  [Status in StatusOf<Id>]: `${Status}` extends `2${string}` ? { status: Status; data: DataOf<Id, Status> } : never
}[StatusOf<Id>]

/** The codes that the operation documents, of all its statuses. */
export type ErrorCodeOf<Id extends OperationId> = {
  [Status in StatusOf<Id>]: `${Status}` extends `2${string}` ? never : CodeOf<DataOf<Id, Status>>
}[StatusOf<Id>]

type CodeOf<Data> = Data extends { code: infer Code extends components['schemas']['ErrorCode'] } ? Code : never
