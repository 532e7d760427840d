/** What the contract says of an operation, as types. */
import type { operations } from '../../generated/types.ts'

export type OperationId = keyof operations

/** A valid body, with the contract's defaults filled in; undefined where the operation takes none. */
export type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

export type PathOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>

type Responses<Id extends OperationId> = operations[Id]['responses']

/** A documented success of the operation. */
export type Reply<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Responses<Id>[Status] extends {
    content: { 'application/json': { success: true; data: infer Data } }
  }
    ? { status: Status; data: Data }
    : never
}[keyof Responses<Id>]
