/** What the contract says of an operation, as types. */
import type { components, operations } from '../../generated/types.ts'

export type OperationId = keyof operations

/** A valid body, with the contract's defaults filled in; undefined where the operation takes none. */
export type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

/** With the contract's defaults filled in. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>

/** By the names that the contract writes, with its defaults filled in. */
export type HeaderOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['header']>

export type PathOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>

type Responses<Id extends OperationId> = operations[Id]['responses']

type StatusOf<Id extends OperationId> = keyof Responses<Id> & number

type DataOf<Id extends OperationId, Status extends StatusOf<Id>> = Responses<Id>[Status] extends {
  content: { 'application/json': { data: infer Data } }
}
  ? Data
  : never

/** A documented success of the operation. */
export type Reply<Id extends OperationId> = {
  [Status in StatusOf<Id>]: `${Status}` extends `2${string}` ? { status: Status; data: DataOf<Id, Status> } : never
}[StatusOf<Id>]

/** The codes that the operation documents, of all its statuses. */
export type ErrorCodeOf<Id extends OperationId> = {
  [Status in StatusOf<Id>]: `${Status}` extends `2${string}` ? never : CodeOf<DataOf<Id, Status>>
}[StatusOf<Id>]

type CodeOf<Data> = Data extends { code: infer Code extends components['schemas']['ErrorCode'] } ? Code : never
